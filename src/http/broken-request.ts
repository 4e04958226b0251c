/**
 * The answer to what is not HTTP, came too slowly, or has more headers than Node takes: there is no request object
 * then, only a socket, so the answer is written by hand. Same body shape as every error.
 */
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { CORS_HEADERS } from './cors.ts';
import { type ErrorCode, errorAnswer, RequestError } from './errors.ts';
import { STATUS_CODES } from './node-http.ts';

export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(rawErrorAnswer(new RequestError(codeOf(error))));
}

/** An error as it goes over the wire, for where there is a socket and no reply; the connection is closed after it. */
export function rawErrorAnswer(error: RequestError): string {
  const requestId = randomUUID();
  const { status, contentType, body } = errorAnswer(error, requestId, undefined);
  const headers = {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    ...CORS_HEADERS,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

function codeOf(error: NodeJS.ErrnoException): ErrorCode {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'bad_request';
}
