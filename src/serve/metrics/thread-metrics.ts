/** Metrics of one worker thread other than its requests. */
import type { Dataset } from '../../engine/engine.ts';
import { type Metric, plainMetric } from './metric.ts';

export interface ThreadState {
  readonly connections: number;
  readonly maxDelaySeconds: number;
  readonly dataset: Dataset;
}

export function threadMetrics({ connections, maxDelaySeconds, dataset }: ThreadState): Metric[] {
  return [
    plainMetric(connections, {
      name: 'toponym_connections',
      help: 'Connections open now.',
      type: 'gauge',
      aggregator: 'sum',
    }),
    plainMetric(maxDelaySeconds, {
      name: 'toponym_event_loop_delay_seconds',
      help: 'Longest delay of an event loop in the last minute, of all threads, sampled ten times a second.',
      type: 'gauge',
      aggregator: 'max',
    }),
    plainMetric(dataset.places, {
      name: 'toponym_data_places',
      help: 'Places being served, overlay included.',
      type: 'gauge',
      aggregator: 'max',
    }),
    {
      name: 'toponym_data_info',
      help: 'Always 1; the version of the data being served is a label.',
      type: 'gauge',
      aggregator: 'max',
      values: [{ value: 1, labels: { version: dataset.version } }],
    },
  ];
}
