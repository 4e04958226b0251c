/** The body of a request: its bytes, and its format according to Content-Type. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { RequestError } from '../errors.ts';
import { type Latin1Bytes, latin1FromBuffer } from '../response/latin1-bytes.ts';

export const MAX_BODY_BYTES = 16 * 1024;

/** Maximum chunks of a body. Reading a chunk costs microseconds, whatever its length. */
const MAX_CHUNKS = 1024;
const EMPTY_BODY = Buffer.alloc(0);
const TOO_MANY_CHUNKS = `the body comes in more than ${MAX_CHUNKS} chunks; send it with a Content-Length`;

export interface RequestBody {
  readonly format: 'form' | 'json';
  readonly bytes: Latin1Bytes;
}

const FORMATS: ReadonlyMap<string, RequestBody['format']> = new Map([
  ['application/x-www-form-urlencoded', 'form'],
  ['application/json', 'json'],
]);

/** Calls `done` with the whole body or an error; never calls it if the client disconnects. */
export function readBody(request: IncomingMessage, done: (body: Buffer | RequestError) => void): void {
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) {
    done(new RequestError('body_too_large'));
    return;
  }
  let body: Buffer = EMPTY_BODY;
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
      // copies the chunks into one Buffer: a Buffer of a single byte takes hundreds of bytes
      if (chunks === 2) body = Buffer.concat([body], MAX_BODY_BYTES);
      chunk.copy(body, length);
    }
    length += chunk.length;
  };
  const onEnd = () => finish(body.subarray(0, length));
  if (request.headers['transfer-encoding'] !== undefined) stopBuffering(request);
  request.on('data', onData).on('end', onEnd);
}

/** Discards the part of the body that arrives from now on. */
export function discardRestOfBody(request: IncomingMessage): void {
  stopBuffering(request);
  request.resume();
}

/** Makes the stream pass chunks on at once. Before the first read, it buffers them. */
function stopBuffering(request: IncomingMessage): void {
  request.read(0);
}

/** Whether the rest of the body is too large to be read just to reuse the connection. */
export function hasLargeUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > MAX_BODY_BYTES;
}

/** Throws RequestError if the body is neither a form nor JSON, unless it is empty. */
export function toRequestBody(headers: IncomingHttpHeaders, bytes: Buffer): RequestBody | undefined {
  const format = bodyFormat(headers);
  if (format !== undefined) return { format, bytes: latin1FromBuffer(bytes) };
  // browsers label an empty body text/plain
  if (bytes.length === 0) return undefined;
  if (headers['content-type'] === undefined)
    throw new RequestError('unsupported_media_type', { message: TYPE_MISSING });
  throw new RequestError('unsupported_media_type');
}

const TYPE_MISSING =
  'the body has no Content-Type; send application/x-www-form-urlencoded, or application/json for a JSON object';

/** Undefined for other types, other character sets than UTF-8, and compressed bodies. */
function bodyFormat(headers: IncomingHttpHeaders): RequestBody['format'] | undefined {
  const { 'content-type': type = '', 'content-encoding': encoding } = headers;
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return undefined;
  const format = FORMATS.get(type);
  if (format !== undefined) return format;
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1] ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset)) return undefined;
  return FORMATS.get(type.split(';', 1)[0]!.trim().toLowerCase());
}
