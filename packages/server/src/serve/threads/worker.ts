/** Entry point of a worker thread, which serves the shared index through its own listener. */
import type { Server, ServerOptions } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parentPort } from 'node:worker_threads';
import { connectionGroup } from 'toponym-access/address';
import type { Engine } from 'toponym-engine/engine';
import { dataDate } from 'toponym-engine/index-file/data-age';
import { openEngine } from 'toponym-engine/open-engine';
import { openWorldBorders, type WorldBorders } from 'toponym-engine/place/world-borders';
import { errorMessage } from 'toponym-files/errors/errors';
import { loadWorldBorders } from 'toponym-files/load-world-borders';
import { releaseHeapSoon } from 'toponym-files/release-heap';
import type { CreateCompatRoutes } from '../../compat/compat-routes.ts';
import { type App, type AppOptions, createApp } from '../../http/app.ts';
import { createServer } from '../../http/node-http.ts';
import { createLocator } from '../../locate/locator.ts';
import { type ListenAddress, startListening } from '../listen/listen-address.ts';
import { closeListener, OpenConnections, type RefusalReason, RefusedConnections } from '../listen/open-connections.ts';
import { installProxyGate, type ProxyGateOptions } from '../listen/proxy-gate.ts';
import { createLog, type Logger } from '../log.ts';
import { byLabel, metricsOf } from '../metrics/metric.ts';
import { createRequestMetrics } from '../metrics/request-metrics.ts';
import { readPages } from '../page-files.ts';
import { redisNotice } from '../redis-report.ts';
import { secureContextOptions } from '../tls/certificate.ts';
import { clientRefusal, createTlsServer } from '../tls/tls-server.ts';
import { monitorEventLoop, runWhenIdle } from './event-loop-monitor.ts';
import { openWorkerAccess, type WorkerAccess } from './worker-access.ts';
import type {
  FromWorker,
  ReplaceableValues,
  ServedCertificate,
  ToWorker,
  WorkerCompat,
  WorkerConfig,
} from './worker-messages.ts';

/** Maximum connections that wait to be accepted. Linux resets others if a crowd arrives at once. */
const MAX_UNACCEPTED = 4096;
const KEY_USE_REPORT_INTERVAL_MS = 5_000;
const CLOSE_IDLE_INTERVAL_MS = 50;
// busy clients send their next call well within this time
const OPEN_CONNECTIONS_GRACE_MS = 500;

let workerServer: Promise<WorkerServer> | undefined;

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'start') workerServer = startWorker(message);
  else void workerServer?.then((server) => server.handle(message));
});

/** A rejection ends the thread, and the main thread reports it. */
async function startWorker(config: WorkerConfig): Promise<WorkerServer> {
  const log = createLog(config.logLevel);
  const access = await openWorkerAccess(config, log, (problem) => send({ type: 'redisProblem', problem }));
  return new WorkerServer(config, { access, createCompatRoutes: await loadCompat(config.compat) }, log);
}

async function loadCompat({ adapters }: WorkerCompat): Promise<CreateCompatRoutes | undefined> {
  if (adapters.length === 0) return undefined;
  const { loadAdapters } = await import('../../compat/compat-routes.ts');
  return await loadAdapters(adapters);
}

interface LoadedParts {
  readonly access: WorkerAccess;
  readonly createCompatRoutes: CreateCompatRoutes | undefined;
}

class WorkerServer {
  readonly #log: Logger;
  readonly #access: WorkerAccess;
  /** When keys were last used, by id. The main thread writes these times to the key store. */
  #keyUseTimes = new Map<string, number>();
  readonly #metrics = createRequestMetrics();
  readonly #maxDelaySeconds = monitorEventLoop();
  readonly #isPortShared: boolean;
  readonly #hstsSeconds: number;
  readonly #refused: RefusedConnections;
  readonly #app: App;
  /** The adapters over plain HTTP, and their address. */
  readonly #compat: { readonly app: App; readonly address: ListenAddress } | undefined;
  /** Must stay this thread's only reference to the index, so that a reload frees the old index. */
  #engine: Engine;
  #borders: WorldBorders | undefined;
  #notice: string;
  #locate: ReturnType<typeof createLocator>;
  #strictTransportSecurity: string | undefined;
  #certificateEnd: Date | undefined;
  #isSelfSigned = false;
  #isDraining = false;
  readonly #openConnections: OpenConnections[] = [];

