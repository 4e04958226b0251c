/** `GET /metrics` for Prometheus on a separate loopback port: metrics of all threads, combined. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AggregatorRegistry, Registry } from 'prom-client';
import { errorMessage } from '../../errors/error-message.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { startListening } from '../listen/start-listening.ts';
import type { Logger } from '../log.ts';
import type { Metric } from './metric.ts';

export interface MetricsServer {
  readonly url: string;
  close(): void;
}

const HOST = '127.0.0.1';

export async function startMetricsServer(
  port: number,
  collect: () => Promise<Metric[][]>,
  log: Logger,
): Promise<MetricsServer> {
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
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end('Only /metrics is here.\n');
    if (request.method !== 'GET') return response.writeHead(405, { Allow: 'GET' }).end();
    try {
      const text = await metricsText();
      response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text);
    } catch (error) {
      log.error({ err: error }, 'metrics could not be collected');
      response.writeHead(500).end();
    }
  });
  try {
    await startListening(server, { host: HOST, port });
  } catch (error) {
    throw new UsageError(`--metrics-port ${port}: cannot listen on it: ${errorMessage(error)}.`, { cause: error });
  }
  server.on('error', (error) => log.error({ err: error }, 'the metrics listener failed'));
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}/metrics`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
