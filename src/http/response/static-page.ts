/** A page that is the same for all clients. Only its compressed form stays in memory. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Exchange } from '../exchange.ts';
import { sendResponse } from './send.ts';

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
