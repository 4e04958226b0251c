/** The body of a request: its bytes, and its format according to Content-Type. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { RequestError } from '../errors.ts';
import { type Latin1Bytes, latin1FromBuffer } from '../response/latin1-bytes.ts';

export const MAX_BODY_BYTES = 16 * 1024;

/** Reading a chunk costs microseconds, whatever its length. */
const MAX_CHUNKS = 1024;
const TOO_MANY_CHUNKS = `the body comes in more than ${MAX_CHUNKS} chunks; send it with a Content-Length`;

export interface RequestBody {
  readonly format: 'form' | 'json';
  readonly bytes: Latin1Bytes;
}

const FORMATS: ReadonlyMap<string, RequestBody['format']> = new Map([
  ['application/x-www-form-urlencoded', 'form'],
  ['application/json', 'json'],
]);

/** Calls `done` with the whole body or the reason to refuse it; never, if the client goes away. */
export function readBody(request: IncomingMessage, done: (body: Buffer | RequestError) => void): void {
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) {
    done(new RequestError('body_too_large'));
    return;
  }
  let body: Buffer | undefined;
  let length = 0;
  let chunks = 0;
  const finish = (result: Buffer | RequestError) => {
    request.off('data', onData).off('end', onEnd);
    done(result);
  };
  const onData = (chunk: Buffer) => {
    if (length + chunk.length > MAX_BODY_BYTES) return finish(new RequestError('body_too_large'));
    if (++chunks > MAX_CHUNKS) return finish(new RequestError('bad_request', { message: TOO_MANY_CHUNKS }));
    if (chunks === 1) {
      body = chunk;
    } else {
      // copied: a chunk may hold a single byte, and its Buffer takes hundreds
      if (chunks === 2) body = Buffer.concat([body!], MAX_BODY_BYTES);
      chunk.copy(body!, length);
    }
    length += chunk.length;
  };
  const onEnd = () => finish(body?.subarray(0, length) ?? Buffer.alloc(0));
  if (request.headers['transfer-encoding'] !== undefined) stopBuffering(request);
  request.on('data', onData).on('end', onEnd);
}

/** Drops what still arrives of the body until the connection is closed. */
export function discardBody(request: IncomingMessage): void {
  stopBuffering(request);
  request.resume();
}

/** A stream that was never read buffers its chunks even if it has listeners. */
function stopBuffering(request: IncomingMessage): void {
  request.read(0);
}

/** Whether more of the body may follow than is worth reading to reuse the connection. */
export function hasLargeUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > MAX_BODY_BYTES;
}

export function parseBody(headers: IncomingHttpHeaders, bytes: Buffer): RequestBody | undefined {
  const format = bodyFormat(headers);
  if (format !== undefined) return { format, bytes: latin1FromBuffer(bytes) };
  // an empty body may have any type: browsers label it text/plain
  if (bytes.length === 0) return undefined;
  if (headers['content-type'] === undefined)
    throw new RequestError('unsupported_media_type', { message: TYPE_MISSING });
  throw new RequestError('unsupported_media_type');
}

const TYPE_MISSING =
  'the body has no Content-Type; send application/x-www-form-urlencoded, or application/json for a JSON object';

/** Undefined for another type, a compressed body or another character set. */
function bodyFormat(headers: IncomingHttpHeaders): RequestBody['format'] | undefined {
  const { 'content-type': type = '', 'content-encoding': encoding } = headers;
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return undefined;
  const known = FORMATS.get(type);
  if (known !== undefined) return known;
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1] ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset)) return undefined;
  return FORMATS.get(type.split(';', 1)[0]!.trim().toLowerCase());
}
