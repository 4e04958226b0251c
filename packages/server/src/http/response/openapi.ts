/** The OpenAPI 3.1 document, generated from schemas and from the service's own tables. */

import { DEFAULT_PER_MINUTE } from 'toponym-access/limits/rate-limiter';
import { OPTIONS, type OptionDefinition, type OptionName } from 'toponym-engine/options';
import { API_PREFIX } from '../api-handler.ts';
import { MAX_BATCH_LINES, NDJSON_TYPE } from '../batch.ts';
import { ENDPOINTS, type Endpoint } from '../endpoints.ts';
import { ERRORS } from '../error-codes.ts';
import { JSON_TYPE, RATE_HEADERS } from '../headers.ts';
import { STATUS_CODES } from '../node-http.ts';
import { BATCH_PATH } from '../request/body.ts';
import { optionSchema } from '../request/read-options.ts';
import { ENDPOINT_EXAMPLES, errorExamples } from './openapi-examples.ts';
import { ErrorSchema, FullRecordSchema, ProblemSchema, ResultSchema } from './response-schemas.ts';

const PLACES = 'Places';
const HEALTH = 'Health';
const PROBLEM_TYPE = 'application/problem+json';
const ENDPOINT_ERROR_STATUSES = [400, 401, 403, 408, 413, 415, 417, 429, 431, 500, 503];
const REPOSITORY = 'https://github.com/toponym/toponym';

interface DescribedService {
  readonly keyHeader: string;
  readonly version: string;
  /** Maximum calls of an address in 60 seconds. */
  readonly callsPerMinute?: number;
}

export function createOpenApi({ keyHeader, version, callsPerMinute = DEFAULT_PER_MINUTE }: DescribedService): object {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Toponym',
      version,
      summary: 'Place search that anyone can run.',
      description: introduction(keyHeader, callsPerMinute),
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Toponym', url: REPOSITORY },
    },
    externalDocs: {
      description: 'The guide: rules, ranking, limits and errors, with examples',
      url: `${REPOSITORY}/blob/main/docs/api.md`,
    },
    servers: [{ url: '/', description: 'This service' }],
    tags: [
      { name: PLACES, description: 'Calls, which need a key.' },
      { name: HEALTH, description: 'For load balancers and monitoring. They need no key.' },
    ],
    security: [{ key: [] }],
    paths: {
      ...Object.fromEntries(ENDPOINTS.map((endpoint) => [API_PREFIX + endpoint.name, { post: operation(endpoint) }])),
      [BATCH_PATH]: { post: batchOperation() },
      '/healthz': { get: statusOperation(ALIVE) },
      '/readyz': { get: statusOperation(READY) },
    },
    components: {
      securitySchemes: {
        key: {
          type: 'apiKey',
          in: 'header',
          name: keyHeader,
          description: 'The first start of the service prints a key, and `toponym keys create` creates more.',
        },
      },
      schemas: titledSchemas([
        ...ENDPOINTS.map(bodySchema),
        ResultSchema,
        FullRecordSchema,
        ErrorSchema,
        ProblemSchema,
      ]),
      headers: {
        ...HEADERS,
        'WWW-Authenticate': { ...HEADERS['WWW-Authenticate'], example: `ApiKey header="${keyHeader}"` },
      },
      responses: Object.fromEntries(
        [...ENDPOINT_ERROR_STATUSES, 404].map((status) => [`Error${status}`, describeErrors(status)]),
      ),
    },
  };
}

function introduction(keyHeader: string, callsPerMinute: number): string {
  return [
    'Search for places by name, get a place by its identifier, and find the places nearest to a point or the place that contains it.',
    `Each call needs an API key in the header \`${keyHeader}\`. Options go into the URL, a form or a JSON object, each of them once; an unknown option is an error. Text is UTF-8.`,
    `An address may make ${callsPerMinute} calls in any 60 seconds unless the key has its own limit. The \`RateLimit\` headers say how many are left, and \`Retry-After\` when to call again.`,
    'Errors have a `message` for people and a `code` for programs. Credit the sources in `dataset.attribution` where you show places.',
  ].join('\n\n');
}

