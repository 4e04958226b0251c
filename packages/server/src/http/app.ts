/**
 * The HTTP application: everything between a parsed HTTP request and the engine. A call passes
 * through connections.ts, request-listener.ts, api-handler.ts, call-handler.ts, call-queue.ts and
 * response/send.ts.
 */
import type { Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { type Cidr, connectionGroup } from 'toponym-access/address';
import type { KeyLookup } from 'toponym-access/keys/key-store';
import type { Limits } from 'toponym-access/limits/limits';
import { apiRoutes, type PlaceSources } from './api-handler.ts';
import { batchRoute } from './batch.ts';
import { createAnswerQueue, createCallHandler, type HandleCall } from './call-handler.ts';
import { Connections } from './connections.ts';
import { SERVICE_NAME_PATTERN } from './headers.ts';
import { createServer } from './node-http.ts';
import {
  createRequestListener,
  type FindRoutes,
  type ListenerOptions,
  type ResponseMetrics,
} from './request-listener.ts';
import { type CacheCounts, ResponseCache } from './response/response-cache.ts';
import { type ServiceOptions, serviceRoutes, withPageKey } from './service-routes.ts';
import { IDLE_TIMEOUT_MS, REQUEST_CHECK_INTERVAL_MS, REQUEST_TIMEOUT_MS } from './timeouts.ts';

export interface AppOptions extends PlaceSources, ServiceOptions, ListenerOptions {
  readonly keys: KeyLookup;
  readonly limits: Limits;
  /** `Acme` makes the key header `X-Acme-Key`. The default is `Service`. */
  readonly serviceName?: string;
  /** Proxies whose `X-Forwarded-For` is trusted. A Unix socket counts as 127.0.0.1. */
  readonly trustedProxies?: readonly Cidr[];
  /** Wall clock in milliseconds. */
  readonly now?: () => number;
  /** Monotonic clock in milliseconds, the same in all threads. */
  readonly monotonicNow?: () => number;
  readonly cacheBytes: number;
  /** Routes of adapters: see src/compat. */
  readonly findCompatRoutes?: ((calls: CompatCalls) => FindRoutes) | undefined;
  /** Whether there are only the routes of adapters; false by default. */
  readonly isCompatOnly?: boolean;
  readonly metrics?: AppMetrics;
  /** Plain HTTP by default. */
  readonly createServer?: (options: ServerOptions) => Server;
}

/** What the routes of adapters need. */
export interface CompatCalls extends PlaceSources {
  readonly handleCall: HandleCall;
  readonly trustedProxies: readonly Cidr[];
  /** Such as `X-Service-Key`. */
  readonly keyHeader: string;
}

export interface AppMetrics extends ResponseMetrics {
  readonly cache?: CacheCounts;
}

export interface App {
  readonly server: Server;
  /** Stops listening and refuses calls. Resolves when the last connection has closed. */
  close(): Promise<void>;
}

export function createApp(options: AppOptions): App {
  const serviceName = options.serviceName ?? 'Service';
  if (!SERVICE_NAME_PATTERN.test(serviceName)) {
    throw new RangeError(`serviceName must be letters, digits and hyphens, got ${JSON.stringify(serviceName)}`);
  }
  const keyHeader = `X-${serviceName}-Key`;
  let isDraining = false;
  const shared = {
    ...options,
    keys: withPageKey(options.keys, options.pages?.key),
    keyHeader,
    trustedProxies: options.trustedProxies ?? [],
    now: options.now ?? Date.now,
    monotonicNow: options.monotonicNow ?? processMilliseconds,
  };
  const calls = {
    ...shared,
    keyHeaderLowerCase: keyHeader.toLowerCase(),
    isDraining: () => isDraining,
    queue: createAnswerQueue(),
    cache: new ResponseCache(options.cacheBytes, options.metrics?.cache),
  };
  const handleCall = createCallHandler(calls);
  const ownRoutes = options.isCompatOnly
    ? []
    : [...serviceRoutes(shared), ...apiRoutes({ ...calls, handleCall }), batchRoute(calls)];
  const findRoutes = options.findCompatRoutes?.({ ...shared, handleCall });
  const listener = createRequestListener(ownRoutes, { ...shared, findRoutes });
  const server = (options.createServer ?? createServer)(SERVER_OPTIONS);
  const { strictTransportSecurity } = options;
  const addressOf = (socket: Socket) => connectionGroup(socket, shared.trustedProxies);
  new Connections(listener, { strictTransportSecurity, addressOf }).attachTo(server);
  return {
    server,
    close: () => {
      isDraining = true;
      // also resolves if the server is already closed or never listened
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const SERVER_OPTIONS: ServerOptions = {
  requestTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: REQUEST_CHECK_INTERVAL_MS,
  keepAliveTimeout: IDLE_TIMEOUT_MS,
  // Node's own 400 for a missing Host has no message, and Host is not used
  requireHostHeader: false,
};

/** Unlike `performance.now()`, this clock is the same in all threads. */
function processMilliseconds(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
