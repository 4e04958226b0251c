/**
 * The metrics listener: `GET /metrics` for Prometheus, combined over all threads, and the health
 * checks `/healthz` and `/readyz`. It speaks plain HTTP and serves no places, keys or addresses.
 */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AggregatorRegistry, Registry } from 'prom-client';
import { UsageError } from '../../errors/usage-error.ts';
import { METRICS_REQUEST_TIMEOUT_MS, REQUEST_CHECK_INTERVAL_MS } from '../../http/timeouts.ts';
import { listenErrorText, urlOf } from '../listen/listen-address.ts';
import { OpenConnections } from '../listen/open-connections.ts';
import { startListening } from '../listen/start-listening.ts';
import type { Logger } from '../log.ts';
import type { Health, HealthResponse } from './health.ts';
import type { Metric } from './metric.ts';
import { MAX_METRICS_CONNECTIONS } from './metrics-settings.ts';

export interface MetricsServer {
  readonly url: string;
  close(): void;
}

export interface MetricsServerOptions {
  readonly host: string;
  readonly port: number;
  readonly collect: () => Promise<(readonly Metric[])[]>;
  readonly health: Pick<Health, 'liveness' | 'readiness'>;
  readonly log: Logger;
}

export async function startMetricsServer(options: MetricsServerOptions): Promise<MetricsServer> {
  const { host, port, log } = options;
  const server = createMetricsServer(options);
  try {
    await startListening(server, { host, port });
  } catch (error) {
    const flags = { host: '--metrics-host', port: '--metrics-port' };
    throw new UsageError(listenErrorText(error, `${host} port ${port}`, flags), { cause: error });
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
  let collecting: Promise<string> | undefined;
  // concurrent requests share one collection
  const metricsText = () => {
    collecting ??= collect()
      .then((perThread) => AggregatorRegistry.aggregate(perThread).metrics())
      .finally(() => {
        collecting = undefined;
      });
    return collecting;
  };
  const handlers: Readonly<Record<string, (response: ServerResponse) => Promise<void>>> = {
    '/metrics': async (response) => {
      const text = await metricsText();
      response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text);
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
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(body);
}
