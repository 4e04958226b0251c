/** Processor time and memory of a process, from /proc on Linux. */
import { readFileSync } from 'node:fs';

/** USER_HZ, the kernel's unit, is 1/100 s on every architecture that Node.js supports. */
const TICK_US = 10_000;

/** Processor time of all threads, user and system. */
export function cpuUs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // the name in parentheses may contain spaces; after it, utime and stime are fields 12 and 13
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** Processor time of everything that ran on this machine since it started; in a container, on its host. */
export function machineCpuUs(): number {
  const [, user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8').split(/\s+/, 8).map(Number);
  return (user! + nice! + system! + irq! + softirq!) * TICK_US;
}

export function residentBytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(line) * 1024;
}
