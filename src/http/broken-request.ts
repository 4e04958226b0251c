/**
 * Error responses to data that is not HTTP, arrives too slowly or exceeds Node's limit for headers.
 * There is no request object, only a socket, so the response is formatted here. Its body is like
 * that of any other error.
 */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { CORS_HEADERS } from './cors.ts';
import { type ErrorCode, errorResponse, RequestError } from './errors.ts';
import { LINGER_MS } from './timeouts.ts';

/** Converts an error of Node's server. Undefined if none can be sent, as in a TLS handshake. */
export function brokenRequestError({ code = '' }: NodeJS.ErrnoException): RequestError | undefined {
  const known = ERROR_CODES[code] ?? (code.startsWith('HPE_') ? 'bad_request' : undefined);
  return known && new RequestError(known);
}

const ERROR_CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Formats an error as a complete HTTP response. */
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
 * Sends the last response and closes the connection after at most LINGER_MS. Until then, incoming
 * data is discarded: closing with unread data would reset the connection, and the client could lose
 * the response.
 */
export function sendAndClose(socket: Socket, response: string): void {
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end(response);
}
