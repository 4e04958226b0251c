/** What the system tells about the process: limits, and metrics that the main thread reports. */

import { readdirSync, readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { type Metric, metricsOf } from './metric.ts';

const START_SECONDS = Date.now() / 1000 - process.uptime();

export function processMetrics(): Metric[] {
  const { user, system } = process.cpuUsage();
  return metricsOf({
    process_cpu_seconds_total: (user + system) / 1e6,
    process_start_time_seconds: START_SECONDS,
    process_resident_memory_bytes: process.memoryUsage.rss(),
    toponym_memory_limit_bytes: memoryLimitBytes(),
    process_open_fds: openDescriptors(),
    process_max_fds: maxDescriptors(),
  });
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
