/**
 * A page that is the same for everybody: made once, compressed once, and sent from those buffers, so that a client that
 * asks for it many times without reading costs no copy. Browsers revalidate it with its ETag.
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface StaticPage {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  /** Without the quotes. Weak: both encodings have the same. */
  readonly etag: string;
}

export function createStaticPage(type: string, text: string): StaticPage {
  const plain = Buffer.from(text);
  const etag = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return { type, plain, gzip: gzipSync(plain), etag };
}

export function sendStaticPage({ headers }: FastifyRequest, reply: FastifyReply, page: StaticPage): void {
  reply.header('etag', `W/"${page.etag}"`);
  reply.header('cache-control', 'public, no-cache');
  reply.header('vary', 'Accept-Encoding');
  if (headers['if-none-match']?.includes(`"${page.etag}"`)) {
    reply.code(304).send();
    return;
  }
  reply.type(page.type);
  if (acceptsGzip(headers)) reply.header('content-encoding', 'gzip').send(page.gzip);
  else reply.send(page.plain);
}

function acceptsGzip({ 'accept-encoding': accepted = '' }: IncomingHttpHeaders): boolean {
  return /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i.test(String(accepted));
}
