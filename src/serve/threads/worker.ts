/**
 * One thread that answers: its own listener on the shared port, over the shared index. Made by WorkerPool: it loads its
 * code, then is told what to answer from and where to listen.
 */
import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo, ListenOptions } from 'node:net';
import { setTimeout as setTimeoutAsync } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { type KeyReader, openKeyReader } from '../../access/keys/key-reader.ts';
import { openRateLimiter } from '../../access/limits/rate-limiter.ts';
import type { Engine } from '../../engine/engine.ts';
import { openEngine } from '../../engine/open-engine.ts';
import { errorMessage } from '../../errors/error-message.ts';
import { type App, createApp } from '../../http/app.ts';
import { createServer } from '../../http/node-http.ts';
import { createLocator } from '../../locate/locator.ts';
import { closeListener } from '../listen/drain.ts';
import type { ListenAddress } from '../listen/listen-address.ts';
import { UnusedConnections } from '../listen/unused-connections.ts';
import { createLog, type Logger } from '../log.ts';
import { createRequestMetrics } from '../metrics/request-metrics.ts';
import { threadMetrics } from '../metrics/thread-metrics.ts';
import { secureContextOptions } from '../tls/secure-context.ts';
import { createTlsServer } from '../tls/tls-server.ts';
import { freeMemorySoon } from './free-memory.ts';
import { watchLoop } from './overload.ts';
import { holdTickShape } from './tick-shape.ts';
import type { FromWorker, Reloadable, ToWorker, WorkerStart } from './worker-messages.ts';

const REPORT_KEY_USES_MS = 5_000;
const CLOSE_IDLE_MS = 50;
// half a second: busy clients send their next call well within it
const OPEN_CONNECTIONS_GRACE_MS = 500;

let answering: Answering | undefined;

holdTickShape();

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'start') answering = new Answering(message);
  else answering?.take(message);
});

class Answering {
  readonly #log: Logger;
  readonly #keys: KeyReader;
  /** Since the last report to the main thread, which writes them: this thread never waits for a lock of the store. */
  #keyUses = new Map<string, number>();
  readonly #metrics = createRequestMetrics();
  readonly #loop = watchLoop();
  readonly #isPortShared: boolean;
  readonly #app: App;
  /** The only one here that holds the index, so that the index goes when the engine does. */
  #engine: Engine;
  #problem: string;
  #isDraining = false;
  #unused: UnusedConnections | undefined;

  constructor(start: WorkerStart) {
    this.#log = createLog(start.logLevel);
    this.#keys = openKeyReader(start.keysPath, (error) =>
      this.#log.error({ reason: error.message }, 'the key store cannot be read: keys stay as they were'),
    );
    this.#engine = openEngine(start.data.index, start.data.overlay);
    this.#problem = start.problem;
    this.#isPortShared = start.isPortShared;
    this.#app = this.#createApp(start);
    setInterval(() => this.#reportKeyUses(), REPORT_KEY_USES_MS).unref();
  }

