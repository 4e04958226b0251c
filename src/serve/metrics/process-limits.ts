/** Limits that the system sets to this process. */
import { readdirSync, readFileSync } from 'node:fs';
import { totalmem } from 'node:os';

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
export function openDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length - 1; // one belongs to this call
  } catch {
    return undefined;
  }
}
