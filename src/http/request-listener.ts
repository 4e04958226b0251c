/**
 * The start of every request: finds its route and calls the handler. Requests without a route get 404, 405 or the
 * response to a CORS preflight here.
 */
import type { IncomingMessage, RequestListener } from 'node:http';
import { maskKeysInPath } from '../access/keys/key-text.ts';
import { preflightHeaders } from './cors.ts';
import { RequestError } from './errors.ts';
import { decodePath, type Exchange, openExchange, type RequestLog } from './exchange.ts';
import type { CacheCounts } from './response/response-cache.ts';
import { sendError, sendResponse } from './response/send.ts';

export interface Route {
  /** A GET route also takes HEAD. */
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Sends the response, now or later. An error it throws is sent as an error response. */
  readonly handle: (exchange: Exchange) => void;
}

export interface AppMetrics {
  /** `endpoint` is `query`, `id`, `reverse` or `other`. */
  onResponse(endpoint: string, status: number, seconds: number): void;
  /** Incremented by the response cache. */
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
    const exchange = openExchange(request, response, settings.log);
    response.once('finish', () => recordResponse(exchange, settings));
    try {
      if (hasUnknownExpectation(request)) throw new RequestError('expectation_failed');
      const candidates = routesByPath.get(decodePath(exchange.path));
      if (candidates === undefined) throw new RequestError('not_found');
      const route = candidates.find(({ method }) => takesMethod(method, request.method));
      if (route === undefined) sendAllowedMethods(exchange, candidates, settings.keyHeader);
      else route.handle(exchange);
    } catch (error) {
      sendError(exchange, error);
    }
  };
}

function takesMethod(method: Route['method'], requested: string | undefined): boolean {
  return requested === method || (method === 'GET' && requested === 'HEAD');
}

function sendAllowedMethods(exchange: Exchange, routes: readonly Route[], keyHeader: string): void {
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

/** Logs the path without its query string, and no headers: search terms and keys stay out of the log. */
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
