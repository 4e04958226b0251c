/**
 * Handles calls, which are requests to the endpoints query, id and reverse. A call is admitted by
 * rate limit and API key, its body is read, and the call is added to a queue (call-queue.ts), which
 * computes and sends the responses at the end of the tick (turn of the event loop). Admission comes
 * before reading the body, so that a refused call costs little, and so that 429, 401 and 403 take
 * precedence over errors in the body.
 */
import type { Engine } from '../engine/engine.ts';
import { type AdmissionRules, admit, type Caller } from './admission.ts';
import { CallQueue } from './call-queue.ts';
import { elapsedMs } from './elapsed-ms.ts';
import { ENDPOINTS, type Endpoint, type LocateIpAddress } from './endpoints.ts';
import { RequestError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { readBody, toRequestBody } from './request/body.ts';
import { readOptions } from './request/read-options.ts';
import type { Route } from './request-listener.ts';
import type { ByteString } from './response/byte-string.ts';
import { createCacheKey, isCacheable, type ResponseCache, withProcessingTime } from './response/response-cache.ts';
import { JSON_TYPE, sendError, sendResponse } from './response/send.ts';

export const API_PREFIX = '/api/1/';

export interface ApiSettings extends AdmissionRules {
  /** Returns the current engine; new data replaces it between two calls. */
  readonly engine: () => Engine;
  readonly locate: LocateIpAddress;
  /** Whether the service is shutting down. */
  readonly isDraining: () => boolean;
  readonly isOverloaded: () => boolean;
  readonly cache: ResponseCache;
}

/** An admitted call with its complete body. */
interface Call {
  readonly endpoint: Endpoint;
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly bodyBytes: Buffer;
}

/** The body of a successful response, or the error to send. */
type ComputedResponse = ByteString | Error;

export function apiRoutes(settings: ApiSettings): Route[] {
  const queue = new CallQueue<Call, ComputedResponse>({
    connectionOf: ({ exchange }) => exchange.request.socket,
    compute: (call) => computeResponse(call, settings),
    send: ({ exchange }, response) => sendComputed(exchange, response),
  });
  return ENDPOINTS.map((endpoint) => ({
    method: 'POST',
    path: API_PREFIX + endpoint.name,
    handle: (exchange) => {
      exchange.endpoint = endpoint.name;
      if (settings.isDraining()) throw new RequestError('draining');
      if (settings.isOverloaded()) throw new RequestError('overloaded');
      const caller = admit(settings, exchange);
      readBody(exchange.request, (bytesOrError) => {
        if (bytesOrError instanceof RequestError) sendError(exchange, bytesOrError);
        else queue.add({ endpoint, exchange, caller, bodyBytes: bytesOrError });
      });
    },
  }));
}

/**
 * Computes a response, or takes it from the cache, which serves only the endpoint `query`. Returns
 * errors instead of throwing them: see CallSteps in call-queue.ts.
 */
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

/**
 * Must not throw: see CallSteps in call-queue.ts. If sending fails, `sendError` sends an error, or
 * closes the connection if the response has begun.
 */
function sendComputed(exchange: Exchange, response: ComputedResponse): void {
  try {
    if (response instanceof Error) sendError(exchange, response);
    else sendResponse(exchange, { status: 200, contentType: JSON_TYPE, body: response });
  } catch (error) {
    sendError(exchange, error);
  }
}
