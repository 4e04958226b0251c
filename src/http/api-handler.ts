/**
 * Handles calls, which are requests to the endpoints query, id and reverse. A call is admitted, its
 * body is read, and a queue answers it. Admission comes first, so that a refused call costs little.
 */
import { type AdmissionRules, admit, type Caller } from './admission.ts';
import type { AppOptions } from './app.ts';
import { CallQueue } from './call-queue.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import { RequestError } from './errors.ts';
import { type Exchange, elapsedMs } from './exchange.ts';
import { readBody, toRequestBody } from './request/body.ts';
import { readOptions } from './request/read-options.ts';
import type { Route } from './request-listener.ts';
import type { ByteString } from './response/json-writer.ts';
import { createCacheKey, isCacheable, type ResponseCache, withProcessingTime } from './response/response-cache.ts';
import { JSON_TYPE, sendError, sendResponse } from './response/send.ts';

export const API_PREFIX = '/api/1/';

interface ApiSettings extends AdmissionRules, Pick<AppOptions, 'engine' | 'locate'> {
  readonly isDraining: () => boolean;
  readonly cache: ResponseCache;
}

interface Call {
  readonly endpoint: Endpoint;
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly bodyBytes: Buffer;
  /** Start of the call's wait, as if it had waited in one line. Reading the body does not count. */
  readonly sinceMs: number;
}

/** The body of a successful response, or the error to send. */
type ComputedResponse = ByteString | Error;

export function apiRoutes(settings: ApiSettings): Route[] {
  const queue = new CallQueue<Call, ComputedResponse>({
    connectionOf: ({ exchange }) => exchange.request.socket,
    compute: (call) => computeResponse(call, settings),
    giveUp: () => new RequestError('overloaded'),
    send: ({ exchange }, response) => sendComputed(exchange, response),
  });
  return ENDPOINTS.map((endpoint) => ({
    method: 'POST',
    path: API_PREFIX + endpoint.name,
    handle: (exchange) => {
      exchange.endpoint = endpoint.name;
      if (settings.isDraining()) throw new RequestError('draining');
      if (exchange.wait.isOverdue) throw new RequestError('overloaded');
      admit(settings, exchange, (callerOrError) => {
        if (callerOrError instanceof Error) return sendError(exchange, callerOrError);
        readBody(exchange.request, (bytesOrError) => {
          if (bytesOrError instanceof RequestError) return sendError(exchange, bytesOrError);
          const sinceMs = performance.now() - exchange.wait.waitedMs;
          queue.add({ endpoint, exchange, caller: callerOrError, bodyBytes: bytesOrError, sinceMs });
        });
      });
    },
  }));
}

/** Computes a response or takes it from the cache. Must not throw, so it returns errors. */
function computeResponse({ endpoint, exchange, caller, bodyBytes }: Call, settings: ApiSettings): ComputedResponse {
  const startedMs = performance.now();
  const { cache } = settings;
  const { maxRecords } = caller.key;
  const { queryString } = exchange;
  try {
    const engine = settings.engine();
    const body = toRequestBody(exchange.request.headers, bodyBytes);
    const cacheKey = endpoint.name === 'query' ? createCacheKey(queryString, body, maxRecords) : undefined;
    const cached = cacheKey === undefined ? undefined : cache.find(cacheKey, engine.dataset);
    if (cached !== undefined) return withProcessingTime(cached, elapsedMs(startedMs));
    const options = readOptions(queryString, body, endpoint.options);
    const response = endpoint.respond(options, {
      engine,
      maxRecords,
      callerAddress: caller.address,
      locate: settings.locate,
    });
    if (cacheKey !== undefined && isCacheable(options)) cache.add(cacheKey, engine.dataset, response);
    return response;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error), { cause: error });
  }
}

/** Must not throw: the queue goes on to the next call. */
function sendComputed(exchange: Exchange, response: ComputedResponse): void {
  try {
    if (response instanceof Error) sendError(exchange, response);
    else sendResponse(exchange, { status: 200, contentType: JSON_TYPE, body: response });
  } catch (error) {
    sendError(exchange, error);
  }
}
