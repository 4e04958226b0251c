/** A request with its response, and the state that its handlers share. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { maskKeys } from '../access/keys/key-text.ts';
import { RequestError } from './errors.ts';

/** The part of pino's interface that this folder uses. */
export interface RequestLog {
  isLevelEnabled(level: string): boolean;
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly log: RequestLog;
  /** The request id: sent to the client as `X-Request-Id`, and logged. */
  readonly id: string;
  /** The path of the URL, as sent. */
  readonly path: string;
  /** The part of the URL after the question mark, as sent. */
  readonly queryString: string;
  /** When the request's handling started, by `performance.now()`. */
  readonly startedMs: number;
  /** Headers to add to the response, even to an error: a flat list [name, value, …]. */
  readonly responseHeaders: string[];
  /** The endpoint as metrics show it: `query`, `id` or `reverse` for calls, `other` otherwise. */
  endpoint: string;
  /** The id of the API key; undefined until the call is admitted. */
  keyId: string | undefined;
}

export function createExchange(request: IncomingMessage, response: ServerResponse, log: RequestLog): Exchange {
  const { path, queryString } = splitTarget(request.url ?? '/');
  return {
    request,
    response,
    log,
    id: requestId(request.headers['x-request-id']),
    path,
    queryString,
    startedMs: performance.now(),
    responseHeaders: [],
    endpoint: 'other',
    keyId: undefined,
  };
}

/** Splits a request target: a path, or an absolute URL (`https://host/path`) sent by a proxy. */
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

/** The client's own id if it is short and plain and contains no API key; otherwise a new one. */
function requestId(given: string | string[] | undefined): string {
  const isUsable = typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) && maskKeys(given) === given;
  return isUsable ? given : randomUUID();
}
