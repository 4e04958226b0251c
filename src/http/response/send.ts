/** Sends responses and errors, with the headers that every response has. */
import { CORS_HEADERS } from '../cors.ts';
import { asRequestError, ERRORS, errorResponse } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { discardBody, hasLargeUnreadBody } from '../request/body.ts';
import type { Latin1Bytes } from './latin1-bytes.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

const COMMON_HEADERS = Object.entries({ 'x-content-type-options': 'nosniff', ...CORS_HEADERS }).flat();

export interface HttpResponse {
  readonly status: number;
  readonly contentType?: string;
  /** Further headers: a flat list [name, value, …]. */
  readonly headers?: readonly string[];
  /** Absent for 204 and 304. */
  readonly body?: Buffer | Latin1Bytes;
}

export function sendResponse(exchange: Exchange, { status, contentType, headers = [], body }: HttpResponse): void {
  const { request, response } = exchange;
  const all = ['x-request-id', exchange.id, ...COMMON_HEADERS, ...exchange.headers, ...headers];
  if (contentType !== undefined) all.push('content-type', contentType);
  if (body !== undefined) all.push('content-length', String(body.length));
  // a refused client could send gigabytes
  if (hasLargeUnreadBody(request)) {
    all.push('connection', 'close');
    discardBody(request);
  }
  response.writeHead(status, all);
  response.end(body, 'latin1');
}

/** Sends an error of our table; anything else that was thrown is logged and sent as 500. */
export function sendError(exchange: Exchange, thrown: unknown): void {
  const error = asRequestError(thrown);
  const { id, log, request } = exchange;
  if (ERRORS[error.code].status === 500) log.error({ reqId: id, err: thrown }, 'a request failed');
  const { status, contentType, body } = errorResponse(error, id, request.headers.accept);
  sendResponse(exchange, { status, contentType, body: Buffer.from(body) });
}
