/** Metrics of one worker thread: connections, event loop, data and certificate. */
import type { Dataset } from '../../engine/engine.ts';
import { dataDate } from '../../http/data-age.ts';
import { counter, gauge, type Metric } from './metric.ts';

interface ThreadState {
  readonly connections: number;
  /** By reason. */
  readonly refusedConnections: Readonly<Record<string, number>>;
  readonly maxDelaySeconds: number;
  readonly dataset: Dataset;
  /** When the certificate being served expires; undefined behind a proxy. */
  readonly certificateEnd: Date | undefined;
}

export function threadMetrics(state: ThreadState): Metric[] {
  const { connections, refusedConnections, maxDelaySeconds, dataset, certificateEnd } = state;
  const refusedByReason = Object.entries(refusedConnections).map(([reason, value]) => ({ value, labels: { reason } }));
  return [
    gauge(connections, { name: 'toponym_connections', help: 'Connections open now.', aggregator: 'sum' }),
    counter(refusedByReason, {
      name: 'toponym_refused_connections_total',
      help: 'Connections refused, or closed to make room for others, by reason.',
    }),
    gauge(maxDelaySeconds, {
      name: 'toponym_event_loop_delay_seconds',
      help: 'Longest event loop delay of any thread in the last minute. Each thread measures its delay ten times a second.',
      aggregator: 'max',
    }),
    gauge(dataset.places, {
      name: 'toponym_data_places',
      help: 'Places being served, overlay included.',
      aggregator: 'max',
    }),
    gauge([{ value: 1, labels: { version: dataset.version } }], {
      name: 'toponym_data_info',
      help: 'Always 1; the version of the data being served is a label.',
      aggregator: 'max',
    }),
    ...timestamp(dataDate(dataset.version), {
      name: 'toponym_data_timestamp_seconds',
      help: 'Unix time of the newest date in the version of the data being served; absent if it has none.',
    }),
    ...timestamp(certificateEnd, {
      name: 'toponym_certificate_expiry_timestamp_seconds',
      help: 'Unix time at which the certificate being served expires; absent behind a proxy.',
    }),
  ];
}

function timestamp(time: Date | undefined, texts: Pick<Metric, 'name' | 'help'>): Metric[] {
  return time === undefined ? [] : [gauge(time.getTime() / 1000, { ...texts, aggregator: 'max' })];
}
