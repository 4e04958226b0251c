/**
 * Entry point of every request: finds its route and calls the handler. Requests without a route get
 * 404, 405 or the response to a CORS preflight.
 */
import type { IncomingMessage, RequestListener } from 'node:http';
import { maskKeysInPath } from '../access/keys/key-text.ts';
import { preflightHeaders } from './cors.ts';
import { RequestError } from './errors.ts';
import { createExchange, decodePath, type Exchange, type RequestLog } from './exchange.ts';
import type { CacheCounts } from './response/response-cache.ts';
import { sendError, sendResponse } from './response/send.ts';

export interface Route {
  /** A GET route also accepts HEAD. */
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Sends the response, now or later. If it throws, the error is sent as the response. */
  readonly handle: (exchange: Exchange) => void;
}

export interface AppMetrics {
  /** `endpoint` is `query`, `id`, `reverse` or `other`. */
  onResponse(endpoint: string, status: number, seconds: number): void;
  /** Hits and misses, which the response cache counts itself. */
  readonly cache?: CacheCounts;
}

export interface ListenerSettings {
  readonly keyHeader: string;
  readonly log: RequestLog;
  readonly metrics?: AppMetrics | undefined;
}

export function createRequestListener(routes: readonly Route[], settings: ListenerSettings): RequestListener {
  const routesByPath = Map.groupBy(routes, ({ path }) => path);
  return (request, response) => {
    const exchange = createExchange(request, response, settings.log);
    response.once('finish', () => recordResponse(exchange, settings));
    try {
      if (hasUnknownExpectation(request)) throw new RequestError('expectation_failed');
      const pathRoutes = routesByPath.get(decodePath(exchange.path));
      if (pathRoutes === undefined) throw new RequestError('not_found');
      const route = pathRoutes.find(({ method }) => acceptsMethod(method, request.method));
      if (route === undefined) handleOtherMethod(exchange, pathRoutes, settings.keyHeader);
      else route.handle(exchange);
    } catch (error) {
      sendError(exchange, error);
    }
  };
}

function acceptsMethod(method: Route['method'], requested: string | undefined): boolean {
  return requested === method || (method === 'GET' && requested === 'HEAD');
}

/** Sends the preflight response for OPTIONS; throws `method_not_allowed` for any other method. */
function handleOtherMethod(exchange: Exchange, routes: readonly Route[], keyHeader: string): void {
  const methods = routes.map(({ method }) => (method === 'GET' ? 'GET, HEAD' : method));
  const allow = [...methods, 'OPTIONS'].join(', ');
  const { method } = exchange.request;
  if (method === 'OPTIONS') {
    sendResponse(exchange, { status: 204, headers: preflightHeaders(allow, keyHeader) });
    return;
  }
  exchange.headers.push('allow', allow);
  throw new RequestError('method_not_allowed', { message: `${method} is not supported here; use ${allow}` });
}

/** Node itself handles `100-continue`. HTTP/1.0 has no expectations. */
function hasUnknownExpectation({ headers: { expect }, httpVersion }: IncomingMessage): boolean {
  return expect !== undefined && httpVersion === '1.1' && !/^\s*100-continue\s*$/i.test(expect);
}

/** Logs neither query string nor headers, so that search terms and keys stay out of the log. */
function recordResponse(exchange: Exchange, { log, metrics }: ListenerSettings): void {
  const { id: reqId, path, request, response, keyId } = exchange;
  const elapsedMs = performance.now() - exchange.startedMs;
  if (log.isLevelEnabled('info')) {
    const ms = Math.round(elapsedMs * 1000) / 1000;
    const { method } = request;
    log.info({ reqId, method, path: maskKeysInPath(path), status: response.statusCode, ms, keyId }, 'answered');
  }
  metrics?.onResponse(exchange.endpoint, response.statusCode, elapsedMs / 1000);
}
