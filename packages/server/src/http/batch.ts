/**
 * The endpoint `batch`: up to 1,000 calls as the lines of an NDJSON body, with one line of the response for each,
 * in order. The calls are admitted together or not at all. Then they go through the queue of all calls one by
 * one, as those of a client that waits for each response, so that no batch holds up other clients. While the client
 * does not read, its batch waits.
 */
import type { ServerResponse } from 'node:http';
import { limitGroup } from 'toponym-access/address';
import { admit, type Caller, callerOf, maxCallsAtOnce } from './admission.ts';
import { type EndpointSettings, endpointResponse } from './api-handler.ts';
import { type Call, type CallSettings, type ComputedResponse, checkCapacity, toHttpResponse } from './call-handler.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import { RequestError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import {
  BATCH_PATH,
  EMPTY_BODY,
  hasNdjsonBody,
  MAX_BATCH_BYTES,
  MAX_BODY_BYTES,
  type RequestBody,
  readBody,
} from './request/body.ts';
import { readJson } from './request/option-pairs.ts';
import type { ListenerOptions, Route } from './request-listener.ts';
import { type ByteString, byteStringFrom } from './response/json-writer.ts';
import { formatError, sendError, startStream } from './response/send.ts';

export const MAX_BATCH_LINES = 1000;
export const NDJSON_TYPE = 'application/x-ndjson';
/** Maximum batches at once per thread, because of the memory of their bodies. */
const MAX_OPEN_BATCHES = 32;
/** Maximum of these per key and address, so that no caller keeps others out. */
export const MAX_OPEN_BATCHES_PER_CALLER = 8;
/** Half of what a slow mobile connection sends (64 kbit/s). */
const MIN_BYTES_PER_SECOND = 4 * 1024;
const LINE_FEED = 10;

type BatchSettings = CallSettings & EndpointSettings & Pick<ListenerOptions, 'metrics'>;

type Batch = Pick<Call, 'exchange' | 'caller'> & { readonly lines: readonly ByteString[] };

export function batchRoute(settings: BatchSettings): Route {
  const openBatches = new OpenBatches();
  const handle = (exchange: Exchange) => {
    checkCapacity(settings, exchange);
    /** Counts one call. The error of its admission, such as that of the key, comes first. */
    const refuse = (error: RequestError) =>
      admit(settings, exchange, {}, (caller) => sendError(exchange, caller instanceof Error ? caller : error));
    const sender = callerOf(settings, exchange);
    if (!sender?.key.batch) return refuse(new RequestError('batch_not_allowed'));
    if (!hasNdjsonBody(exchange.request.headers)) {
      const message = `Content-Type must be ${NDJSON_TYPE}, in UTF-8: a JSON object on each line`;
      return refuse(new RequestError('unsupported_media_type', message));
    }
    const { key, address } = sender;
    const onStart = () => openBatches.open(`${key.id} ${limitGroup(address)}`, exchange.response);
    const answer = (bytes: Buffer | RequestError) => {
      if (bytes instanceof RequestError && bytes.code === 'overloaded') return sendError(exchange, bytes);
      const lines = bytes instanceof RequestError ? bytes : splitLines(bytes, maxCallsAtOnce(settings, key));
      if (lines instanceof RequestError) return refuse(lines);
      const next = (caller: Caller | Error) =>
        caller instanceof Error ? sendError(exchange, caller) : answerLines({ exchange, caller, lines }, settings);
      admit(settings, exchange, { calls: lines.length }, next);
    };
    readBody(exchange.request, answer, { maxBytes: MAX_BATCH_BYTES, onStart, minBytesPerSecond: MIN_BYTES_PER_SECOND });
  };
  return { method: 'POST', path: BATCH_PATH, endpoint: 'batch', handle };
}

/** Counts batches from the first bytes of their body to the end of their response. */
class OpenBatches {
  #count = 0;
  readonly #byCaller = new Map<string, number>();

