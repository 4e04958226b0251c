/** What a process has used, as Linux accounts for it under /proc. */
import { readFileSync } from 'node:fs';

/** The kernel's unit there, USER_HZ, is a hundredth of a second on every architecture Node runs on. */
const TICK_US = 10_000;

/** Processor time of all threads, user and system. */
export function cpuUs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // the name in parentheses may hold spaces; user and system time are the 12th and 13th field after it
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

export function residentBytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(line) * 1024;
}