  constructor(config: WorkerConfig, { access, createCompatRoutes }: LoadedParts, log: Logger) {
    this.#log = log;
    this.#access = access;
    this.#borders = config.borders && openWorldBorders(config.borders);
    this.#engine = this.#openEngine(config.data);
    this.#notice = config.notice;
    this.#locate = createLocator(config.ipDatabases);
    this.#isPortShared = config.isPortShared;
    this.#hstsSeconds = config.hstsSeconds;
    this.#noteCertificate(config.tls);
    this.#refused = new RefusedConnections(this.#log);
    const options = this.#appOptions(config);
    this.#app = createApp({ ...options, findCompatRoutes: createCompatRoutes });
    const { compat, trustedProxies, proxyProtocol, connectionLimits } = config;
    const { address } = compat;
    const plainHttp = { hasDirectClients: true, tls: undefined, trustedProxies, proxyProtocol, connectionLimits };
    this.#compat = address && {
      address,
      app: createApp({
        ...options,
        isCompatOnly: true,
        findCompatRoutes: createCompatRoutes && ((calls) => createCompatRoutes(calls, compat)),
        createServer: (serverOptions) => this.#createServer(serverOptions, plainHttp),
        strictTransportSecurity: () => undefined,
      }),
    };
    setInterval(() => this.#reportKeyUses(), KEY_USE_REPORT_INTERVAL_MS).unref();
  }

  handle(message: ToWorker): void {
    if (message.type === 'listen') void this.#listen(message.address);
    if (message.type === 'drain') void this.#drain(message.graceMs);
    if (message.type === 'metrics') void this.#sendMetrics(message.id);
    if (message.type === 'replace') this.#replaceValues(message.id, message);
  }

