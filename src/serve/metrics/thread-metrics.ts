/** Metrics of one worker thread: connections, event loop and data. */
import type { Dataset } from '../../engine/engine.ts';
import { gauge, type Metric } from './metric.ts';

export interface ThreadState {
  readonly connections: number;
  readonly maxDelaySeconds: number;
  readonly dataset: Dataset;
}

export function threadMetrics({ connections, maxDelaySeconds, dataset }: ThreadState): Metric[] {
  return [
    gauge(connections, { name: 'toponym_connections', help: 'Connections open now.', aggregator: 'sum' }),
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
