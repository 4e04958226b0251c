/** A request with its response, and the state that its handlers share. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { maskKeys } from 'toponym-access/keys/key-text';
import { type ErrorResponse, RequestError } from './errors.ts';
import type { Wait } from './waiting-line.ts';

/** The part of pino's interface that this folder uses. */
export interface RequestLog {
  isLevelEnabled(level: string): boolean;
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What responses, logs and metrics need of a route. */
export interface RouteFormat {
  /** For metrics: `query`, `id`, `reverse`, `batch` or the name of an adapter; `other` by default. */
  readonly endpoint?: string;
  /** Replaces the usual format of errors. */
  readonly formatError?: (error: RequestError) => ErrorResponse;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly log: RequestLog;
  /** Sent to the client as `X-Request-Id`, and logged. */
  readonly id: string;
  /** As sent, with percent escapes. */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly queryString: string;
  /** From `performance.now()`. */
  readonly startedMs: number;
  /** How long the request waited before `startedMs`. */
  readonly wait: Wait;
  /** Headers to add to any response, as a flat list [name, value, …]. */
  readonly responseHeaders: string[];
  /** Set by request-listener.ts. */
  route: RouteFormat;
  /** Set by admission.ts; undefined until the call is admitted. */
  keyId: string | undefined;
}

/** The route of a request for which none was found. */
export const NO_ROUTE = {};

export function createExchange(
  request: IncomingMessage,
  response: ServerResponse,
  { log, wait }: Pick<Exchange, 'log' | 'wait'>,
): Exchange {
  const { path, queryString } = splitTarget(request.url ?? '/');
  return {
    request,
    response,
    log,
    id: requestId(request.headers['x-request-id']),
    path,
    queryString,
    startedMs: performance.now(),
    wait,
    responseHeaders: [],
    route: NO_ROUTE,
    keyId: undefined,
  };
}

/** A target is a path, or an absolute URL (`https://host/path`) sent by a proxy. */
function splitTarget(target: string): { readonly path: string; readonly queryString: string } {
  const relative = target.replace(/^https?:\/\/[^/?]+/i, '');
  const [path = ''] = relative.split(/[?#]/, 1);
  const queryStart = relative.indexOf('?');
  return { path: path || '/', queryString: queryStart < 0 ? '' : relative.slice(queryStart + 1) };
}

/** Throws RequestError if an escape in the path is malformed. */
export function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    throw new RequestError('bad_request');
  }
}

/** The client's own id if it is safe to log, otherwise a new one. */
function requestId(given: string | string[] | undefined): string {
  const isUsable = typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) && maskKeys(given) === given;
  return isUsable ? given : randomUUID();
}

/** Version, trace id, span id, flags. Versions after 00 may add fields. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/**
 * Ids of the header `traceparent` (W3C Trace Context), if it is valid, for log lines. The span is the caller's: the
 * service creates none.
 */
export function traceIds({ headers: { traceparent } }: IncomingMessage) {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId, spanId, addedFields] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return version === '00' && addedFields !== undefined ? undefined : { traceId, spanId };
}

/** Milliseconds since `startedMs` (from `performance.now()`), rounded to the microsecond. */
export function elapsedMs(startedMs: number): number {
  return Math.round((performance.now() - startedMs) * 1000) / 1000;
}
