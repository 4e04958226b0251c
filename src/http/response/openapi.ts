/** The OpenAPI 3.1 document, generated from schemas and from the service's own tables. */
import { STATUS_CODES } from 'node:http';
import { API_PREFIX } from '../api-handler.ts';
import { RATE_HEADERS } from '../cors.ts';
import { ENDPOINTS, type Endpoint } from '../endpoints.ts';
import { ERRORS } from '../errors.ts';
import { OPTIONS, type OptionName } from '../request/options.ts';
import { ENDPOINT_EXAMPLES, type EndpointExample, errorExamples } from './openapi-examples.ts';
import { ErrorSchema, FullRecordSchema, HitSchema, ProblemSchema, ResultSchema } from './response-schemas.ts';
import { JSON_TYPE } from './send.ts';

const PLACES = 'Places';
const HEALTH = 'Health';
const PROBLEM_TYPE = 'application/problem+json';
const ENDPOINT_ERROR_STATUSES = [400, 401, 403, 413, 415, 417, 429, 500, 503];

export function createOpenApi({ keyHeader, version }: { keyHeader: string; version: string }): object {
  const hits = { ...ResultSchema.properties.hits, items: reference('schemas', 'Hit') };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Toponym',
      version,
      description:
        'Search for places by name, get a place by its identifier, and find the places nearest to a point or the place that contains it.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Toponym', url: 'https://github.com/toponym/toponym' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: PLACES, description: 'Calls, which need a key.' },
      { name: HEALTH, description: 'For load balancers and monitoring. They need no key.' },
    ],
    security: [{ key: [] }],
    paths: {
      ...Object.fromEntries(ENDPOINTS.map((endpoint) => [API_PREFIX + endpoint.name, { post: operation(endpoint) }])),
      '/healthz': { get: statusOperation(ALIVE) },
      '/readyz': { get: statusOperation(READY) },
    },
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: keyHeader } },
      schemas: {
        Hit: HitSchema,
        Hits: { ...ResultSchema, properties: { ...ResultSchema.properties, hits } },
        FullRecord: FullRecordSchema,
        Error: ErrorSchema,
        Problem: ProblemSchema,
      },
      headers: HEADERS,
      responses: Object.fromEntries(
        [...ENDPOINT_ERROR_STATUSES, 404].map((status) => [`Error${status}`, describeErrors(status)]),
      ),
    },
  };
}

function operation(endpoint: Endpoint): object {
  const isId = endpoint.name === 'id';
  const example = ENDPOINT_EXAMPLES[endpoint.name];
  const errorStatuses = isId ? [...ENDPOINT_ERROR_STATUSES, 404] : ENDPOINT_ERROR_STATUSES;
  return {
    operationId: endpoint.operationId,
    tags: [PLACES],
    summary: endpoint.summary,
    description: 'Give each option once, in the URL or in the body.',
    parameters: endpoint.options.map((name) => parameter(name, name === endpoint.mainOption)),
    requestBody: {
      required: false,
      content: {
        'application/json': { schema: bodySchema(endpoint.options), examples: bodyExamples(example) },
        'application/x-www-form-urlencoded': { schema: bodySchema(endpoint.options), examples: bodyExamples(example) },
      },
    },
    responses: {
      200: {
        description: STATUS_CODES[200],
        headers: headerReferences(['X-Request-Id', ...RATE_HEADERS]),
        content: {
          'application/json': {
            schema: reference('schemas', isId ? 'FullRecord' : 'Hits'),
            examples: { embedded: { summary: example.summary, value: example.response } },
          },
        },
      },
      ...Object.fromEntries(errorStatuses.map((status) => [status, reference('responses', `Error${status}`)])),
    },
  };
}

/**
 * No parameter is required, because all options may come in the body instead. Only the example of the
 * main option is one of the parameter: tools fill in such examples, and all options together find nothing.
 */
function parameter(name: OptionName, isMain: boolean): object {
  const { description, example, schema } = OPTIONS[name];
  const fixed = { name, in: 'query', required: false, description };
  return isMain ? { ...fixed, schema, example } : { ...fixed, schema: { ...schema, examples: [example] } };
}

/** The first example is for calls with all options in the URL. */
function bodyExamples({ summary, request }: EndpointExample): object {
  return { inUrl: { summary: 'All options in the URL', value: {} }, inBody: { summary, value: request } };
}

function bodySchema(names: readonly OptionName[]): object {
  const properties = names.map((name) => {
    const { description, example, schema } = OPTIONS[name];
    return [name, { ...schema, description, examples: [example] }];
  });
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

interface HealthCheck {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** The field `status` of its 200 response. */
  readonly word: string;
  readonly statuses: readonly number[];
}

const ALIVE: HealthCheck = {
  operationId: 'checkAlive',
  summary: 'Whether the process is running',
  description: 'Restart the process if there is no response.',
  word: 'alive',
  statuses: [200, 417],
};
const READY: HealthCheck = {
  operationId: 'checkReady',
  summary: 'Whether the service accepts calls',
  description: 'Send calls elsewhere while the status is 503. `notice` is a warning for the operator.',
  word: 'ready',
  statuses: [200, 417, 503],
};

function statusOperation({ operationId, summary, description, word, statuses }: HealthCheck): object {
  const body = {
    type: 'object',
    properties: { status: { const: word }, ...(word === 'ready' ? { notice: TEXT } : {}) },
    required: ['status'],
  };
  const responses = statuses.map((status) => [
    status,
    status === 200
      ? {
          description: STATUS_CODES[200],
          content: { 'application/json': { schema: body, example: { status: word } } },
        }
      : reference('responses', `Error${status}`),
  ]);
  const fixed = { operationId, tags: [HEALTH], summary, description, security: [] };
  return { ...fixed, responses: Object.fromEntries(responses) };
}

function describeErrors(status: number): object {
  const codes = Object.entries(ERRORS).filter(([, error]) => error.status === status);
  // 417 and 503 are sent before the rate limit is checked
  const rateHeaders = status === 417 || status === 503 ? [] : RATE_HEADERS;
  const retryHeaders = status === 429 || status === 503 ? ['Retry-After'] : [];
  return {
    description: `${STATUS_CODES[status]}: ${codes.map(([code]) => `\`${code}\``).join(', ')}`,
    headers: headerReferences(['X-Request-Id', ...rateHeaders, ...retryHeaders]),
    content: {
      'application/json': { schema: reference('schemas', 'Error'), examples: errorExamples(status, JSON_TYPE) },
      [PROBLEM_TYPE]: { schema: reference('schemas', 'Problem'), examples: errorExamples(status, PROBLEM_TYPE) },
    },
  };
}

function headerReferences(names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, reference('headers', name)]));
}

function reference(kind: 'schemas' | 'responses' | 'headers', name: string): object {
  return { $ref: `#/components/${kind}/${name}` };
}

const TEXT = { type: 'string' };
const COUNT = { type: 'integer' };
const HEADERS = {
  'X-Request-Id': { description: 'Identifies this response in the log of the service.', schema: TEXT },
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
  'X-RateLimit-Limit': { description: 'Calls allowed in any 60 seconds.', schema: COUNT },
  'X-RateLimit-Remaining': { description: 'Calls left.', schema: COUNT },
  'X-RateLimit-Reset': { description: 'Seconds until the oldest counted call leaves the window.', schema: COUNT },
  'Retry-After': { description: 'Seconds to wait before the next call.', schema: COUNT },
};
