/** Metrics of the whole process, which only the main thread reports. */
import { counter, gauge, type Metric } from './metric.ts';

export interface ProcessState {
  readonly reloads: { readonly ok: number; readonly failed: number };
  /** Modification time of the index file being served; undefined if stat failed. */
  readonly indexModifiedMs: number | undefined;
}

export function processMetrics({ reloads, indexModifiedMs }: ProcessState): Metric[] {
  const byResult = Object.entries(reloads).map(([result, value]) => ({ value, labels: { result } }));
  const metrics = [
    counter(byResult, { name: 'toponym_reloads_total', help: 'Reloads by result: ok if every file was reloaded.' }),
    gauge(process.memoryUsage.rss(), {
      name: 'process_resident_memory_bytes',
      help: 'Resident memory of the process, all threads and shared data included.',
      aggregator: 'sum',
    }),
  ];
  if (indexModifiedMs === undefined) return metrics;
  const written = gauge(indexModifiedMs / 1000, {
    name: 'toponym_index_written_timestamp_seconds',
    help: 'Unix time at which the index file being served was written; its age is time() minus this.',
    aggregator: 'max',
  });
  return [...metrics, written];
}
