/** Metrics of one worker thread: connections, event loop and data. */
import type { Dataset } from '../../engine/engine.ts';
import { counter, gauge, type Metric } from './metric.ts';

export interface ThreadState {
  readonly connections: number;
  /** By reason. */
  readonly refusedConnections: Readonly<Record<string, number>>;
  readonly maxDelaySeconds: number;
  readonly dataset: Dataset;
}

export function threadMetrics(state: ThreadState): Metric[] {
  const { connections, refusedConnections, maxDelaySeconds, dataset } = state;
  const refusedByReason = Object.entries(refusedConnections).map(([reason, value]) => ({ value, labels: { reason } }));
  return [
    gauge(connections, { name: 'toponym_connections', help: 'Connections open now.', aggregator: 'sum' }),
    counter(refusedByReason, {
      name: 'toponym_refused_connections_total',
      help: 'Connections closed before a request was read, by reason.',
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
  ];
}
