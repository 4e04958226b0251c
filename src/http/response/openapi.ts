/** The OpenAPI 3.1 document, generated from schemas and from the service's own tables. */
import { STATUS_CODES } from 'node:http';
import { API_PREFIX } from '../api-handler.ts';
import { RATE_HEADERS } from '../cors.ts';
import { ENDPOINTS, type Endpoint } from '../endpoints.ts';
import { ERRORS } from '../errors.ts';
import { OPTIONS, type OptionName } from '../request/options.ts';
import { ErrorSchema, FullRecordSchema, HitSchema, ProblemSchema, ResultSchema } from './response-schemas.ts';

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
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    paths: {
      ...Object.fromEntries(ENDPOINTS.map((endpoint) => [API_PREFIX + endpoint.name, { post: operation(endpoint) }])),
      '/healthz': { get: statusOperation('alive', 'Whether the process is running', [200]) },
      '/readyz': { get: statusOperation('ready', 'Whether the service accepts calls', [200, 503]) },
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
  const errorStatuses = isId ? [...ENDPOINT_ERROR_STATUSES, 404] : ENDPOINT_ERROR_STATUSES;
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    description: 'Give each option once, in the body or in the URL.',
    parameters: endpoint.options.map(parameter),
    requestBody: {
      required: false,
      content: {
        'application/x-www-form-urlencoded': { schema: bodySchema(endpoint.options) },
        'application/json': { schema: bodySchema(endpoint.options) },
      },
    },
    responses: {
      200: {
        description: STATUS_CODES[200],
        headers: headerReferences(['X-Request-Id', ...RATE_HEADERS]),
        content: { 'application/json': { schema: reference('schemas', isId ? 'FullRecord' : 'Hits') } },
      },
      ...Object.fromEntries(errorStatuses.map((status) => [status, reference('responses', `Error${status}`)])),
    },
  };
}

/** No parameter is required, because all options may come in the body instead. */
function parameter(name: OptionName): object {
  const { description, example, schema } = OPTIONS[name];
  return { name, in: 'query', required: false, description, schema, example };
}

function bodySchema(names: readonly OptionName[]): object {
  const properties = names.map((name) => {
    const { description, example, schema } = OPTIONS[name];
    return [name, { ...schema, description, examples: [example] }];
  });
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

/** A health check. `word` is its operationId, and the field `status` of its 200 response. */
function statusOperation(word: string, summary: string, statuses: readonly number[]): object {
  const body = { type: 'object', properties: { status: { const: word } }, required: ['status'] };
  const responses = statuses.map((status) => [
    status,
    status === 200
      ? { description: STATUS_CODES[200], content: { 'application/json': { schema: body } } }
      : reference('responses', `Error${status}`),
  ]);
  return { operationId: word, summary, security: [], responses: Object.fromEntries(responses) };
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
      'application/json': { schema: reference('schemas', 'Error') },
      'application/problem+json': { schema: reference('schemas', 'Problem') },
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
