/**
 * Handles calls to the endpoints query, id and reverse: admits them, reads their bodies and queues
 * them in a TickBatch, which computes and sends the responses at the end of the event-loop tick.
 * Admission runs before the body is read, so that a call over the limit costs nothing more, and so
 * that 429 and 401 take precedence over errors in the body.
 */
import type { Engine } from '../engine/engine.ts';
import { type AdmissionRules, admit, type Caller } from './admission.ts';
import { ENDPOINTS, type Endpoint, elapsedMs, type LocateAddress } from './endpoints.ts';
import { RequestError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { parseBody, readBody } from './request/body.ts';
import { readOptions } from './request/request-options.ts';
import type { Route } from './request-listener.ts';
import type { Latin1Bytes } from './response/latin1-bytes.ts';
import { cacheKey, isCacheable, type ResponseCache, withProcessingTime } from './response/response-cache.ts';
import { JSON_TYPE, sendError, sendResponse } from './response/send.ts';
import { TickBatch } from './tick-batch.ts';

export const API_PREFIX = '/api/1/';

export interface ApiSettings extends AdmissionRules {
  readonly engine: () => Engine;
  readonly locate: LocateAddress;
  readonly isDraining: () => boolean;
  readonly isOverloaded: () => boolean;
  readonly cache: ResponseCache;
}

/** An admitted call with its complete body. */
interface Call {
  readonly endpoint: Endpoint;
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly body: Buffer;
}

export function apiRoutes(settings: ApiSettings): Route[] {
  const batch = new TickBatch<Call, Latin1Bytes | Error>({
    clientOf: ({ exchange }) => exchange.request.socket,
    compute: (call) => computeResponse(call, settings),
    send: sendResult,
  });
  return ENDPOINTS.map((endpoint) => ({
    method: 'POST',
    path: API_PREFIX + endpoint.name,
    handle: (exchange) => {
      exchange.endpoint = endpoint.name;
      const caller = admitCall(exchange, settings);
      readBody(exchange.request, (body) => {
        if (body instanceof RequestError) sendError(exchange, body);
        else batch.add({ endpoint, exchange, caller, body });
      });
    },
  }));
}

/** Throws RequestError if the call is not admitted. */
function admitCall(exchange: Exchange, settings: ApiSettings): Caller {
  if (settings.isDraining()) throw new RequestError('draining');
  if (settings.isOverloaded()) throw new RequestError('overloaded');
  const { headers, outcome } = admit(settings, exchange.request);
  exchange.headers.push(...headers);
  if (outcome instanceof RequestError) {
    if (outcome.code === 'key_missing' || outcome.code === 'key_unknown') {
      exchange.headers.push('www-authenticate', `ApiKey header="${settings.keyHeader}"`);
    }
    throw outcome;
  }
  exchange.keyId = outcome.key.id;
  return outcome;
}

function computeResponse({ endpoint, exchange, caller, body }: Call, settings: ApiSettings): Latin1Bytes | Error {
  const startedMs = performance.now();
  const { cache } = settings;
  const { maxRecords } = caller.key;
  try {
    const engine = settings.engine();
    const parsed = parseBody(exchange.request.headers, body);
    const responseKey = endpoint.name === 'query' ? cacheKey(exchange.queryString, parsed, maxRecords) : undefined;
    const cached = responseKey === undefined ? undefined : cache.find(responseKey, engine.dataset);
    if (cached !== undefined) return withProcessingTime(cached, elapsedMs(startedMs));
    const options = readOptions(exchange.queryString, parsed, endpoint.options);
    const response = endpoint.respond(options, {
      engine,
      maxRecords,
      callerAddress: caller.address,
      locate: settings.locate,
    });
    if (responseKey !== undefined && isCacheable(options)) cache.add(responseKey, engine.dataset, response);
    return response;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error), { cause: error });
  }
}

/** A response that cannot be sent must not affect the others in its batch. */
function sendResult({ exchange }: Call, result: Latin1Bytes | Error): void {
  try {
    if (result instanceof Error) sendError(exchange, result);
    else sendResponse(exchange, { status: 200, contentType: JSON_TYPE, body: result });
  } catch (error) {
    sendError(exchange, error);
  }
}
