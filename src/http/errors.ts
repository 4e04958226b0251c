/** Errors as responses: codes, statuses, default messages (also in docs/api.md) and the format. */

import { maskKeys } from '../access/keys/key-text.ts';
import { STATUS_CODES } from './node-http.ts';

export const ERRORS = {
  invalid_option: { status: 400, message: 'an option has an invalid value' },
  missing_option: { status: 400, message: 'a required option is missing' },
  unknown_option: { status: 400, message: 'an option is unknown' },
  duplicate_option: { status: 400, message: 'an option was given twice' },
  invalid_body: { status: 400, message: 'the request body cannot be read' },
  bad_request: { status: 400, message: 'the request cannot be read' },
  key_missing: { status: 401, message: 'an API key is required' },
  key_unknown: { status: 401, message: 'the API key is unknown: check it for typos, or request a new one' },
  key_expired: { status: 403, message: 'the API key has expired' },
  key_revoked: { status: 403, message: 'the API key was revoked' },
  origin_not_allowed: { status: 403, message: 'the API key may not be used from this web origin' },
  address_not_allowed: { status: 403, message: 'the API key may not be used from this IP address' },
  batch_not_allowed: {
    status: 403,
    message: 'the API key may not send batches: only keys created with "toponym keys create --batch" may',
  },
  not_found: { status: 404, message: 'there is nothing at this path' },
  object_not_found: { status: 404, message: 'ObjectID does not exist' }, // Algolia's wording
  method_not_allowed: { status: 405, message: 'this path does not support this method' },
  request_timeout: { status: 408, message: 'the request took too long to arrive' },
  body_too_large: { status: 413, message: 'the request body must not be larger than 16 KiB' }, // MAX_BODY_BYTES
  unsupported_media_type: {
    status: 415,
    message: 'Content-Type must be application/x-www-form-urlencoded or application/json, in UTF-8',
  },
  expectation_failed: { status: 417, message: 'the header Expect may only ask for 100-continue' },
  rate_limited: { status: 429, message: 'too many calls' },
  quota_exceeded: { status: 429, message: "the API key's daily quota is used up" },
  headers_too_large: { status: 431, message: 'the URL and headers of the request are too large' },
  internal: { status: 500, message: 'an internal error occurred; the log has details under this requestId' },
  overloaded: { status: 503, message: 'the service is overloaded; try again in a moment' },
  draining: { status: 503, message: 'the service is shutting down; try again in a moment' },
  not_ready: { status: 503, message: 'the service is not ready' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly code: ErrorCode;
  /** The invalid option. The message starts with its name, which src/cli replaces by a flag. */
  readonly option: string | undefined;

  constructor(code: ErrorCode, details: { message?: string; option?: string | undefined } = {}) {
    super(details.message ?? ERRORS[code].message);
    this.code = code;
    this.option = details.option;
  }
}

export interface ErrorResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Formats an error as JSON, or as problem+json (RFC 9457) if the client accepts it. */
export function errorResponse(error: RequestError, requestId: string, accept = ''): ErrorResponse {
  const { status } = ERRORS[error.code];
  const fields = { message: error.message, status, code: error.code, requestId };
  if (!accept.includes('application/problem+json')) {
    return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(fields) };
  }
  const problem = { type: 'about:blank', title: STATUS_CODES[status], detail: error.message, ...fields };
  return { status, contentType: 'application/problem+json; charset=utf-8', body: JSON.stringify(problem) };
}

const MAX_QUOTED_LENGTH = 60;
/** Control characters and direction marks that `JSON.stringify` does not escape. */
const UNESCAPED_CONTROLS = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** Quotes a value for a message. Masks API keys and truncates long values. */
export function quote(value: string): string {
  const masked = maskKeys(value);
  const short = masked.length > MAX_QUOTED_LENGTH ? `${masked.slice(0, MAX_QUOTED_LENGTH)}…` : masked;
  const escapeCode = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(short).replace(UNESCAPED_CONTROLS, escapeCode);
}
