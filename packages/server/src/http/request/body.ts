/** The body of a request: its bytes, and its format according to Content-Type. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { RequestError } from '../errors.ts';
import { type ByteString, byteStringFrom } from '../response/json-writer.ts';
import type { JsonScalar } from './option-pairs.ts';

export const MAX_BODY_BYTES = 16 * 1024;
export const MAX_BATCH_BYTES = 512 * 1024;
export const BATCH_PATH = '/api/1/batch';

/** Maximum chunks of a body. Each costs microseconds, whatever its length. */
const MAX_CHUNKS = 1024;
/** Maximum of a body to discard before the connection is reset. */
const MAX_DISCARDED_BYTES = 1024 * 1024;
export const EMPTY_BODY = Buffer.alloc(0);
const TOO_MANY_CHUNKS = `the body comes in more than ${MAX_CHUNKS} chunks; send it with a Content-Length`;

export interface RequestBody {
  readonly format: 'form' | 'json';
  readonly byteString: ByteString;
  /** The options of a JSON body that has been parsed. */
  readonly pairs?: readonly (readonly [name: string, value: JsonScalar])[];
}

interface BodyRules {
  /** MAX_BODY_BYTES by default. */
  readonly maxBytes?: number;
  /** Called when the first bytes arrive. A returned error ends the reading. */
  readonly onStart?: () => RequestError | undefined;
  /** Bytes that must arrive per second, after the first SLOW_SECONDS. */
  readonly minBytesPerSecond?: number;
}

const FORMATS: ReadonlyMap<string, RequestBody['format'] | 'ndjson'> = new Map([
  ['application/x-www-form-urlencoded', 'form'],
  ['application/json', 'json'],
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
  ['application/jsonl', 'ndjson'],
]);

/** Seconds until a body must keep its pace. */
const SLOW_SECONDS = 2;
const TOO_SLOW = 'the body arrives too slowly; send it faster, or in smaller parts';

type BodyOrError = Buffer | RequestError;

/** A body that is read before its request starts: what was read, or who waits for it. */
interface EarlyBody {
  result?: BodyOrError;
  done?: (result: BodyOrError) => void;
}

const earlyBodies = new WeakMap<IncomingMessage, EarlyBody>();
/** Requests whose bodies were too slow. The rest may never arrive. */
const slowRequests = new WeakSet<IncomingMessage>();

/**
 * Reads the chunked body of a request that has to wait. Node would store each chunk separately: 64 KB
 * of tiny chunks in 4 MB.
 */
export function readBodyEarly(request: IncomingMessage): void {
  const early: EarlyBody = {};
  const maxBytes = request.url?.split('?', 1)[0] === BATCH_PATH ? MAX_BATCH_BYTES : MAX_BODY_BYTES;
  const keep = (result: BodyOrError) => {
    early.result = result;
    if (result instanceof RequestError) discardRestOfBody(request);
    early.done?.(result);
  };
  readBody(request, keep, { maxBytes });
  earlyBodies.set(request, early);
}

