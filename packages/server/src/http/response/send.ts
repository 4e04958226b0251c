/**
 * Sends responses and errors, with the headers that all of them have, and static pages: those that are the
 * same for all clients. Only the compressed form of a page stays in memory.
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sendAndClose } from '../broken-request.ts';
import { errorResponse, RequestError } from '../errors.ts';
import { type Exchange, traceIds } from '../exchange.ts';
import { CORS_HEADERS } from '../headers.ts';
import { discardRestOfBody, mayHaveLargeUnreadBody } from '../request/body.ts';
import { type ByteString, byteStringFrom } from './json-writer.ts';

/** A larger body is sent in pieces of this size, the next one when the client has taken the last one. */
const PIECE_BYTES = 64 * 1024;
/** Retry-After of 503 responses, in seconds. */
export const RETRY_AFTER = '1';
const COMMON_HEADERS = Object.entries({ 'x-content-type-options': 'nosniff', ...CORS_HEADERS }).flat();

export interface HttpResponse {
  readonly status: number;
  readonly contentType?: string;
  /** Headers to add to those of the exchange, as a flat list [name, value, …]. */
  readonly headers?: readonly string[];
  /** Absent for 204 and 304. */
  readonly body?: Buffer | ByteString;
}

export function sendResponse(exchange: Exchange, { status, contentType, headers = [], body }: HttpResponse): void {
  const { request, response } = exchange;
  const allHeaders = headersOf(exchange, contentType);
  allHeaders.push(...headers);
  if (body !== undefined) allHeaders.push('content-length', String(body.length));
  if (mayHaveLargeUnreadBody(request)) {
    // the rest of the request may be gigabytes: what arrives before the connection closes is dropped
    allHeaders.push('connection', 'close');
    discardRestOfBody(request);
    // Node would reset the connection: a client that still sends its body would lose the response
    request.socket.destroySoon = () => sendAndClose(request.socket, '');
  }
  response.writeHead(status, allHeaders);
  if (body instanceof Buffer && body.length > PIECE_BYTES) sendInPieces(response, body);
  // Node ignores the encoding if the body is a Buffer
  else response.end(body, 'latin1');
}

/** Starts a response of unknown length. Its body is written later. */
export function startStream(exchange: Exchange, contentType: string): void {
  exchange.response.writeHead(200, headersOf(exchange, contentType));
}

function headersOf({ id, responseHeaders }: Exchange, contentType: string | undefined): string[] {
  const headers = ['x-request-id', id, ...COMMON_HEADERS, ...responseHeaders];
  if (contentType !== undefined) headers.push('content-type', contentType);
  return headers;
}

/** Node and TLS would copy a whole body for each client that does not read it. */
function sendInPieces(response: ServerResponse, body: Buffer): void {
  let sentBytes = 0;
  const sendMore = () => {
    while (sentBytes + PIECE_BYTES < body.length) {
      const piece = body.subarray(sentBytes, sentBytes + PIECE_BYTES);
      sentBytes += PIECE_BYTES;
      if (!response.write(piece)) return; // until `drain`
    }
    response.off('drain', sendMore).end(body.subarray(sentBytes));
  };
  response.on('drain', sendMore);
  sendMore();
}

export function sendError(exchange: Exchange, thrown: unknown): void {
  const { status, contentType, body } = formatError(exchange, thrown);
  if (exchange.response.headersSent) {
    exchange.response.destroy(); // tells the client that the response is incomplete
    return;
  }
  const headers = status === 503 ? ['retry-after', RETRY_AFTER] : [];
  sendResponse(exchange, { status, contentType, headers, body });
}

/** Formats a RequestError as it is. Anything else is a bug, so it is logged and formatted as 500. */
export function formatError(exchange: Exchange, thrown: unknown) {
  const error = thrown instanceof RequestError ? thrown : new RequestError('internal');
  const { id, log, request } = exchange;
  if (error.code === 'internal') log.error({ reqId: id, ...traceIds(request), err: thrown }, 'a request failed');
  const { body, ...head } = exchange.route.formatError?.(error) ?? errorResponse(error, id, request.headers.accept);
  return { ...head, body: byteStringFrom(Buffer.from(body)) };
}

export interface StaticPage {
  readonly contentType: string;
  readonly gzip: Buffer;
  /** Without quotes. Sent as a weak ETag, because it stands for both encodings. */
  readonly etag: string;
}

export function createStaticPage(contentType: string, content: string | { readonly gzip: Buffer }): StaticPage {
  const gzip = typeof content === 'string' ? gzipSync(content) : content.gzip;
  const etag = createHash('sha256').update(gzip).digest('base64url').slice(0, 22);
  return { contentType, gzip, etag };
}

/** The plain form of pages, as long as a response needs it. */
const plainContents = new WeakMap<StaticPage, WeakRef<Buffer>>();

/** All responses that are being sent share one copy. */
function plainContent(page: StaticPage): Buffer {
  const kept = plainContents.get(page)?.deref();
  if (kept !== undefined) return kept;
  const plain = gunzipSync(page.gzip);
  plainContents.set(page, new WeakRef(plain));
  return plain;
}

/** The value of the attribute `integrity` with which a page pins a script. */
export function integrityOf(page: StaticPage): string {
  return `sha384-${createHash('sha384').update(plainContent(page)).digest('base64')}`;
}

/** `isPermanent`: the path names this content for ever, so that browsers need not ask again. */
export function sendStaticPage(exchange: Exchange, page: StaticPage, { isPermanent = false } = {}): void {
  const { headers: requestHeaders } = exchange.request;
  const caching = isPermanent ? 'public, max-age=31536000, immutable' : 'public, no-cache';
  const headers = ['etag', `W/"${page.etag}"`, 'cache-control', caching, 'vary', 'Accept-Encoding'];
  if (requestHeaders['if-none-match']?.includes(`"${page.etag}"`)) {
    sendResponse(exchange, { status: 304, headers });
    return;
  }
  const isGzip = acceptsGzip(requestHeaders);
  if (isGzip) headers.push('content-encoding', 'gzip');
  sendResponse(exchange, {
    status: 200,
    contentType: page.contentType,
    headers,
    body: isGzip ? page.gzip : plainContent(page),
  });
}

const GZIP = /^\s*gzip\s*(?:;\s*q=[\d.]+\s*)?$/i;
const ANY = /^\s*\*\s*(?:;\s*q=[\d.]+\s*)?$/i;
const NOT_ACCEPTABLE = /;\s*q=0(?:\.0*)?\s*$/i;

function acceptsGzip({ 'accept-encoding': accepted = '' }: IncomingHttpHeaders): boolean {
  const codings = String(accepted).split(',');
  // `*` stands for all codings that the header does not name
  const coding = codings.find((each) => GZIP.test(each)) ?? codings.find((each) => ANY.test(each));
  return coding !== undefined && !NOT_ACCEPTABLE.test(coding);
}