function operation(endpoint: Endpoint): object {
  const isId = endpoint.name === 'id';
  const { summary, request, response } = ENDPOINT_EXAMPLES[endpoint.name];
  const errorStatuses = isId ? [...ENDPOINT_ERROR_STATUSES, 404] : ENDPOINT_ERROR_STATUSES;
  const examples = { inUrl: { summary: 'All options in the URL', value: {} }, inBody: { summary, value: request } };
  const body = { schema: reference('schemas', bodyTitle(endpoint)), examples };
  return {
    operationId: endpoint.operationId,
    tags: [PLACES],
    summary: endpoint.summary,
    description: `${endpoint.description} Give each option once, in the URL or in the body.`,
    parameters: endpoint.options.map((name) => parameter(name, name === endpoint.mainOption)),
    requestBody: {
      description: 'The options that are not in the URL.',
      required: false,
      content: { 'application/json': body, 'application/x-www-form-urlencoded': body },
    },
    responses: {
      200: {
        description: STATUS_CODES[200],
        headers: callHeaders(200),
        content: {
          'application/json': {
            schema: reference('schemas', isId ? 'FullRecord' : 'Hits'),
            examples: { embedded: { summary, value: response } },
          },
        },
      },
      ...errorReferences(errorStatuses),
    },
  };
}

function batchOperation(): object {
  const example = '{"query":"paris texas","hitsPerPage":1}\n{"aroundLatLng":"48.8566,2.3522"}\n{"objectID":"G2988507"}';
  const ndjson = (description: string) => ({ schema: { type: 'string', description } });
  const request = ndjson(`At most ${MAX_BATCH_LINES} lines: options of query, reverse or id as JSON objects.`);
  return {
    operationId: 'callInBatch',
    tags: [PLACES],
    summary: 'Make many calls at once',
    description:
      'Each line is a call: `query` makes it a search, `aroundLatLng` alone a reverse lookup, `objectID` a lookup of a record. Each line of the response is what that call alone would return, in the same order; a line with `code` is an error. Lines count as calls, all of them or none. Only keys that were created with `--batch` may send batches.',
    requestBody: { required: true, content: { [NDJSON_TYPE]: { ...request, example } } },
    responses: {
      200: {
        description: STATUS_CODES[200],
        headers: callHeaders(200),
        content: { [NDJSON_TYPE]: ndjson('One line for each line of the request, in the same order.') },
      },
      ...errorReferences(ENDPOINT_ERROR_STATUSES),
    },
  };
}

/**
 * No parameter is required, because all options may come in the body instead. Only the example of the
 * main option is one of the parameter: tools fill in such examples, and all options together find nothing.
 */
function parameter(name: OptionName, isMain: boolean): object {
  const { description, example } = OPTIONS[name];
  const schema = optionSchema(name);
  const fixed = { name, in: 'query', required: false, description };
  return isMain ? { ...fixed, schema, example } : { ...fixed, schema: { ...schema, examples: [example] } };
}

/** Name of the type of an endpoint's options in generated clients, such as `SearchPlacesOptions`. */
function bodyTitle({ operationId }: Endpoint): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Options`;
}

/** Defaults are only described, because generators make a property with a default required. */
function bodySchema(endpoint: Endpoint): object {
  const properties = endpoint.options.map((name) => {
    const { description, example }: OptionDefinition = OPTIONS[name];
    const { default: value, ...withoutDefault } = optionSchema(name) as { default?: unknown };
    const note = value === undefined ? '' : ` The default is \`${value}\`.`;
    return [name, { ...withoutDefault, description: description + note, examples: [example] }];
  });
  return {
    title: bodyTitle(endpoint),
    type: 'object',
    description: `Options of ${API_PREFIX}${endpoint.name}.`,
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}

const ALIVE = {
  about: {
    operationId: 'checkAlive',
    tags: [HEALTH],
    summary: 'Whether the process is running',
    description: 'Restart the process if there is no response.',
  },
  /** The field `status` of its 200 response. */
  word: 'alive',
  /** Fields of that response beside `status`. */
  fields: {},
  errorStatuses: [417],
};
const READY: typeof ALIVE = {
  about: {
    operationId: 'checkReady',
    tags: [HEALTH],
    summary: 'Whether the service accepts calls',
    description: 'Send calls elsewhere while the status is 503.',
  },
  word: 'ready',
  fields: {
    data: { type: 'string', description: 'Version of the data being served.' },
    notice: { type: 'string', description: 'A warning for the operator. Absent if there is none.' },
  },
  errorStatuses: [417, 503],
};

