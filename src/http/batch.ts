/**
 * The endpoint `batch`: up to 1,000 calls as the lines of an NDJSON body, with one line of the response for each,
 * in order. The calls are admitted together or not at all. Then they go through the queue of all calls one by
 * one, as those of a client that waits for each response, so that no batch holds up other clients. While the client
 * does not read, its batch waits.
 */
import { admit, type Caller, maxCallsAtOnce, validKeyOf } from './admission.ts';
import { type EndpointSettings, endpointResponse } from './api-handler.ts';
import type { AppOptions } from './app.ts';
import { type Call, type CallSettings, type ComputedResponse, checkCapacity } from './call-handler.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import { RequestError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { BATCH_PATH, hasNdjsonBody, MAX_BATCH_BYTES, readBody } from './request/body.ts';
import type { Route } from './request-listener.ts';
import { type ByteString, byteStringFrom } from './response/json-writer.ts';
import { formatError, sendError, startStream } from './response/send.ts';

export const MAX_BATCH_LINES = 1000;
export const NDJSON_TYPE = 'application/x-ndjson';
/** Maximum batches at once per thread, because of the memory of their bodies. */
export const MAX_OPEN_BATCHES = 32;

const EMPTY = Buffer.alloc(0);

type BatchSettings = CallSettings & EndpointSettings & Pick<AppOptions, 'metrics'>;

type Batch = Pick<Call, 'exchange' | 'caller'> & { readonly lines: readonly ByteString[] };

export function batchRoute(settings: BatchSettings): Route {
  let openBatches = 0;
  const handle = (exchange: Exchange) => {
    exchange.endpoint = 'batch';
    checkCapacity(settings, exchange);
    /** Counts one call. The error of its admission, such as that of the key, comes first. */
    const refuse = (error: RequestError) =>
      admit(settings, exchange, (caller) => sendError(exchange, caller instanceof Error ? caller : error));
    const key = validKeyOf(settings, exchange);
    if (!key?.batch) return refuse(new RequestError('batch_not_allowed'));
    if (!hasNdjsonBody(exchange.request.headers)) {
      const message = `Content-Type must be ${NDJSON_TYPE}, in UTF-8: a JSON object on each line`;
      return refuse(new RequestError('unsupported_media_type', { message }));
    }
    if (openBatches === MAX_OPEN_BATCHES) throw new RequestError('overloaded');
    openBatches++;
    exchange.response.once('close', () => openBatches--);
    const answer = (bytes: Buffer | RequestError) => {
      const lines = bytes instanceof RequestError ? bytes : splitLines(bytes, maxCallsAtOnce(settings, key));
      if (lines instanceof RequestError) return refuse(lines);
      const next = (caller: Caller | Error) =>
        caller instanceof Error ? sendError(exchange, caller) : answerLines({ exchange, caller, lines }, settings);
      admit(settings, exchange, next, lines.length);
    };
    readBody(exchange.request, answer, MAX_BATCH_BYTES);
  };
  return { method: 'POST', path: BATCH_PATH, handle };
}

/** The line break after the last line may be missing. */
function splitLines(bytes: Buffer, maxCalls: number): ByteString[] | RequestError {
  const lines = byteStringFrom(bytes)
    .replace(/\r?\n$/, '')
    .split('\n') as ByteString[];
  if (lines.length === 1 && lines[0]?.trim() === '') {
    return new RequestError('invalid_body', { message: 'the batch is empty; send a line such as {"query": "paris"}' });
  }
  const max = Math.min(MAX_BATCH_LINES, maxCalls);
  if (lines.length <= max) return lines;
  const reason = max < MAX_BATCH_LINES ? ', because each counts as a call and the limit of the key is so low' : '';
  const message = `a batch may have at most ${max} lines here${reason}; got ${lines.length}: send it in parts`;
  return new RequestError('body_too_large', { message });
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
    const endpoint = endpointOf(line);
    const respond = () => {
      if (endpoint instanceof Error) throw endpoint;
      return endpointResponse(endpoint, { exchange, caller, body: { format: 'json', byteString: line } }, settings);
    };
    const send = (computed: ComputedResponse) => {
      if (response.destroyed) return; // the client has gone
      const { status, body } =
        computed instanceof Error ? formatError(exchange, computed) : { status: 200, body: computed };
      const name = endpoint instanceof Error ? exchange.endpoint : endpoint.name;
      settings.metrics?.onResponse(name, status, (performance.now() - sinceMs) / 1000);
      response.emit('progress');
      if (response.write(`${body}\n`, 'latin1')) next();
      else response.once('drain', next);
    };
    settings.queue.add({ exchange, caller, bodyBytes: EMPTY, respond, send, sinceMs });
  };
  startStream(exchange, NDJSON_TYPE);
  next();
}

/** Which endpoint a line calls, by its options. */
function endpointOf(line: ByteString): Endpoint | RequestError {
  let options: unknown;
  try {
    options = JSON.parse(line);
  } catch {
    // the same error as for other values
  }
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const message = 'the line must be a JSON object of options such as {"query": "paris"}';
    return new RequestError('invalid_body', { message });
  }
  // `aroundLatLng` is an option of a search, too
  const name = (['objectID', 'query', 'aroundLatLng'] as const).find((option) => Object.hasOwn(options, option));
  const message = 'a line needs query for a search, aroundLatLng for a reverse lookup, or objectID for a record';
  return ENDPOINTS.find(({ mainOption }) => mainOption === name) ?? new RequestError('missing_option', { message });
}
