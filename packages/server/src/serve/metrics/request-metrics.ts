/** Metrics of the responses and of the response cache of one worker thread. */

import type { AppMetrics } from '../../http/app.ts';
import type { CacheCounts } from '../../http/response/response-cache.ts';
import { type Metric, metricsOf } from './metric.ts';

interface RequestMetrics extends AppMetrics {
  collect(): Metric[];
}

interface EndpointCounts {
  readonly byStatus: Map<number, number>;
  /** By duration. Bucket i ends at BUCKET_ENDS_SECONDS[i], and the last bucket never ends. */
  readonly byBucket: Float64Array;
  totalSeconds: number;
}

// a response takes tens of microseconds, but more on machines under load
const BUCKET_ENDS_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

const SERVICE_UNAVAILABLE = 503;

export function createRequestMetrics(): RequestMetrics {
  const byEndpoint = new Map<string, EndpointCounts>();
  const cache: CacheCounts = { hits: 0, misses: 0 };
  return {
    cache,
    onResponse(endpoint, status, seconds) {
      let counts = byEndpoint.get(endpoint);
      if (counts === undefined) {
        counts = { byStatus: new Map(), byBucket: new Float64Array(BUCKET_ENDS_SECONDS.length + 1), totalSeconds: 0 };
        byEndpoint.set(endpoint, counts);
      }
      counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
      const bucket = bucketOf(seconds);
      counts.byBucket[bucket] = (counts.byBucket[bucket] ?? 0) + 1;
      counts.totalSeconds += seconds;
    },
    collect: () =>
      metricsOf({
        toponym_requests_total: requestValues(byEndpoint),
        toponym_request_seconds: secondsValues(byEndpoint),
        toponym_shed_requests_total: shedRequests(byEndpoint),
        toponym_cache_hits_total: cache.hits,
        toponym_cache_misses_total: cache.misses,
      }),
  };
}

function bucketOf(seconds: number): number {
  const bucket = BUCKET_ENDS_SECONDS.findIndex((upperBound) => seconds <= upperBound);
  return bucket < 0 ? BUCKET_ENDS_SECONDS.length : bucket;
}

function requestValues(byEndpoint: ReadonlyMap<string, EndpointCounts>) {
  return [...byEndpoint].flatMap(([endpoint, { byStatus }]) =>
    [...byStatus].map(([status, value]) => ({ value, labels: { endpoint, status } })),
  );
}

function secondsValues(byEndpoint: ReadonlyMap<string, EndpointCounts>) {
  const name = 'toponym_request_seconds';
  return [...byEndpoint].flatMap(([endpoint, { byBucket, totalSeconds }]) => {
    let count = 0;
    // Prometheus buckets are cumulative: `le` is an upper bound
    const buckets = [...BUCKET_ENDS_SECONDS, '+Inf'].map((le, i) => {
      count += byBucket[i] ?? 0;
      return { value: count, labels: { le, endpoint }, metricName: `${name}_bucket` };
    });
    const labels = { endpoint };
    return [
      ...buckets,
      { value: totalSeconds, labels, metricName: `${name}_sum` },
      { value: count, labels, metricName: `${name}_count` },
    ];
  });
}

/** Counts API calls only: `/readyz` of a stopping service, in `other`, also responds with 503. */
function shedRequests(byEndpoint: ReadonlyMap<string, EndpointCounts>): number {
  const counts = [...byEndpoint].filter(([endpoint]) => endpoint !== 'other');
  return counts.reduce((sum, [, { byStatus }]) => sum + (byStatus.get(SERVICE_UNAVAILABLE) ?? 0), 0);
}
