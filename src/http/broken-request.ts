/**
 * Responses to what is not HTTP, arrives too slowly, or has more headers than Node takes. There is no request object
 * then, only a socket, so the response is written by hand. Its body has the shape of every error.
 */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { CORS_HEADERS } from './cors.ts';
import { type ErrorCode, errorResponse, RequestError } from './errors.ts';
import { STATUS_CODES } from './node-http.ts';
import { LINGER_MS } from './timeouts.ts';

/** What to tell the client; undefined where it cannot be told, such as in the middle of a TLS handshake. */
export function brokenRequestError({ code = '' }: NodeJS.ErrnoException): RequestError | undefined {
  const known = ERROR_CODES[code] ?? (code.startsWith('HPE_') ? 'bad_request' : undefined);
  return known && new RequestError(known);
}

const ERROR_CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** An error as it goes over the wire. */
export function rawErrorResponse(error: RequestError, extraHeaders: Readonly<Record<string, string>> = {}): string {
  const requestId = randomUUID();
  const { status, contentType, body } = errorResponse(error, requestId, undefined);
  const headers = {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    ...CORS_HEADERS,
    ...extraHeaders,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

/**
 * Sends the last response and closes the connection, for certain. What else the client sends is read and dropped for
 * a moment: closing with it unread would reset the connection before the client has read the response.
 */
export function sendAndClose(socket: Socket, response: string): void {
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end(response);
}
