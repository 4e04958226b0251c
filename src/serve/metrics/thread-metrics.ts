/** Metrics of one worker thread: responses, cache, connections, event loop, data and certificate. */

import type { Dataset } from '../../engine/engine.ts';
import type { AppMetrics } from '../../http/app.ts';
import { dataDate } from '../../http/data-age.ts';
import type { CacheCounts } from '../../http/response/response-cache.ts';
import { counter, gauge, type Metric, optionalGauge } from './metric.ts';

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
    collect: () => [
      requestsMetric(byEndpoint),
      secondsMetric(byEndpoint),
      shedMetric(byEndpoint),
      counter(cache.hits, { name: 'toponym_cache_hits_total', help: 'Searches answered from the response cache.' }),
      counter(cache.misses, {
        name: 'toponym_cache_misses_total',
        help: 'Searches looked up in the response cache and not found.',
      }),
    ],
  };
}

function bucketOf(seconds: number): number {
  const bucket = BUCKET_ENDS_SECONDS.findIndex((upperBound) => seconds <= upperBound);
  return bucket < 0 ? BUCKET_ENDS_SECONDS.length : bucket;
}

function requestsMetric(byEndpoint: ReadonlyMap<string, EndpointCounts>): Metric {
  const values = [...byEndpoint].flatMap(([endpoint, { byStatus }]) =>
    [...byStatus].map(([status, value]) => ({ value, labels: { endpoint, status } })),
  );
  return counter(values, { name: 'toponym_requests_total', help: 'Requests answered, by endpoint and HTTP status.' });
}

function secondsMetric(byEndpoint: ReadonlyMap<string, EndpointCounts>): Metric {
  const name = 'toponym_request_seconds';
  return {
    name,
    help: 'Time from the start of handling a request to the end of its response.',
    type: 'histogram',
    aggregator: 'sum',
    values: [...byEndpoint].flatMap(([endpoint, { byBucket, totalSeconds }]) => {
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
    }),
  };
}

/** Counts API calls only: `/readyz` of a stopping service, in `other`, also responds with 503. */
function shedMetric(byEndpoint: ReadonlyMap<string, EndpointCounts>): Metric {
  const counts = [...byEndpoint].filter(([endpoint]) => endpoint !== 'other');
  const shed = counts.reduce((sum, [, { byStatus }]) => sum + (byStatus.get(SERVICE_UNAVAILABLE) ?? 0), 0);
  return counter(shed, {
    name: 'toponym_shed_requests_total',
    help: 'API calls answered with 503 because the thread was overloaded or stopping.',
  });
}

interface ThreadState {
  readonly hasReloadProblem: boolean;
  readonly connections: number;
  /** By reason. */
  readonly refusedConnections: Readonly<Record<string, number>>;
  readonly maxDelaySeconds: number;
  readonly dataset: Dataset;
  /** When the certificate being served expires; undefined behind a proxy. */
  readonly certificateEnd: Date | undefined;
}

export function threadMetrics(state: ThreadState): Metric[] {
  const { hasReloadProblem, connections, refusedConnections, maxDelaySeconds, dataset, certificateEnd } = state;
  const refusedByReason = Object.entries(refusedConnections).map(([reason, value]) => ({ value, labels: { reason } }));
  return [
    gauge(hasReloadProblem ? 1 : 0, {
      name: 'toponym_reload_problem',
      help: '1 while the newest index, overlay or certificate could not be reloaded and the old one is being served.',
    }),
    { ...gauge(connections, { name: 'toponym_connections', help: 'Connections open now.' }), aggregator: 'sum' },
    counter(refusedByReason, {
      name: 'toponym_refused_connections_total',
      help: 'Connections refused, or closed to make room for others, by reason.',
    }),
    gauge(maxDelaySeconds, {
      name: 'toponym_event_loop_delay_seconds',
      help: 'Longest event loop delay of any thread in the last minute. Each thread measures its delay ten times a second.',
    }),
    gauge(dataset.places, {
      name: 'toponym_data_places',
      help: 'Places being served, overlay included.',
    }),
    gauge([{ value: 1, labels: { version: dataset.version } }], {
      name: 'toponym_data_info',
      help: 'Always 1; the version of the data being served is a label.',
    }),
    ...optionalGauge(secondsOf(dataDate(dataset.version)), {
      name: 'toponym_data_timestamp_seconds',
      help: 'Unix time of the newest date in the version of the data being served; absent if it has none.',
    }),
    ...optionalGauge(secondsOf(certificateEnd), {
      name: 'toponym_certificate_expiry_timestamp_seconds',
      help: 'Unix time at which the certificate being served expires; absent behind a proxy.',
    }),
  ];
}

function secondsOf(time: Date | undefined): number | undefined {
  return time && time.getTime() / 1000;
}
