/** Errors as responses. */
import { maskKeys } from 'toponym-access/keys/key-text';
import { printableJson } from 'toponym-engine/text/utf8';
import { ERRORS, type ErrorCode } from './error-codes.ts';
import { JSON_TYPE } from './headers.ts';
import { STATUS_CODES } from './node-http.ts';

export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly code: ErrorCode;
  /** The invalid option. The message starts with its name, which packages/toponym/src/cli replaces by a flag. */
  readonly option: string | undefined;

  constructor(code: ErrorCode, message: string = ERRORS[code].message, option?: string) {
    super(message);
    this.code = code;
    this.option = option;
  }
}

/** `option` is what the client calls it. `problem` says what the value must be, and what it was. */
export function invalidOption(option: string, problem: string): RequestError {
  return new RequestError('invalid_option', `${option}: ${problem}`, option);
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
    return { status, contentType: JSON_TYPE, body: JSON.stringify(fields) };
  }
  const problem = { type: 'about:blank', title: STATUS_CODES[status], detail: error.message, ...fields };
  return { status, contentType: 'application/problem+json; charset=utf-8', body: JSON.stringify(problem) };
}

const MAX_QUOTED_LENGTH = 60;

/** Quotes a value for a message. Masks API keys and truncates long values. */
export function quote(value: string): string {
  const masked = maskKeys(value);
  return printableJson(masked.length > MAX_QUOTED_LENGTH ? `${masked.slice(0, MAX_QUOTED_LENGTH)}…` : masked);
}
