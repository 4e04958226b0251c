/**
 * The metrics listener: `GET /metrics` for Prometheus, combined over all threads, and the health
 * checks `/healthz` and `/readyz`. It speaks plain HTTP and serves no places, keys or addresses.
 * An orchestrator's probes come from addresses that are not trusted proxies, so the service's own port
 * may refuse them.
 */

import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from 'toponym-files/errors/errors';
import { errorResponse, RequestError } from '../../http/errors.ts';
import { JSON_TYPE } from '../../http/headers.ts';
import { createServer } from '../../http/node-http.ts';
import { readinessJson } from '../../http/readiness.ts';
import { METRICS_REQUEST_TIMEOUT_MS, REQUEST_CHECK_INTERVAL_MS } from '../../http/timeouts.ts';
import { isSamePort, type ListenAddress, listenErrorText, startListening, urlOf } from '../listen/listen-address.ts';
import { OpenConnections } from '../listen/open-connections.ts';
import type { Logger } from '../log.ts';
import { formatMetrics, METRICS_TYPE, type Metric } from './metric.ts';

export interface MetricsServerOptions {
  readonly host: string;
  readonly port: number;
  readonly collect: () => Promise<(readonly Metric[])[]>;
  readonly health: Pick<Health, 'liveness' | 'readiness'>;
  readonly log: Logger;
}

export const METRICS_FLAGS = { host: '--metrics-host', port: '--metrics-port' };

export type MetricsServer = Awaited<ReturnType<typeof startMetricsServer>>;

export async function startMetricsServer(options: MetricsServerOptions) {
  const { host, port, log } = options;
  const server = createMetricsServer(options);
  try {
    await startListening(server, { host, port });
  } catch (error) {
    throw new UsageError(listenErrorText(error, `${host} port ${port}`, METRICS_FLAGS), { cause: error });
  }
  server.on('error', (error) => log.error({ err: error }, 'the metrics listener failed'));
  const bound = server.address() as AddressInfo;
  return {
    url: `${urlOf({ kind: 'tcp', host: bound.address, port: bound.port }, false)}/metrics`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function createMetricsServer({ collect, health, log }: MetricsServerOptions): Server {
  const metricsText = shared(async () => formatMetrics(await collect()));
  const handlers: Readonly<Record<string, (response: ServerResponse) => Promise<void>>> = {
    '/metrics': async (response) => {
      const text = await metricsText();
      response.writeHead(200, { 'Content-Type': METRICS_TYPE }).end(text);
    },
    '/healthz': async (response) => sendHealth(response, await health.liveness()),
    '/readyz': async (response) => sendHealth(response, await health.readiness()),
  };
  const limits = { requestTimeout: METRICS_REQUEST_TIMEOUT_MS, connectionsCheckingInterval: REQUEST_CHECK_INTERVAL_MS };
  const server = createServer(limits, async ({ url = '', method }, response) => {
    const handle = Object.hasOwn(handlers, url) ? handlers[url] : undefined;
    if (handle === undefined) return response.writeHead(404).end('Only /metrics, /healthz and /readyz are here.\n');
    if (method !== 'GET') return response.writeHead(405, { Allow: 'GET' }).end();
    try {
      await handle(response);
    } catch (error) {
      log.error({ err: error }, 'metrics could not be collected');
      response.writeHead(500).end();
    }
  });
  new OpenConnections(server, { max: MAX_METRICS_CONNECTIONS });
  return server;
}

function sendHealth(response: ServerResponse, { status, body }: HealthResponse): void {
  response.writeHead(status, { 'Content-Type': JSON_TYPE }).end(body);
}

export interface MetricsSettings {
  readonly metricsPort: number | undefined;
  readonly metricsHost: string;
}

/** Enough for scrapers and probes. Strangers may reach the listener if it is not on loopback. */
export const MAX_METRICS_CONNECTIONS = 200;

const DEFAULT_HOST = '127.0.0.1';

/** Throws UsageError. Logs a host that has no effect. */
export function checkMetricsSettings(
  service: ListenAddress,
  { metricsPort, metricsHost }: MetricsSettings,
  log: Pick<Logger, 'warn'>,
): void {
  if (metricsPort === undefined) {
    if (metricsHost !== DEFAULT_HOST)
      log.warn(`--metrics-host ${metricsHost} has no effect: set --metrics-port to turn on the metrics listener`);
    return;
  }
  if (service.kind === 'tcp' && isSamePort(service, { kind: 'tcp', host: metricsHost, port: metricsPort }))
    throw new UsageError(
      `--metrics-port ${metricsPort} is also the --port of the service on ${service.host}: choose another port for one of them (0 picks a free one).`,
    );
}

export interface HealthSources {
  /** Whether a worker thread replies. */
  readonly isAnswering: () => Promise<boolean>;
  /** Version of the data that each thread serves. */
  readonly servedData: () => readonly string[];
  /** A warning that `/readyz` shows, or an empty string. */
  readonly notice: () => string;
}

interface HealthResponse {
  readonly status: number;
  readonly body: string;
}

export class Health {
  phase: 'starting' | 'serving' | 'stopping' = 'starting';
  readonly #sources: HealthSources;
  readonly #isAnswering: () => Promise<boolean>;

  constructor(sources: HealthSources) {
    this.#sources = sources;
    this.#isAnswering = shared(sources.isAnswering);
  }

  /** The response to `/healthz`. */
  async liveness(): Promise<HealthResponse> {
    // threads reply only while the service is serving
    if (this.phase === 'serving' && !(await this.#isAnswering())) return notReady('no thread answers');
    return { status: 200, body: '{"status":"alive"}' };
  }

  /** The response to `/readyz`. */
  async readiness(): Promise<HealthResponse> {
    if (this.phase === 'starting') return notReady('the service is starting');
    const isAnswering = this.phase === 'serving' && (await this.#isAnswering());
    if (this.phase !== 'serving') return notReady('the service is shutting down');
    if (!isAnswering) return notReady('no thread answers');
    const versions = [...new Set(this.#sources.servedData())]; // several while threads get new data
    return { status: 200, body: readinessJson(versions.join(', '), this.#sources.notice()) };
  }
}

/** Requests that arrive while `ask` runs share its answer. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= ask().finally(() => {
      running = undefined;
    });
    return running;
  };
}

function notReady(message: string): HealthResponse {
  return errorResponse(new RequestError('not_ready', message), randomUUID());
}