  /** Returns the error for a batch that there is no room for. */
  open(caller: string, response: ServerResponse): RequestError | undefined {
    const ofCaller = this.#byCaller.get(caller) ?? 0;
    if (ofCaller === MAX_OPEN_BATCHES_PER_CALLER) {
      const message = `${ofCaller} batches of this key and address are open; send the next one when one of them has ended`;
      return new RequestError('overloaded', message);
    }
    if (this.#count === MAX_OPEN_BATCHES) return new RequestError('overloaded');
    this.#add(caller, 1);
    response.once('close', () => this.#add(caller, -1));
    return undefined;
  }

  #add(caller: string, batches: number): void {
    this.#count += batches;
    const ofCaller = (this.#byCaller.get(caller) ?? 0) + batches;
    if (ofCaller === 0) this.#byCaller.delete(caller);
    else this.#byCaller.set(caller, ofCaller);
  }
}

/** The line break after the last line may be missing. */
function splitLines(bytes: Buffer, maxCalls: number): ByteString[] | RequestError {
  const text = byteStringFrom(bytes.at(-1) === LINE_FEED ? bytes.subarray(0, -1) : bytes);
  const max = Math.min(MAX_BATCH_LINES, maxCalls);
  const lines = text.split('\n', MAX_BATCH_LINES + 1) as ByteString[];
  if (lines.length === 1 && lines[0]?.trim() === '') {
    return new RequestError('invalid_body', 'the batch is empty; send a line such as {"query": "paris"}');
  }
  if (lines.length <= max) return lines;
  const reason = max < MAX_BATCH_LINES ? ', because each counts as a call and the limit of the key is so low' : '';
  const got = lines.length > MAX_BATCH_LINES ? 'more' : lines.length;
  const message = `a batch may have at most ${max} lines here${reason}; got ${got}: send it in parts`;
  return new RequestError('body_too_large', message);
}

function answerLines({ exchange, caller, lines }: Batch, settings: BatchSettings): void {
  const { response } = exchange;
  let nextLine = 0;
  const next = () => {
    const line = lines[nextLine++];
    if (line === undefined) response.end();
    else if (!response.destroyed) answerLine(line);
  };
  const answerLine = (line: ByteString) => {
    const sinceMs = performance.now();
    let name = 'batch';
    const respond = () => {
      const { endpoint, body } = readLine(line);
      name = endpoint.name;
      return endpointResponse(endpoint, { exchange, caller, body }, settings);
    };
    const send = (computed: ComputedResponse) => {
      if (response.destroyed) return; // the client has gone
      const { status, body } = computed instanceof Error ? formatError(exchange, computed) : toHttpResponse(computed);
      settings.metrics?.onResponse(name, status, (performance.now() - sinceMs) / 1000);
      response.emit('progress');
      if (response.write(`${body}\n`, 'latin1')) next();
      else response.once('drain', next);
    };
    settings.queue.add({ exchange, caller, bodyBytes: EMPTY_BODY, respond, send, sinceMs });
  };
  startStream(exchange, NDJSON_TYPE);
  next();
}

/** Reads a line, and finds the endpoint that it calls, by its options. Throws RequestError. */
function readLine(line: ByteString): { endpoint: Endpoint; body: RequestBody } {
  if (line.length > MAX_BODY_BYTES) {
    const message = `a line must not be larger than ${MAX_BODY_BYTES / 1024} KiB, got ${line.length} bytes`;
    throw new RequestError('body_too_large', message);
  }
  const pairs = [...readJson(line, 'line')];
  // `aroundLatLng` is an option of a search, too
  const main = (['objectID', 'query', 'aroundLatLng'] as const).find((option) =>
    pairs.some(([name]) => name === option),
  );
  const endpoint = ENDPOINTS.find(({ mainOption }) => mainOption === main);
  if (endpoint !== undefined) return { endpoint, body: { format: 'json', byteString: line, pairs } };
  const message = 'a line needs query for a search, aroundLatLng for a reverse lookup, or objectID for a record';
  throw new RequestError('missing_option', message);
}
