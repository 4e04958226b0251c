/** Sends responses and errors, with the headers that all of them have. */
import { CORS_HEADERS } from '../cors.ts';
import { errorResponse, RequestError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { discardRestOfBody, hasLargeUnreadBody } from '../request/body.ts';
import type { Latin1Bytes } from './latin1-bytes.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Value of Retry-After in 503 responses. */
const RETRY_AFTER_SECONDS = '1';
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
  const allHeaders = ['x-request-id', exchange.id, ...COMMON_HEADERS, ...exchange.headers, ...headers];
  if (contentType !== undefined) allHeaders.push('content-type', contentType);
  if (body !== undefined) allHeaders.push('content-length', String(body.length));
  // to reuse the connection, the rest of the body would have to be read, which may be gigabytes
  if (hasLargeUnreadBody(request)) {
    allHeaders.push('connection', 'close');
    discardRestOfBody(request);
  }
  response.writeHead(status, allHeaders);
  // each character of Latin1Bytes is one byte of UTF-8; a Buffer ignores the encoding
  response.end(body, 'latin1');
}

/** Sends a RequestError as it is. Anything else is a bug: it is logged, and the client gets 500. */
export function sendError(exchange: Exchange, thrown: unknown): void {
  const error = thrown instanceof RequestError ? thrown : new RequestError('internal');
  const { id, log, request, response } = exchange;
  if (error.code === 'internal') log.error({ reqId: id, err: thrown }, 'a request failed');
  if (response.headersSent) {
    // closes the connection, so that the client does not mistake the response for a complete one
    response.destroy();
    return;
  }
  const { status, contentType, body } = errorResponse(error, id, request.headers.accept);
  const headers = status === 503 ? ['retry-after', RETRY_AFTER_SECONDS] : [];
  sendResponse(exchange, { status, contentType, headers, body: Buffer.from(body) });
}
