/** Metrics of the whole process: memory, reloads, the age of the index file. */
import { type Metric, plainMetric } from './metric.ts';

export interface ProcessState {
  readonly reloads: { readonly ok: number; readonly failed: number };
  /** Modification time of the index file being served; undefined if stat failed. */
  readonly indexWrittenMs: number | undefined;
}

export function processMetrics({ reloads, indexWrittenMs }: ProcessState): Metric[] {
  const reloadMetric: Metric = {
    name: 'toponym_reloads_total',
    help: 'Reloads, by whether every file could be reloaded.',
    type: 'counter',
    aggregator: 'sum',
    values: Object.entries(reloads).map(([result, value]) => ({ value, labels: { result } })),
  };
  const memory = plainMetric(process.memoryUsage.rss(), {
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process, all threads and shared data included.',
    type: 'gauge',
    aggregator: 'sum',
  });
  if (indexWrittenMs === undefined) return [reloadMetric, memory];
  const written = plainMetric(indexWrittenMs / 1000, {
    name: 'toponym_index_written_timestamp_seconds',
    help: 'Unix time at which the index file being served was written; its age is time() minus this.',
    type: 'gauge',
    aggregator: 'max',
  });
  return [reloadMetric, memory, written];
}
