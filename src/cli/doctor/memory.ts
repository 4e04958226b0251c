/** Memory: the limit of the container or machine against what the service takes. */
import { statSync } from 'node:fs';
import { embeddedIpDatabasePaths } from '../../locate/embedded-ip-databases.ts';
import { memoryLimitBytes } from '../../serve/metrics/process-limits.ts';
import { formatMegabytes } from '../print/facts.ts';
import type { DoctorContext } from './check.ts';
import { ok, problem, type Verdict, warning } from './finding.ts';
import { isIndexMissing, servedIndexPath } from './index-data.ts';

// 372, 423 and 516 MB were measured with 1, 2 and 4 idle threads, the embedded index of 82 MB and the
// IP data of 134 MB
const BASE_BYTES = 108e6;
const THREAD_BYTES = 48e6;
/** Estimate of a thread at work: heap, borders, results of short prefixes. */
const BUSY_THREAD_BYTES = 120e6;
/** The response cache of all threads. */
const CACHE_BYTES = 128e6;
/** The rate counters, if very many addresses call. */
const RATE_COUNTER_BYTES = 192 * 1024 * 1024;
/** Building the index of the embedded data, for some seconds of the first start. */
const BUILD_BYTES = 1000e6;

export interface MemoryNeed {
  /** To start and answer. */
  readonly idleBytes: number;
  /** At full load and during a reload, when two indexes are in memory. */
  readonly busyBytes: number;
}

export function checkMemory(
  context: DoctorContext,
  { limitBytes, availableBytes } = { limitBytes: memoryLimitBytes(), availableBytes: process.availableMemory() },
): Verdict[] {
  if (isIndexMissing(context) && limitBytes < BUILD_BYTES) {
    const message = `limit ${formatMegabytes(limitBytes)}; the first start builds an index, for which it takes ${formatMegabytes(BUILD_BYTES)}`;
    return [
      problem(message, 'Raise the limit for the first start, or build the index elsewhere and name it with --index.'),
    ];
  }
  const { idleBytes, busyBytes } = memoryNeed(context);
  const need = `the service takes about ${formatMegabytes(idleBytes)} when idle and up to about ${formatMegabytes(busyBytes)} at full load and during a reload`;
  const limit = `limit ${formatMegabytes(limitBytes)}, ${formatMegabytes(availableBytes)} available; ${need}`;
  const advice =
    'Raise the limit of the container, or save memory: fewer --threads, --ip-database none, a smaller index.';
  if (limitBytes < idleBytes) return [problem(limit, advice)];
  if (limitBytes < busyBytes) return [warning(limit, advice)];
  if (availableBytes < idleBytes) return [warning(limit, 'Stop other programs, unless one of them is this service.')];
  return [ok(limit)];
}

export function memoryNeed(context: DoctorContext): MemoryNeed {
  const { threads, ipDatabase } = context.settings;
  const ipPaths = ipDatabase?.[0] === 'none' ? [] : (ipDatabase ?? embeddedIpDatabasePaths());
  const ipBytes = ipPaths.reduce((sum, path) => sum + fileBytes(path), 0);
  const indexBytes = fileBytes(servedIndexPath(context));
  return {
    idleBytes: BASE_BYTES + threads * THREAD_BYTES + indexBytes + ipBytes,
    busyBytes: BASE_BYTES + threads * BUSY_THREAD_BYTES + 2 * indexBytes + ipBytes + CACHE_BYTES + RATE_COUNTER_BYTES,
  };
}

/** 0 if the file does not exist. */
function fileBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
