/** Sends responses: the headers that every response has, then the body. */
import { CORS_HEADERS } from '../cors.ts';
import { asRequestError, ERRORS, errorResponse } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { discardBody, hasLargeUnreadBody } from '../request/body.ts';
import type { Latin1Bytes } from './latin1-bytes.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

const COMMON_HEADERS = Object.entries({ 'x-content-type-options': 'nosniff', ...CORS_HEADERS }).flat();

export interface HttpResponse {
  readonly status: number;
  /** A flat list [name, value, …]. */
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
}

export function sendResponse(exchange: Exchange, { status, headers = [], body = '' }: HttpResponse): void {
  const { request, response } = exchange;
  const all = ['x-request-id', exchange.id, ...COMMON_HEADERS, ...exchange.headers, ...headers];
  if (body.length > 0) all.push('content-length', String(Buffer.byteLength(body)));
  else if (status !== 204 && status !== 304) all.push('content-length', '0');
  // reading on would let a refused client send gigabytes
  if (hasLargeUnreadBody(request)) {
    all.push('connection', 'close');
    discardBody(request);
  }
  response.writeHead(status, all);
  response.end(body);
}

/** Sends JSON that was written as bytes. */
export function sendJson({ id, headers, response }: Exchange, body: Latin1Bytes): void {
  const all = ['x-request-id', id, ...COMMON_HEADERS, ...headers];
  all.push('content-type', JSON_TYPE, 'content-length', String(body.length));
  response.writeHead(200, all);
  response.end(body, 'latin1');
}

/** Sends an error of our own table, or 500 for anything else that was thrown. */
export function sendError(exchange: Exchange, thrown: unknown): void {
  const error = asRequestError(thrown);
  const { id, log, request } = exchange;
  if (ERRORS[error.code].status === 500) log.error({ reqId: id, err: thrown }, 'a request failed');
  const { status, contentType, body } = errorResponse(error, id, request.headers.accept);
  sendResponse(exchange, { status, headers: ['content-type', contentType], body });
}
