/**
 * Takes request bodies off the wire, byte for byte. How to read them is decided here by Content-Type; reading them waits
 * for the endpoint, which knows its options.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RequestError } from './errors.ts';
import type { RawBody } from './request-options.ts';

const FORMATS: Readonly<Record<string, RawBody['format']>> = {
  'application/x-www-form-urlencoded': 'form',
  'application/json': 'json',
};

export function registerBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  for (const [mediaType, format] of Object.entries(FORMATS)) {
    app.addContentTypeParser<Buffer>(mediaType, { parseAs: 'buffer' }, (request, bytes, done) => {
      if (isPlainUtf8(request)) done(null, { format, bytes: bytes.toString('latin1') } satisfies RawBody);
      else done(new RequestError('unsupported_media_type'));
    });
  }
  // The type of nothing does not matter: browsers label empty bodies text/plain.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => {
    if (bytes.length === 0) done(null, undefined);
    else done(new RequestError('unsupported_media_type'));
  });
}

/** Neither compressed nor in another character set. */
function isPlainUtf8({ headers }: FastifyRequest): boolean {
  if (headers['content-encoding'] === undefined && !headers['content-type']?.includes(';')) return true;
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1];
  const encoding = headers['content-encoding'] ?? 'identity';
  return (charset === undefined || /^utf-?8$/i.test(charset)) && encoding.toLowerCase() === 'identity';
}
