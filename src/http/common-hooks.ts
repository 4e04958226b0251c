/**
 * What every request and every answer has in common: headers, 404 and 405, CORS preflights, error bodies, the log line.
 * Paths are logged without their query string, and headers never: places people look for, and keys, stay out of logs.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { maskKeysInPath } from '../access/keys/key-text.ts';
import { CORS_HEADERS, preflightHeaders } from './cors.ts';
import { asRequestError, ERRORS, errorAnswer, RequestError } from './errors.ts';
import { discardBody, hasLargeUnreadBody } from './request/request-body.ts';
import type { CacheCounts } from './response/response-cache.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** For the log: which key the call presented, if it was good. */
    keyId: string | undefined;
    /** What the request brought about that the answer's headers tell: names and values by turns. */
    answerHeaders: readonly string[] | undefined;
  }
  interface FastifyContextConfig {
    endpoint?: string;
  }
}

const COMMON_LIST = Object.entries({ 'x-content-type-options': 'nosniff', ...CORS_HEADERS }).flat();

export interface AppMetrics {
  /** `endpoint` is `query`, `id`, `reverse` or `other`. */
  onResponse(endpoint: string, status: number, seconds: number): void;
  /** Counted up by the response cache. */
  readonly cache?: CacheCounts;
}

export interface DoorSettings {
  readonly keyHeader: string;
  readonly metrics: AppMetrics | undefined;
  /** Whether each answer is a line in the log. */
  readonly isLogged: boolean;
}

export function registerDoor(app: FastifyInstance, { keyHeader, metrics, isLogged }: DoorSettings): void {
  const methodsByPath = collectMethods(app);
  app.decorateRequest('keyId', undefined);
  app.decorateRequest('answerHeaders', undefined);

  app.addHook('onSend', (request, reply, payload, next) => {
    setCommonHeaders(request, reply);
    next(null, payload);
  });
  app.addHook('onRequest', (request, reply, next) => {
    if (hasUnknownExpectation(request.raw)) return next(new RequestError('expectation_failed'));
    if (!request.is404) return next();
    const methods = methodsByPath.get(pathOf(request));
    if (methods === undefined) return next(new RequestError('not_found'));
    const allow = [...methods, 'OPTIONS'].join(', ');
    if (request.method === 'OPTIONS') {
      reply.code(204).headers(preflightHeaders(allow, keyHeader)).send();
      return;
    }
    reply.header('allow', allow);
    const message = `${request.method} is not possible here; use ${allow}`;
    next(new RequestError('method_not_allowed', { message }));
  });

  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler((request, reply) => sendError(new RequestError('not_found'), request, reply));

  app.addHook('onResponse', (request, reply, next) => {
    if (isLogged) logAnswer(request, reply);
    metrics?.onResponse(request.routeOptions.config.endpoint ?? 'other', reply.statusCode, reply.elapsedTime / 1000);
    next();
  });
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = asRequestError(error);
  if (ERRORS[known.code].status === 500) request.log.error({ reqId: request.id, err: error }, 'a request failed');
  // also here: for a URL that cannot be read Fastify runs no hooks
  setCommonHeaders(request, reply);
  const { status, contentType, body } = errorAnswer(known, request.id, request.headers.accept);
  reply.code(status).type(contentType).send(body);
}

/** What the answer to a request has, whatever it is, as names and values by turns. */
export function headersFor({ id, answerHeaders = [] }: FastifyRequest): string[] {
  return ['x-request-id', id, ...COMMON_LIST, ...answerHeaders];
}

/** Node itself handles `100-continue`. HTTP/1.0 has no expectations. */
function hasUnknownExpectation({ headers: { expect }, httpVersion }: IncomingMessage): boolean {
  return expect !== undefined && httpVersion === '1.1' && !/^\s*100-continue\s*$/i.test(expect);
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  // reading on would let a refused client send gigabytes
  if (hasLargeUnreadBody(request.raw)) {
    reply.header('connection', 'close');
    discardBody(request.raw);
  }
  const headers = headersFor(request);
  for (let i = 0; i < headers.length; i += 2) reply.header(headers[i]!, headers[i + 1]);
}

function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  const { id: reqId, method, keyId } = request;
  const ms = Math.round(reply.elapsedTime * 1000) / 1000;
  const path = maskKeysInPath(pathOf(request));
  request.log.info({ reqId, method, path, status: reply.statusCode, ms, keyId }, 'answered');
}

/** Which methods each path takes, filled as routes are added, here or by whoever adds to the app. */
function collectMethods(app: FastifyInstance): Map<string, Set<string>> {
  const methodsByPath = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPath.get(url) ?? new Set();
    methodsByPath.set(url, methods);
    for (const name of [method].flat()) methods.add(name);
  });
  return methodsByPath;
}

function pathOf(request: FastifyRequest): string {
  const url = request.raw.url ?? '/';
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}
