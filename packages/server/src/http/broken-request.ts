/**
 * Error responses to CONNECT and to data that is not HTTP, too slow or too large. Node then
 * provides only a socket, so status line and headers are formatted here.
 */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { errorResponse, RequestError } from './errors.ts';
import { CORS_HEADERS } from './headers.ts';
import { STATUS_CODES } from './node-http.ts';
import { LINGER_MS } from './timeouts.ts';

/** Converts an error of Node's server. Undefined if no response can be sent. */
export function brokenRequestError({ code = '' }: NodeJS.ErrnoException): RequestError | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new RequestError('request_timeout');
  if (code === 'HPE_HEADER_OVERFLOW') return new RequestError('headers_too_large');
  const isParserError = code.startsWith('HPE_');
  return isParserError ? new RequestError('bad_request') : undefined;
}

export function rawErrorResponse(error: RequestError, extraHeaders: Readonly<Record<string, string>> = {}): string {
  const requestId = randomUUID();
  const { status, contentType, body } = errorResponse(error, requestId);
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

/** Sends the last response ('' for none) and closes the connection within LINGER_MS. */
export function sendAndClose(socket: Socket, response: string): void {
  // closing with unread data would reset the connection, and the client could lose the response
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end(response);
}
