/** Finds the route of every request, calls its handler, and logs and counts the response. */
import type { IncomingMessage } from 'node:http';
import { maskKeysInPath } from 'toponym-access/keys/key-text';
import type { AdmissionRules } from './admission.ts';
import type { HandleRequest } from './connections.ts';
import { quote, RequestError } from './errors.ts';
import {
  createExchange,
  decodePath,
  type Exchange,
  elapsedMs,
  NO_ROUTE,
  type RequestLog,
  type RouteFormat,
  traceIds,
} from './exchange.ts';
import { preflightHeaders } from './headers.ts';
import { sendError, sendResponse } from './response/send.ts';

export interface Route extends RouteFormat {
  /** A GET route also accepts HEAD. Node then leaves the body out. */
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Headers that web pages of other origins may send, apart from the usual ones. */
  readonly pageHeaders?: readonly string[];
  /** Sends the response, now or later. A thrown error is sent as the response. */
  readonly handle: (exchange: Exchange) => void;
}

/** Finds the routes of a request whose path is not in the list of routes. */
export type FindRoutes = (decodedPath: string, queryString: string) => readonly Route[] | undefined;

export interface ResponseMetrics {
  onResponse(endpoint: string, status: number, seconds: number): void;
}

/** Longer paths are cut in the log, because finding escaped keys in 15 KB takes milliseconds. */
const MAX_LOGGED_PATH = 1024;

export interface ListenerOptions {
  readonly log: RequestLog;
  readonly metrics?: ResponseMetrics;
  /** Value of the header of that name; undefined sends none. */
  readonly strictTransportSecurity?: () => string | undefined;
}

interface ListenerSettings extends ListenerOptions, Pick<AdmissionRules, 'keyHeader'> {
  readonly findRoutes?: FindRoutes | undefined;
}

export function createRequestListener(routes: readonly Route[], settings: ListenerSettings): HandleRequest {
  const routesByPath = Map.groupBy(routes, ({ path }) => path);
  return (request, response, wait) => {
    const exchange = createExchange(request, response, { log: settings.log, wait });
    response.once('finish', () => recordResponse(exchange, settings));
    const hsts = settings.strictTransportSecurity?.();
    if (hsts !== undefined) exchange.responseHeaders.push('strict-transport-security', hsts);
    try {
      if (hasUnknownExpectation(request)) throw new RequestError('expectation_failed');
      checkTransferEncoding(request);
      const path = decodePath(exchange.path);
      const ownRoutes = routesByPath.get(path);
      const pathRoutes = ownRoutes ?? settings.findRoutes?.(path, exchange.queryString);
      if (pathRoutes === undefined) throw new RequestError('not_found');
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      const route = pathRoutes.find((candidate) => candidate.method === method);
      // only adapters count and format the refusals of other methods as their own
      exchange.route = route ?? (ownRoutes === undefined ? pathRoutes[0]! : NO_ROUTE);
      if (route === undefined) handleUnroutedMethod(exchange, pathRoutes, settings.keyHeader);
      else route.handle(exchange);
    } catch (error) {
      sendError(exchange, error);
    }
  };
}

/** Whether the header Expect asks for anything but `100-continue`, which Node itself answers. */
function hasUnknownExpectation({ headers, httpVersion }: IncomingMessage): boolean {
  // HTTP/1.0 does not define the header
  if (headers.expect === undefined || httpVersion !== '1.1') return false;
  return !/^\s*100-continue\s*$/i.test(headers.expect);
}

/** Throws RequestError. Node waits for the end of a body that is not chunked until the connection ends. */
function checkTransferEncoding({ headers: { 'transfer-encoding': encoding } }: IncomingMessage): void {
  if (encoding === undefined || /^\s*chunked\s*$/i.test(encoding)) return;
  const message = `Transfer-Encoding must be chunked, got ${quote(encoding)}; or send a Content-Length instead`;
  throw new RequestError('bad_request', message);
}

/** Answers OPTIONS as a preflight. Throws `method_not_allowed` for any other method. */
function handleUnroutedMethod(exchange: Exchange, pathRoutes: readonly Route[], keyHeader: string): void {
  const methods = pathRoutes.map((route) => (route.method === 'GET' ? 'GET, HEAD' : route.method));
  const allowed = [...methods, 'OPTIONS'].join(', ');
  const { method } = exchange.request;
  if (method === 'OPTIONS') {
    sendResponse(exchange, {
      status: 204,
      headers: preflightHeaders(allowed, [keyHeader, ...(pathRoutes[0]?.pageHeaders ?? [])]),
    });
    return;
  }
  exchange.responseHeaders.push('allow', allowed);
  throw new RequestError('method_not_allowed', `${method} is not supported here; use ${allowed}`);
}

/** Logs neither query string nor headers, because they contain searches and keys. */
function recordResponse(exchange: Exchange, { log, metrics }: ListenerSettings): void {
  const { id: reqId, path, request, response, route, keyId } = exchange;
  const { statusCode: status } = response;
  const ms = elapsedMs(exchange.startedMs);
  if (log.isLevelEnabled('info')) {
    const { method } = request;
    const shownPath = maskKeysInPath(path.slice(0, MAX_LOGGED_PATH));
    log.info({ reqId, method, path: shownPath, status, ms, keyId, ...traceIds(request) }, 'answered');
  }
  metrics?.onResponse(route.endpoint ?? 'other', status, ms / 1000);
}