function statusOperation({ about, word, fields, errorStatuses }: typeof ALIVE): object {
  const status = { type: 'string', const: word, description: `Always \`${word}\`.` };
  const schema = { type: 'object', properties: { status, ...fields }, required: ['status'] };
  const ok = {
    description: STATUS_CODES[200],
    headers: headerReferences(['X-Request-Id']),
    content: { 'application/json': { schema, example: { status: word } } },
  };
  return { ...about, security: [], responses: { 200: ok, ...errorReferences(errorStatuses) } };
}

function describeErrors(status: number): object {
  const codes = Object.entries(ERRORS).filter(([, error]) => error.status === status);
  return {
    description: `${STATUS_CODES[status]}: ${codes.map(([code]) => `\`${code}\``).join(', ')}`,
    headers: callHeaders(status),
    content: {
      'application/json': { schema: reference('schemas', 'ApiError'), examples: errorExamples(status, JSON_TYPE) },
      [PROBLEM_TYPE]: { schema: reference('schemas', 'Problem'), examples: errorExamples(status, PROBLEM_TYPE) },
    },
  };
}

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };

const HEADERS = {
  'X-Request-Id': {
    description: 'Identifies this response in the log of the service. A request may bring its own.',
    schema: TEXT,
    example: '7b0c4a52-0f0c-4f5e-9a51-8f3f0a4b6e11',
  },
  'RateLimit-Policy': {
    description: '`q` calls per `w` seconds, for each limit. Windows slide; that of `day` is the day in UTC.',
    schema: TEXT,
    example: '"default";q=60;w=60',
  },
  RateLimit: {
    description:
      '`r` calls left, for each limit; in `t` seconds the oldest counted call leaves the window, or the day ends.',
    schema: TEXT,
    example: '"default";r=59;t=60',
  },
  'X-RateLimit-Limit': { description: 'Calls allowed in any 60 seconds.', schema: COUNT, example: 60 },
  'X-RateLimit-Remaining': { description: 'Calls left.', schema: COUNT, example: 59 },
  'X-RateLimit-Reset': {
    description: 'Seconds until the oldest counted call leaves the window.',
    schema: COUNT,
    example: 60,
  },
  'Retry-After': { description: 'Seconds to wait before the next call.', schema: COUNT, example: 7 },
  'WWW-Authenticate': {
    description: 'The header in which the service expects the key.',
    schema: TEXT,
    example: 'ApiKey header="X-Service-Key"',
  },
} as const;

type HeaderName = keyof typeof HEADERS;

/** Sent before the rate limit is checked, or by connections that have failed. */
const UNCOUNTED_STATUSES = [408, 417, 431, 503];

/** References to the headers of a response with this status to a call. */
function callHeaders(status: number): object {
  return headerReferences([
    'X-Request-Id',
    ...(UNCOUNTED_STATUSES.includes(status) ? [] : (RATE_HEADERS as HeaderName[])),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
  ]);
}

function headerReferences(names: readonly HeaderName[]): object {
  return Object.fromEntries(names.map((name) => [name, reference('headers', name)]));
}

function errorReferences(statuses: readonly number[]): object {
  return Object.fromEntries(statuses.map((status) => [status, reference('responses', `Error${status}`)]));
}

function reference(kind: 'schemas' | 'responses' | 'headers', name: string): object {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The titled schemas among these and inside them, by title. References replace the inner ones. */
function titledSchemas(schemas: readonly object[]): object {
  const byTitle = {};
  lift(schemas, byTitle);
  return byTitle;
}

function lift(schema: unknown, byTitle: Record<string, object>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => lift(item, byTitle));
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, lift(value, byTitle)]));
  const { title, ...untitled } = copy;
  // a property may have this name too
  if (typeof title !== 'string') return copy;
  byTitle[title] = untitled;
  return reference('schemas', title);
}
