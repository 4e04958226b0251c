/**
 * Error responses to data that is not HTTP, arrives too slowly or exceeds Node's limit for headers.
 * There is no request object, only a socket, so the response is formatted here. Its body is like
 * that of any other error.
 */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { CORS_HEADERS } from './cors.ts';
import { errorResponse, RequestError } from './errors.ts';
import { LINGER_MS } from './timeouts.ts';

const PARSER_ERROR_PREFIX = 'HPE_';

/** Converts an error of Node's server. Undefined if the client cannot get it: TLS has failed. */
export function brokenRequestError({ code = '' }: NodeJS.ErrnoException): RequestError | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new RequestError('request_timeout');
  if (code === 'HPE_HEADER_OVERFLOW') return new RequestError('headers_too_large');
  return code.startsWith(PARSER_ERROR_PREFIX) ? new RequestError('bad_request') : undefined;
}

/** Formats an error as a complete HTTP response, which closes the connection. */
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
