/** Metrics of the whole process, which only the main thread reports, and the limits of the process. */

import { readdirSync, readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { counter, gauge, type Metric, optionalGauge } from './metric.ts';

export interface ProcessState {
  readonly reloads: { readonly ok: number; readonly failed: number };
  /** Modification time of the index file being served; undefined if stat failed. */
  readonly indexModifiedMs: number | undefined;
}

interface ServiceState extends ProcessState {
  readonly version: string;
  readonly isReady: boolean;
  /** Threads started to replace others that exited. */
  readonly threadRestarts: number;
  /** Version of the data that each thread serves. */
  readonly servedData: readonly string[];
}

const START_SECONDS = Date.now() / 1000 - process.uptime();

export function processMetrics(state: ServiceState): Metric[] {
  const { reloads, indexModifiedMs, version, isReady, threadRestarts, servedData } = state;
  const byResult = Object.entries(reloads).map(([result, value]) => ({ value, labels: { result } }));
  const byData = Object.entries(Object.groupBy(servedData, (data) => data));
  const threadsByData = byData.map(([data, threads = []]) => ({ value: threads.length, labels: { version: data } }));
  return [
    gauge(threadsByData, {
      name: 'toponym_data_threads',
      help: 'Threads by the version of the data that they serve; `unknown` if a thread has not confirmed new data.',
    }),
    gauge([{ value: 1, labels: { version } }], {
      name: 'toponym_build_info',
      help: 'Always 1; the version of the program is a label.',
    }),
    gauge(isReady ? 1 : 0, {
      name: 'toponym_ready',
      help: '1 while the service accepts calls; 0 while it starts or stops, or if no thread replies.',
    }),
    counter(threadRestarts, {
      name: 'toponym_thread_restarts_total',
      help: 'Worker threads started to replace others that failed.',
    }),
    counter(byResult, { name: 'toponym_reloads_total', help: 'Reloads by result: ok if every file was reloaded.' }),
    ...optionalGauge(indexModifiedMs && indexModifiedMs / 1000, {
      name: 'toponym_index_written_timestamp_seconds',
      help: 'Unix time at which the index file being served was written; its age is time() minus this.',
    }),
    ...systemMetrics(),
  ];
}

/** Names and meanings are those that Prometheus recommends for every process, except the limit. */
function systemMetrics(): Metric[] {
  const { user, system } = process.cpuUsage();
  return [
    counter((user + system) / 1e6, {
      name: 'process_cpu_seconds_total',
      help: 'Processor time of the process, all threads included.',
    }),
    gauge(START_SECONDS, {
      name: 'process_start_time_seconds',
      help: 'Unix time at which the process started.',
    }),
    gauge(process.memoryUsage.rss(), {
      name: 'process_resident_memory_bytes',
      help: 'Resident memory of the process, all threads and shared data included.',
    }),
    gauge(memoryLimitBytes(), {
      name: 'toponym_memory_limit_bytes',
      help: 'Memory that the process may use: the limit of its container, or the memory of the machine.',
    }),
    ...optionalGauge(openDescriptors(), { name: 'process_open_fds', help: 'Open file descriptors.' }),
    ...optionalGauge(maxDescriptors(), { name: 'process_max_fds', help: 'Maximum open file descriptors.' }),
  ];
}

/** Memory that the process may use: the limit of its container, or the memory of the machine. */
export function memoryLimitBytes(): number {
  const limit = process.constrainedMemory(); // 0 or a huge number if there is none
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Returns undefined if the system does not tell, as on Windows. */
export function maxDescriptors(limitsFile = '/proc/self/limits'): number | undefined {
  try {
    const [, softLimit = ''] = /^Max open files\s+(\S+)/m.exec(readFileSync(limitsFile, 'utf8')) ?? [];
    return softLimit === 'unlimited' ? Number.POSITIVE_INFINITY : Number.parseInt(softLimit, 10) || undefined;
  } catch {
    return undefined;
  }
}

/** Returns undefined if the system does not tell. */
function openDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length - 1; // one belongs to this call
  } catch {
    return undefined;
  }
}