  async #sendMetrics(id: number): Promise<void> {
    const counting = this.#apps().map(({ server }) => promisify(server.getConnections).call(server));
    const counts = await Promise.all(counting.map((count) => count.catch(() => 0)));
    const { version, places } = this.#engine.dataset;
    const ofThread = metricsOf({
      toponym_reload_problem: this.#notice === '' ? 0 : 1,
      toponym_connections: counts.reduce((sum, count) => sum + count, 0),
      toponym_refused_connections_total: byLabel('reason', this.#refused.counts),
      toponym_event_loop_delay_seconds: this.#maxDelaySeconds(),
      toponym_data_places: places,
      toponym_data_info: [{ value: 1, labels: { version } }],
      toponym_data_timestamp_seconds: secondsOf(dataDate(version)),
      toponym_certificate_expiry_timestamp_seconds: secondsOf(this.#certificateEnd),
    });
    const metrics = [...this.#metrics.collect(), ...ofThread, ...this.#access.metrics()];
    send({ type: 'metrics', id, metrics });
  }

  /** Destructures the config, so that the closures do not retain the first index. */
  #appOptions(config: WorkerConfig): AppOptions {
    const { cacheBytes, serviceName, version, pageKey } = config;
    const { tls, trustedProxies, proxyProtocol, connectionLimits } = config;
    const listener = { hasDirectClients: tls !== undefined, tls, trustedProxies, proxyProtocol, connectionLimits };
    return {
      engine: () => this.#engine,
      keys: {
        find: (keyText) => this.#access.findKey(keyText),
        touch: (id, nowMs) => this.#keyUseTimes.set(id, nowMs),
      },
      limits: this.#access.limits,
      locate: (address) => this.#locate(address),
      serviceName,
      trustedProxies,
      cacheBytes,
      log: this.#log,
      notReadyReason: () => (this.#isDraining ? 'the service is shutting down' : undefined),
      notice: () => [this.#notice, redisNotice(this.#access.problem)].filter(Boolean).join('; '),
      version,
      pages: readPages(pageKey),
      isSelfSigned: () => this.#isSelfSigned,
      metrics: this.#metrics,
      strictTransportSecurity: () => this.#strictTransportSecurity,
      createServer: (options) => this.#createServer(options, listener),
    };
  }

  #createServer(
    options: ServerOptions,
    config: Pick<WorkerConfig, 'tls' | 'trustedProxies' | 'proxyProtocol' | 'connectionLimits'> &
      Pick<ProxyGateOptions, 'hasDirectClients'>,
  ): Server {
    const { hasDirectClients, tls, trustedProxies, proxyProtocol, connectionLimits } = config;
    const server = (tls === undefined ? createServer(options) : this.#createTlsServer(options, tls)) as Server;
    server.on('request', (_request, response) => {
      if (this.#isDraining) response.setHeader('connection', 'close');
    });
    const onRefused = (reason: RefusalReason, peer: string | undefined) => this.#refused.add(reason, peer);
    const groupOf = (socket: Socket) => connectionGroup(socket, trustedProxies);
    this.#openConnections.push(new OpenConnections(server, { ...connectionLimits, groupOf, onClosed: onRefused }));
    const isGated = hasDirectClients ? proxyProtocol : trustedProxies.length > 0;
    if (isGated) installProxyGate(server, { hasDirectClients, proxyProtocol, trustedProxies, onRefused });
    return server;
  }

  #createTlsServer(options: ServerOptions, tls: ServedCertificate): HttpsServer {
    const requestCert = tls.clientAuthorities !== undefined;
    const server = createTlsServer({ ...options, ...secureContextOptions(tls), requestCert, rejectUnauthorized: true });
    if (!requestCert) return server;
    server.on('tlsClientError', (error, socket) => {
      const refusal = clientRefusal(error, socket);
      if (refusal !== undefined) this.#refused.add(refusal.reason, refusal.peer, refusal);
    });
    return server;
  }

  async #listen(address: ListenAddress): Promise<void> {
    try {
      await startListening(this.#app.server, listenOptions(address, this.#isPortShared));
      if (this.#compat !== undefined) {
        await startListening(this.#compat.app.server, listenOptions(this.#compat.address, this.#isPortShared));
      }
    } catch (error) {
      send({ type: 'listenFailed', reason: `Cannot listen: ${errorMessage(error)}.` });
      await this.#stop();
      return;
    }
    // Node keeps accepting after errors such as too many open files
    for (const { server } of this.#apps()) {
      server.on('error', (error) => this.#log.error({ err: error }, 'a listener failed'));
    }
    // a string for a Unix socket, which has no port
    const bound = this.#app.server.address() as AddressInfo | string;
    send({ type: 'listening', port: typeof bound === 'string' ? 0 : bound.port, data: this.#engine.dataset.version });
    if (this.#borders !== undefined) runWhenIdle(() => this.#prepareContaining());
  }

  #apps(): App[] {
    return this.#compat === undefined ? [this.#app] : [this.#app, this.#compat.app];
  }

  /** A lookup before the main thread has sent the borders loads them in this thread. */
  #openEngine(index: SharedArrayBuffer): Engine {
    return openEngine(index, { loadBorders: () => (this.#borders ??= loadWorldBorders()) });
  }

  /** The first `containing` lookup creates lists of the index, for which a client would wait. */
  #prepareContaining(): void {
    try {
      this.#engine.reverse({ at: { lat: 0, lng: 0 }, limit: 1, mode: 'containing' });
      this.#log.debug('the borders of the world are loaded');
      releaseHeapSoon(); // of the start
    } catch (error) {
      this.#log.error({ err: error }, 'the borders of the world could not be loaded');
    }
  }

  #noteCertificate(tls: ServedCertificate | undefined): void {
    this.#certificateEnd = tls?.validTo;
    this.#isSelfSigned = tls?.isSelfSigned ?? false;
    // browsers must not insist on HTTPS for a host whose certificate they may not accept later
    const isFromAuthority = tls !== undefined && !tls.isSelfSigned;
    this.#strictTransportSecurity = isFromAuthority ? `max-age=${this.#hstsSeconds}` : undefined;
  }

  #replaceValues(id: number, { data, tls, borders, notice, ipDatabases }: Partial<ReplaceableValues>): void {
    if (notice !== undefined) this.#notice = notice;
    if (ipDatabases !== undefined) this.#locate = createLocator(ipDatabases);
    try {
      if (tls !== undefined) {
        // only a server with TLS gets `tls`
        (this.#app.server as unknown as HttpsServer).setSecureContext(secureContextOptions(tls));
        this.#noteCertificate(tls);
      }
      if (data !== undefined) {
        this.#engine = this.#openEngine(data);
        releaseHeapSoon();
        runWhenIdle(() => this.#prepareContaining());
      }
      if (borders !== undefined) {
        this.#borders ??= openWorldBorders(borders);
        runWhenIdle(() => this.#prepareContaining());
      }
      send({ type: 'replaced', id, data: this.#engine.dataset.version });
    } catch (error) {
      send({ type: 'refused', id, data: this.#engine.dataset.version, reason: errorMessage(error) });
    }
  }

  /** Finishes requests, then stops. The listener stays open for `graceMs` for slow proxies. */
  async #drain(graceMs: number): Promise<void> {
    this.#isDraining = true;
    const servers = this.#apps().map(({ server }) => server);
    // not `once` of node:events, which rejects if the server emits an error meanwhile
    const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.once('close', resolve))));
    await pause(graceMs);
    await Promise.all(servers.map((server) => closeListener(server)));
    await Promise.race([closed, pause(OPEN_CONNECTIONS_GRACE_MS, undefined, { ref: false })]);
    const closeTimer = setInterval(() => {
      for (const connections of this.#openConnections) connections.closeUnused();
      for (const server of servers) server.closeIdleConnections();
    }, CLOSE_IDLE_INTERVAL_MS);
    await this.#stop();
    clearInterval(closeTimer);
  }

  async #stop(): Promise<void> {
    try {
      await Promise.all(this.#apps().map((app) => app.close()));
      this.#reportKeyUses();
      this.#access.close();
    } catch (error) {
      this.#log.error({ err: error }, 'a thread did not stop cleanly');
    }
    parentPort?.close(); // then the thread exits
  }

  #reportKeyUses(): void {
    if (this.#keyUseTimes.size === 0) return;
    send({ type: 'keysUsed', uses: this.#keyUseTimes });
    this.#keyUseTimes = new Map();
  }
}

function secondsOf(time: Date | undefined): number | undefined {
  return time && time.getTime() / 1000;
}

function send(message: FromWorker): void {
  parentPort?.postMessage(message);
}

function listenOptions(address: ListenAddress, isPortShared: boolean) {
  if (address.kind === 'unix') return { path: address.path, backlog: MAX_UNACCEPTED };
  return { host: address.host, port: address.port, reusePort: isPortShared, backlog: MAX_UNACCEPTED };
}
