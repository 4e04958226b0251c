/**
 * The HTTP application: everything between a parsed HTTP request and the engine. It opens no port and no file; `serve/`
 * gives it what it needs and listens. What a request passes through, in order:
 * 404/405/preflight -> (endpoints) overload, limit, key -> body -> options -> engine -> JSON -> common headers.
 */
import { randomUUID } from 'node:crypto';
import type { RequestListener, Server, ServerOptions } from 'node:http';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import type { Cidr } from '../access/address.ts';
import type { KeyLookup } from '../access/keys/key-store.ts';
import { maskKeys } from '../access/keys/key-text.ts';
import type { RateLimiter } from '../access/limits/rate-limiter.ts';
import type { Engine } from '../engine/engine.ts';
import { registerApi } from './api-routes.ts';
import { type AppMetrics, registerDoor, sendError } from './common-hooks.ts';
import { Connections } from './connections.ts';
import type { LocateAddress } from './endpoints.ts';
import { createServer } from './node-http.ts';
import { KeptAnswers } from './response/response-cache.ts';
import { SERVICE_NAME } from './service-name.ts';
import { registerServiceRoutes } from './service-routes.ts';
import { IDLE_TIMEOUT_MS, REQUEST_CHECK_INTERVAL_MS, REQUEST_TIMEOUT_MS } from './timeouts.ts';

export interface AppOptions {
  /** Read for every request, so that data can be swapped between two. */
  readonly engine: () => Engine;
  readonly keys: KeyLookup;
  readonly limiter: RateLimiter;
  readonly locate: LocateAddress;
  /** `Acme` makes the key header `X-Acme-Key`. */
  readonly serviceName?: string;
  /** Whose `X-Forwarded-For` is believed; none by default. A Unix socket counts as 127.0.0.1. */
  readonly trustedProxies?: readonly Cidr[];
  /** Wall clock in milliseconds. */
  readonly now?: () => number;
  /** A clock that never goes back and that all threads of the process share, in milliseconds. */
  readonly monotonicNow?: () => number;
  readonly logger: FastifyBaseLogger | false;
  /** True, or why not. */
  readonly isReady: () => true | string;
  /** What whoever asks whether the service is ready should know besides; empty for nothing. */
  readonly notice?: () => string;
  /** How many bytes of answers are kept, for when they are asked for again. */
  readonly keptBytes: number;
  /** While true, calls are answered 503 before any work is done on them. */
  readonly isOverloaded?: () => boolean;
  /** Of the program, for the OpenAPI document and the front page. */
  readonly version: string;
  readonly metrics?: AppMetrics;
  /** Plain HTTP unless given. */
  readonly createServer?: (options: ServerOptions) => Server;
}

export function createApp(options: AppOptions): FastifyInstance {
  const serviceName = options.serviceName ?? 'Service';
  if (!SERVICE_NAME.test(serviceName)) {
    throw new RangeError(`serviceName must be letters, digits and hyphens, got ${JSON.stringify(serviceName)}`);
  }
  const keyHeader = `X-${serviceName}-Key`;
  const app = fastify(serverOptions(options)) as unknown as FastifyInstance;

  registerDoor(app, { keyHeader, metrics: options.metrics, isLogged: logsAnswers(options.logger) });
  // a route that wants a body takes it from the request, within limits of its own
  app.removeAllContentTypeParsers();
  const shared = {
    ...options,
    serviceName,
    keyHeader,
    trustedProxies: options.trustedProxies ?? [],
    monotonicNow: options.monotonicNow ?? processMilliseconds,
  };
  registerServiceRoutes(app, shared);
  registerApi(app, {
    ...shared,
    keyField: keyHeader.toLowerCase(),
    now: options.now ?? Date.now,
    isOverloaded: options.isOverloaded ?? (() => false),
    kept: new KeptAnswers(options.keptBytes, options.metrics?.cache),
  });
  return app;
}

function serverOptions(options: AppOptions): FastifyServerOptions {
  const { logger } = options;
  return {
    ...(logger === false ? { logger: false } : { loggerInstance: withoutChildren(logger) }),
    serverFactory: (handler) => limitedServer(options.createServer ?? createServer, handler),
    logController: new LogController({ disableRequestLogging: true }),
    return503OnClosing: false,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    // Absolute URLs (`POST https://host/api/1/query`) are allowed by HTTP, from proxies mostly.
    rewriteUrl: ({ url = '/' }) => (url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]+/i, '') || '/'),
    schemaController: NO_SCHEMAS,
    // The options of a request are read strictly, from the raw URL, after the limit and the key.
    routerOptions: { querystringParser: () => ({}) },
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
    // broken requests are answered by Connections
    clientErrorHandler: () => {},
  };
}

function limitedServer(create: (options: ServerOptions) => Server, handler: RequestListener): Server {
  const server = create(SERVER_OPTIONS);
  new Connections(handler).attachTo(server);
  return server;
}

const SERVER_OPTIONS: ServerOptions = {
  requestTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: REQUEST_CHECK_INTERVAL_MS,
  keepAliveTimeout: IDLE_TIMEOUT_MS,
  // a request without Host gets a normal response: Host is not used, and Node's bare 400 would explain nothing
  requireHostHeader: false,
};

/** Fastify makes a child for each request, to write its id; ours is written with the line, and most requests write none. */
function withoutChildren(logger: FastifyBaseLogger): FastifyBaseLogger {
  const single: FastifyBaseLogger = Object.create(logger);
  single.child = () => single;
  return single;
}

/** Answers are logged at `info`. */
function logsAnswers(logger: FastifyBaseLogger | false): boolean {
  return logger !== false && ['trace', 'debug', 'info'].includes(logger.level);
}

/** No route has a schema: without these, Fastify would load its validator and its serializer all the same. */
const NO_SCHEMAS = { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } };

function noSchema(): never {
  throw new Error('routes are described in openapi.ts, not by schemas of their own');
}

/** A client's own id is kept if it is short and plain, so that its logs and ours can be joined. */
function requestIdOf(given: string | string[] | undefined): string {
  const isSane = typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) && maskKeys(given) === given;
  return isSane ? given : randomUUID();
}

/** The same clock in every thread: `performance.now()` counts from the start of each thread. */
function processMilliseconds(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
