/** Checks responses against the OpenAPI document that the service itself serves. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { RawResponse } from '../http/raw-response.ts';

/** Returns what is wrong with a response to a request; undefined if it is documented. */
export type ResponseCheck = (request: RequestLine, response: RawResponse) => string | undefined;

export interface RequestLine {
  readonly method: string;
  /** Undefined if the path is none of the documented ones, or not known. */
  readonly path: string | undefined;
}

interface OpenApiDocument {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, object> }>>;
}

const DOCUMENT = 'openapi';
/** Any endpoint may send these, so the document does not list them for each. */
const GENERAL_STATUSES = [400, 404, 405, 408, 413, 415, 417, 429, 431, 503];
const JSON_SCHEMAS = ['Hits', 'FullRecord'];

export function createResponseCheck(openApi: object): ResponseCheck {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(withoutOtherProperties(openApi) as object, DOCUMENT);
  const schemaOf = (name: string) => ajv.getSchema(`${DOCUMENT}#/components/schemas/${name}`)!;
  const error = schemaOf('ApiError');
  const problem = schemaOf('Problem');
  const results = JSON_SCHEMAS.map(schemaOf);
  const { paths } = openApi as OpenApiDocument;

  const checkBody = (schemas: readonly ValidateFunction[], { body, status }: RawResponse) => {
    const value = parseJson(body);
    if (value === undefined) return `status ${status}: the body is not JSON: ${body.toString('latin1', 0, 80)}`;
    if (!schemas.some((validate) => validate(value)))
      return `status ${status}: ${ajv.errorsText(schemas.at(-1)?.errors)}`;
    const named = (value as { status?: unknown }).status;
    return typeof named === 'number' && named !== status ? `status ${status}, but the body says ${named}` : undefined;
  };

  return ({ method, path }, response) => {
    const { status, headers } = response;
    if (status === 500) return 'status 500';
    if (!headers.has('x-request-id')) return `status ${status} without X-Request-Id`;
    if ((status === 429 || status === 503) && !headers.has('retry-after') && path !== undefined)
      return `status ${status} without Retry-After`;
    const type = (headers.get('content-type') ?? '').split(';')[0];
    const isDocumented = path !== undefined && paths[path]?.[method.toLowerCase()]?.responses[status] !== undefined;
    if (status >= 400) {
      if (!isDocumented && !GENERAL_STATUSES.includes(status) && path !== undefined)
        return `status ${status} is not documented`;
      if (method === 'HEAD') return undefined;
      return checkBody(type === 'application/problem+json' ? [problem] : [error], response);
    }
    if (isDocumented) return checkBody([path === '/api/1/id' ? results[1]! : results[0]!], response);
    if (path !== undefined && method !== 'OPTIONS') return `status ${status} is not documented for ${method}`;
    // the others are pages, health checks and preflights
    return hasPlaces(response) ? checkBody(results, response) : undefined;
  };
}

/** Undefined if the text is not JSON. */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Whether the body has records of places. The OpenAPI document only describes them. */
function hasPlaces({ headers, body }: RawResponse): boolean {
  return !headers.has('content-encoding') && body.includes('"objectID":"') && !body.includes('"openapi"');
}

/** Lets objects have only the properties that their schema lists. */
function withoutOtherProperties(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutOtherProperties);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([name, value]) => [name, withoutOtherProperties(value)]);
  const copy = Object.fromEntries(entries) as Record<string, unknown>;
  const isClosed = copy.type === 'object' && copy.properties !== undefined && copy.additionalProperties === undefined;
  return isClosed ? { ...copy, additionalProperties: false } : copy;
}
