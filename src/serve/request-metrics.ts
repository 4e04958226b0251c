/**
 * What one thread counts about its requests: plain numbers, bumped at each answer. They become metrics, in the form
 * prom-client sums over threads, only when somebody collects them; the threads that answer do not load prom-client.
 */
import type { AppMetrics } from '../http/door.ts';

export interface RequestMetrics extends AppMetrics {
  /** Whether the newest files could not be taken up. */
  setProblem(isThere: boolean): void;
  collect(): ThreadMetric[];
}

/** As prom-client's `getMetricsAsJSON` gives them. */
export interface ThreadMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'histogram' | 'gauge';
  readonly aggregator: 'sum' | 'max';
  readonly values: readonly MetricValue[];
}

interface MetricValue {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** Where it is not the name of the metric. */
  readonly metricName?: string;
}

interface EndpointCounts {
  /** How many answers had each status. */
  readonly byStatus: Map<number, number>;
  /** How many took up to SECONDS_BUCKETS[i] and longer than the one before; the last counts the rest. */
  readonly byBucket: Float64Array;
  totalSeconds: number;
}

// an answer takes tens of microseconds; the upper end is for machines under load
const SECONDS_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

export function createRequestMetrics(): RequestMetrics {
  const byEndpoint = new Map<string, EndpointCounts>();
  let isProblem = false;
  return {
    setProblem(isThere) {
      isProblem = isThere;
    },
    onResponse(endpoint, status, seconds) {
      let counts = byEndpoint.get(endpoint);
      if (counts === undefined) {
        counts = { byStatus: new Map(), byBucket: new Float64Array(SECONDS_BUCKETS.length + 1), totalSeconds: 0 };
        byEndpoint.set(endpoint, counts);
      }
      counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
      const bucket = bucketOf(seconds);
      counts.byBucket[bucket] = (counts.byBucket[bucket] ?? 0) + 1;
      counts.totalSeconds += seconds;
    },
    collect: () => [requestsMetric(byEndpoint), secondsMetric(byEndpoint), problemMetric(isProblem)],
  };
}

function bucketOf(seconds: number): number {
  const bucket = SECONDS_BUCKETS.findIndex((most) => seconds <= most);
  return bucket < 0 ? SECONDS_BUCKETS.length : bucket;
}

function requestsMetric(byEndpoint: ReadonlyMap<string, EndpointCounts>): ThreadMetric {
  return {
    name: 'toponym_requests_total',
    help: 'Requests answered, by endpoint and HTTP status.',
    type: 'counter',
    aggregator: 'sum',
    values: [...byEndpoint].flatMap(([endpoint, { byStatus }]) =>
      [...byStatus].map(([status, value]) => ({ value, labels: { endpoint, status } })),
    ),
  };
}

function secondsMetric(byEndpoint: ReadonlyMap<string, EndpointCounts>): ThreadMetric {
  const name = 'toponym_request_seconds';
  return {
    name,
    help: 'Time from the first byte of a request to the end of its answer.',
    type: 'histogram',
    aggregator: 'sum',
    values: [...byEndpoint].flatMap(([endpoint, { byBucket, totalSeconds }]) => {
      let count = 0;
      const buckets = [...SECONDS_BUCKETS, '+Inf'].map((le, i) => {
        count += byBucket[i] ?? 0;
        return { value: count, labels: { le, endpoint }, metricName: `${name}_bucket` };
      });
      const labels = { endpoint };
      return [
        ...buckets,
        { value: totalSeconds, labels, metricName: `${name}_sum` },
        { value: count, labels, metricName: `${name}_count` },
      ];
    }),
  };
}

function problemMetric(isProblem: boolean): ThreadMetric {
  return {
    name: 'toponym_reload_problem',
    help: '1 while the newest index, overlay or certificate could not be taken up and the old one goes on serving.',
    type: 'gauge',
    aggregator: 'max',
    values: [{ value: isProblem ? 1 : 0, labels: {} }],
  };
}