  take(message: ToWorker): void {
    if (message.type === 'listen') void this.#listen(message.address);
    if (message.type === 'drain') void this.#drain(message.graceMs);
    if (message.type === 'metrics') this.#sendMetrics(message.id);
    if (message.type === 'reload') send({ type: 'reloaded', id: message.id, refusal: this.#reload(message) });
  }

  #sendMetrics(id: number): void {
    this.#app.server.getConnections((error, connections) => {
      const state = {
        connections: error ? 0 : connections,
        maxDelaySeconds: this.#loop.maxDelaySeconds(),
        dataset: this.#engine.dataset,
      };
      send({ type: 'metrics', id, metrics: [...this.#metrics.collect(), ...threadMetrics(state)] });
    });
  }

  /** Takes apart what it is given: whatever the closures below hold, they hold for good. */
  #createApp({ tls, rateBuffer, ipDatabases, keptBytes, serviceName, trustedProxies, version }: WorkerStart): App {
    return createApp({
      engine: () => this.#engine,
      keys: {
        find: (keyText) => this.#keys.find(keyText),
        touch: (id, nowMs) => this.#keyUses.set(id, nowMs),
      },
      limiter: openRateLimiter(rateBuffer),
      locate: createLocator(ipDatabases),
      serviceName,
      trustedProxies,
      cacheBytes: keptBytes,
      log: this.#log,
      isReady: () => (this.#isDraining ? 'the service is shutting down' : true),
      notice: () => this.#problem,
      isOverloaded: this.#loop.isOverloaded,
      version,
      metrics: this.#metrics,
      createServer: (options) => {
        const server =
          tls === undefined ? createServer(options) : createTlsServer({ ...options, ...secureContextOptions(tls) });
        server.on('request', (_request, response) => {
          if (this.#isDraining) response.setHeader('connection', 'close');
        });
        this.#unused = new UnusedConnections(server as Server, tls === undefined ? 'connection' : 'secureConnection');
        return server as Server;
      },
    });
  }

  async #listen(address: ListenAddress): Promise<void> {
    try {
      await listen(this.#app.server, listenOptions(address, this.#isPortShared));
    } catch (error) {
      send({ type: 'refused', message: `Cannot listen: ${errorMessage(error)}.` });
      await this.#stop();
      return;
    }
    // a listener that cannot accept, for want of descriptors for instance, tries again by itself
    this.#app.server.on('error', (error) => this.#log.error({ err: error }, 'a listener failed'));
    const bound = this.#app.server.address() as AddressInfo | string;
    send({ type: 'listening', port: typeof bound === 'string' ? 0 : bound.port });
  }

  /** Returns why something could not be taken up, in which case the thread keeps what it had; empty otherwise. */
  #reload({ data, tls, problem }: Partial<Reloadable>): string {
    this.#problem = problem ?? this.#problem;
    this.#metrics.setReloadProblem(this.#problem !== '');
    try {
      if (tls !== undefined) (this.#app.server as unknown as HttpsServer).setSecureContext(secureContextOptions(tls));
      if (data === undefined) return '';
      this.#engine = openEngine(data.index, data.overlay);
      freeMemorySoon();
      return '';
    } catch (error) {
      return errorMessage(error);
    }
  }

  /**
   * Says at once that it is not ready, and goes on accepting for the grace period, so that proxies can take the service
   * out of use. After the listener is closed, open connections are still answered for a moment, with the advice to close
   * them; without that, clients in the middle of their next call would see a reset. Then each connection is closed once
   * it is idle.
   */
  async #drain(graceMs: number): Promise<void> {
    this.#isDraining = true;
    const { server } = this.#app;
    // not `once` of node:events, which rejects when the listener fails meanwhile
    const closed = new Promise((resolve) => server.once('close', resolve));
    await setTimeoutAsync(graceMs);
    await closeListener(server);
    await Promise.race([closed, setTimeoutAsync(OPEN_CONNECTIONS_GRACE_MS, undefined, { ref: false })]);
    const closing = setInterval(() => {
      this.#unused?.close();
      server.closeIdleConnections();
    }, CLOSE_IDLE_MS);
    await this.#stop();
    clearInterval(closing);
  }

  async #stop(): Promise<void> {
    try {
      await this.#app.close();
      this.#reportKeyUses();
      this.#keys.close();
    } catch (error) {
      this.#log.error({ err: error }, 'a thread did not end cleanly');
    }
    parentPort?.close();
  }

  #reportKeyUses(): void {
    if (this.#keyUses.size === 0) return;
    send({ type: 'keysUsed', uses: this.#keyUses });
    this.#keyUses = new Map();
  }
}

function send(message: FromWorker): void {
  parentPort?.postMessage(message);
}

function listenOptions(address: ListenAddress, isPortShared: boolean) {
  if (address.kind === 'unix') return { path: address.path };
  return { host: address.host, port: address.port, reusePort: isPortShared };
}

async function listen(server: Server, options: ListenOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(options, resolve);
  await promise;
  server.off('error', reject);
}
