/**
 * What one thread counts about its requests, in the form prom-client can sum over threads.
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { AppMetrics } from '../http/door.ts';

export interface RequestMetrics extends AppMetrics {
  /** Whether the newest files could not be taken up. */
  setProblem(isThere: boolean): void;
  collect(): Promise<object[]>;
}

// an answer takes tens of microseconds; the upper end is for machines under load
const SECONDS_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

export function createRequestMetrics(): RequestMetrics {
  const registry = new Registry();
  const requests = new Counter({
    name: 'toponym_requests_total',
    help: 'Requests answered, by endpoint and HTTP status.',
    labelNames: ['endpoint', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'toponym_request_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['endpoint'],
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  });
  const problem = new Gauge({
    name: 'toponym_reload_problem',
    help: '1 while the newest index, overlay or certificate could not be taken up and the old one goes on serving.',
    aggregator: 'max',
    registers: [registry],
  });
  return {
    setProblem(isThere) {
      problem.set(isThere ? 1 : 0);
    },
    onResponse(endpoint, status, elapsedSeconds) {
      requests.inc({ endpoint, status });
      seconds.observe({ endpoint }, elapsedSeconds);
    },
    collect: () => registry.getMetricsAsJSON(),
  };
}
