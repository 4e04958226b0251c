/**
 * One thread that answers: its own listener on the shared port, over the shared index. Started by WorkerPool.
 */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setTimeout as setTimeoutAsync } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';
import { openRateLimiter } from '../access/rate-limiter.ts';
import { openSqliteKeys } from '../access/sqlite-keys.ts';
import { openEngine } from '../engine/open-engine.ts';
import { createApp, REQUEST_TIMEOUT_MS } from '../http/app.ts';
import { createLocator } from '../locate/locator.ts';
import { freeMemorySoon } from './free-memory.ts';
import { createLog } from './log.ts';
import { watchOverload } from './overload.ts';
import { createRequestMetrics } from './request-metrics.ts';
import { createTlsServer, MIN_TLS_VERSION } from './tls-server.ts';
import { reasonOf } from './usage-error.ts';
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.ts';

// 65 s: longer than the 60 s after which most proxies drop an idle connection, so that they close first
const KEEP_ALIVE_MS = 65_000;
const FLUSH_KEYS_MS = 10_000;
const CLOSE_IDLE_MS = 50;
// half a second: busy clients send their next call well within it
const LINGER_MS = 500;

const start = workerData as WorkerStart;
const log = createLog(start.logLevel);
const keys = openSqliteKeys(start.keysPath);
const metrics = createRequestMetrics();
let engine = openEngine(start.data.index, start.data.overlay);
// from here on only the engine holds the index, so that it goes when the engine does
(workerData as { data: unknown }).data = undefined;
let { problem } = start;
let isDraining = false;

const app = createApp({
  engine: () => engine,
  keys,
  limiter: openRateLimiter(start.rateBuffer),
  locate: createLocator(start.ipDatabases),
  serviceName: start.serviceName,
  trustedProxies: start.trustedProxies,
  logger: log,
  isReady: () => (isDraining ? 'the service is shutting down' : true),
  notice: () => problem,
  isOverloaded: watchOverload(),
  version: start.version,
  metrics,
  serverFactory: (answer) => {
    const handler: RequestListener = (request, response) => {
      if (isDraining) response.setHeader('connection', 'close');
      answer(request, response);
    };
    // a request without Host is answered like any other: its name is not used, and a bare 400 would say nothing
    const options = { requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false };
    return start.tls === undefined
      ? createServer(options, handler)
      : (createTlsServer({ ...options, ...start.tls }, handler) as unknown as Server);
  },
});

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'drain') void drain();
  if (message.type === 'metrics') void sendMetrics(message.id);
  if (message.type === 'reload') reload(message);
});
setInterval(flushKeys, FLUSH_KEYS_MS).unref();
await listen(app);

function send(message: FromWorker): void {
  parentPort?.postMessage(message);
}

async function listen({ server }: FastifyInstance): Promise<void> {
  try {
    await app.listen(listenOptions());
  } catch (error) {
    send({ type: 'refused', message: `Cannot listen: ${reasonOf(error)}.` });
    await stop();
    return;
  }
  const address = server.address() as AddressInfo | string;
  send({ type: 'listening', port: typeof address === 'string' ? 0 : address.port });
}

function reload({ id, data, tls, ...rest }: ToWorker & { readonly type: 'reload' }): void {
  if (data !== undefined) engine = openEngine(data.index, data.overlay);
  problem = rest.problem ?? problem;
  metrics.setProblem(problem !== '');
  if (data !== undefined) freeMemorySoon();
  if (tls !== undefined)
    (app.server as unknown as HttpsServer).setSecureContext({ minVersion: MIN_TLS_VERSION, ...tls });
  send({ type: 'reloaded', id });
}

function listenOptions() {
  const { address, isPortShared } = start;
  const listenTextResolver = () => 'a thread listens';
  if (address.kind === 'unix') return { path: address.path, listenTextResolver };
  return { host: address.host, port: address.port, reusePort: isPortShared, listenTextResolver };
}

async function sendMetrics(id: number): Promise<void> {
  send({ type: 'metrics', id, metrics: await metrics.collect() });
}

/**
 * Stops accepting at once. For a moment open connections are still answered, with the advice to close them; without that,
 * clients in the middle of their next call would see a reset. Then each connection is closed once it is idle.
 */
async function drain(): Promise<void> {
  isDraining = true;
  const closed = once(app.server, 'close');
  // the listener alone: http's own close() would end idle connections in the same breath
  NetServer.prototype.close.call(app.server);
  await Promise.race([closed, setTimeoutAsync(LINGER_MS, undefined, { ref: false })]);
  const closing = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_MS);
  await stop();
  clearInterval(closing);
}

async function stop(): Promise<void> {
  await app.close();
  keys.close();
  parentPort?.close();
}

/** When keys were last used is worth a note, not a failed thread. */
function flushKeys(): void {
  try {
    keys.flush();
  } catch (error) {
    log.warn({ err: error }, 'times of use of keys were not written');
  }
}