/** Calls `done` with the whole body or an error, but not if the client disconnects. */
export function readBody(
  request: IncomingMessage,
  done: (result: BodyOrError) => void,
  { maxBytes = MAX_BODY_BYTES, onStart, minBytesPerSecond }: BodyRules = {},
): void {
  const early = earlyBodies.get(request);
  if (early !== undefined) {
    const refusal = onStart?.();
    if (refusal !== undefined) done(refusal);
    else if (early.result === undefined) early.done = done;
    else done(early.result);
    return;
  }
  const tooLarge = () =>
    new RequestError('body_too_large', `the request body must not be larger than ${maxBytes / 1024} KiB`);
  if (Number(request.headers['content-length']) > maxBytes) {
    done(tooLarge());
    return;
  }
  let body: Buffer = EMPTY_BODY;
  let length = 0;
  let chunks = 0;
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    request.off('data', onData).off('end', onEnd).off('close', stop);
  };
  const finish = (result: BodyOrError) => {
    stop();
    done(result);
  };
  const onData = (chunk: Buffer) => {
    const refusal = chunks === 0 ? onStart?.() : undefined;
    if (refusal !== undefined) return finish(refusal);
    if (length + chunk.length > maxBytes) return finish(tooLarge());
    if (++chunks > MAX_CHUNKS) return finish(new RequestError('bad_request', TOO_MANY_CHUNKS));
    if (chunks === 1) {
      body = chunk;
    } else {
      // All chunks share one Buffer, because each Buffer takes hundreds of extra bytes.
      // `concat` pads it with zeros.
      const newLength = length + chunk.length;
      if (chunks === 2 || newLength > body.length) body = Buffer.concat([body], Math.min(2 * newLength, maxBytes));
      chunk.copy(body, length);
    }
    length += chunk.length;
  };
  const onEnd = () => finish(body.subarray(0, length));
  if (request.headers['transfer-encoding'] !== undefined) stopBuffering(request); // chunks may be tiny and many
  request.on('data', onData).on('end', onEnd);
  if (minBytesPerSecond === undefined) return;
  let seconds = 0;
  // after setImmediate, what has arrived while this thread was busy is counted
  const checkPace = () => {
    if (timer === undefined || length >= (++seconds - SLOW_SECONDS) * minBytesPerSecond) return;
    slowRequests.add(request);
    finish(new RequestError('request_timeout', TOO_SLOW));
  };
  timer = setInterval(() => setImmediate(checkPace), 1000).unref();
  request.on('close', stop);
}

/**
 * Discards the part of the body that arrives from now on, and whatever follows it: the connection must be
 * closed. Node's parser does not get it, because chunks may be tiny and many.
 */
export function discardRestOfBody(request: IncomingMessage): void {
  const { socket } = request;
  stopBuffering(request);
  request.resume(); // the parser still has the rest of what was read last
  const maxBytesRead = socket.bytesRead + MAX_DISCARDED_BYTES;
  socket.removeAllListeners('data').on('data', () => {
    if (socket.bytesRead > maxBytesRead) socket.destroy();
  });
}

/** Makes the stream emit chunks as they arrive instead of storing them. */
function stopBuffering(request: IncomingMessage): void {
  request.read(0);
}

/** Whether the body was discarded, or has not arrived in full and may be longer than MAX_BODY_BYTES. */
export function mayHaveLargeUnreadBody(request: IncomingMessage): boolean {
  const { complete, headers } = request;
  if (slowRequests.has(request)) return true;
  if (earlyBodies.get(request)?.result instanceof RequestError) return true;
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > MAX_BODY_BYTES;
}

/** Finds a body's format. Throws RequestError if the format of a non-empty body is unsupported. */
export function toRequestBody(headers: IncomingHttpHeaders, bytes: Buffer): RequestBody | undefined {
  const format = bodyFormat(headers);
  if (format === 'form' || format === 'json') return { format, byteString: byteStringFrom(bytes) };
  if (bytes.length === 0) return undefined; // browsers label an empty body text/plain
  throw new RequestError('unsupported_media_type', headers['content-type'] === undefined ? TYPE_MISSING : undefined);
}

const TYPE_MISSING =
  'the body has no Content-Type; send application/x-www-form-urlencoded, or application/json for a JSON object';

export function hasNdjsonBody(headers: IncomingHttpHeaders): boolean {
  return bodyFormat(headers) === 'ndjson';
}

function bodyFormat(headers: IncomingHttpHeaders): RequestBody['format'] | 'ndjson' | undefined {
  const { 'content-type': type = '', 'content-encoding': encoding } = headers;
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return undefined;
  const format = FORMATS.get(type);
  if (format !== undefined) return format; // the usual case: no parameters after the type
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1] ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset)) return undefined;
  return FORMATS.get(type.split(';', 1)[0]!.trim().toLowerCase());
}
