/**
 * The body of a request, byte for byte, and how to read it, by Content-Type; reading it waits for the endpoint, which knows
 * its options. It is taken off Node's request: mostly it came with the head, and is there when somebody asks for it, so that
 * nobody has to listen for it.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { RequestError } from '../errors.ts';
import type { ByteText } from '../response/json-bytes.ts';

export const MAX_BODY_BYTES = 16 * 1024;

/** Reading a chunk costs microseconds, whatever its length. */
const MAX_CHUNKS = 1024;
const TOO_MANY_CHUNKS = `the body comes in more than ${MAX_CHUNKS} chunks; send it with a Content-Length`;

export interface RawBody {
  readonly format: 'form' | 'json';
  readonly bytes: ByteText;
}

const FORMATS: ReadonlyMap<string, RawBody['format']> = new Map([
  ['application/x-www-form-urlencoded', 'form'],
  ['application/json', 'json'],
]);
const NOTHING = Buffer.alloc(0);

/** Undefined where it has not come whole yet. Requests of Fastify's `inject` never say that they have. */
export function bytesIfWhole(request: IncomingMessage): Buffer | undefined {
  if (!request.complete) return undefined;
  return (request.read() as Buffer | null) ?? NOTHING;
}

/** Calls back once it came whole, or is too large; not at all if the client goes away. */
export function waitForBytes(request: IncomingMessage, done: (result: Buffer | RequestError) => void): void {
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) {
    done(new RequestError('body_too_large'));
    return;
  }
  // copied as they come: a chunk may be a byte long, and then its Buffer takes hundreds
  const bytes = Buffer.allocUnsafe(MAX_BODY_BYTES);
  let length = 0;
  let chunks = 0;
  const finish = (result: Buffer | RequestError) => {
    request.off('data', take).off('end', end);
    done(result);
  };
  const take = (chunk: Buffer) => {
    if (length + chunk.length > MAX_BODY_BYTES) finish(new RequestError('body_too_large'));
    else if (++chunks > MAX_CHUNKS) finish(new RequestError('bad_request', { message: TOO_MANY_CHUNKS }));
    else length += chunk.copy(bytes, length);
  };
  const end = () => finish(bytes.subarray(0, length));
  handOverAtOnce(request);
  request.on('data', take).on('end', end);
}

/** Drops the body as it comes, where the response does not need it. */
export function discardBody(request: IncomingMessage): void {
  handOverAtOnce(request);
  request.resume();
}

/** Until it was read once, a stream collects chunks even if somebody listens for them. */
function handOverAtOnce(request: IncomingMessage): void {
  request.read(0);
}

/** Whether more body may follow than is worth reading before the connection is used again. */
export function hasLargeUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > MAX_BODY_BYTES;
}

export function bodyOf(headers: IncomingHttpHeaders, bytes: Buffer): RawBody | undefined {
  if (bytes.length > MAX_BODY_BYTES) throw new RequestError('body_too_large');
  const format = formatOf(headers);
  if (format !== undefined) return { format, bytes: bytes.toString('latin1') };
  // the type of nothing does not matter: browsers label empty bodies text/plain
  if (bytes.length === 0) return undefined;
  if (headers['content-type'] === undefined)
    throw new RequestError('unsupported_media_type', { message: TYPE_MISSING });
  throw new RequestError('unsupported_media_type');
}

const TYPE_MISSING =
  'the body has no Content-Type; send application/x-www-form-urlencoded, or application/json for a JSON object';

/** Undefined where it is none of ours, compressed or in another character set. */
function formatOf(headers: IncomingHttpHeaders): RawBody['format'] | undefined {
  const { 'content-type': type = '', 'content-encoding': encoding } = headers;
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return undefined;
  const plain = FORMATS.get(type);
  if (plain !== undefined) return plain;
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1] ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset)) return undefined;
  return FORMATS.get(type.split(';', 1)[0]!.trim().toLowerCase());
}
