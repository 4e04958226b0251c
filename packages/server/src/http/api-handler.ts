/** The endpoints query, id and reverse as routes. A response is computed or taken from the cache. */
import type { Engine } from 'toponym-engine/engine';
import type { Call, HandleCall } from './call-handler.ts';
import { ENDPOINTS, type Endpoint, type LocateIpAddress } from './endpoints.ts';
import { elapsedMs } from './exchange.ts';
import { type RequestBody, toRequestBody } from './request/body.ts';
import { readOptions } from './request/read-options.ts';
import type { Route } from './request-listener.ts';
import type { ByteString } from './response/json-writer.ts';
import { createCacheKey, isCacheable, type ResponseCache, withProcessingTime } from './response/response-cache.ts';

export const API_PREFIX = '/api/1/';

/** What finds places. */
export interface PlaceSources {
  /** Returns the current engine. Called for every request, because new data replaces the engine. */
  readonly engine: () => Engine;
  readonly locate: LocateIpAddress;
}

export interface EndpointSettings extends PlaceSources {
  readonly cache: ResponseCache;
}

interface ApiSettings extends EndpointSettings {
  readonly handleCall: HandleCall;
}

export function apiRoutes(settings: ApiSettings): Route[] {
  return ENDPOINTS.map((endpoint) => {
    const respond = ({ exchange, caller, bodyBytes }: Call) => {
      const body = toRequestBody(exchange.request.headers, bodyBytes);
      return endpointResponse(endpoint, { exchange, caller, body }, settings);
    };
    return {
      method: 'POST',
      path: API_PREFIX + endpoint.name,
      endpoint: endpoint.name,
      handle: (exchange) => settings.handleCall(exchange, respond),
    };
  });
}

/** Throws RequestError. */
export function endpointResponse(
  endpoint: Endpoint,
  { exchange, caller, body }: Pick<Call, 'exchange' | 'caller'> & { readonly body: RequestBody | undefined },
  settings: EndpointSettings,
): ByteString {
  const startedMs = performance.now();
  const { cache } = settings;
  const { maxRecords } = caller.key;
  const { queryString } = exchange;
  const engine = settings.engine();
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
}
