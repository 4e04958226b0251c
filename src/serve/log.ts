/**
 * The log: JSON lines on standard error, written at once from whichever thread logs.
 */
import { type Logger, pino } from 'pino';

export type { Logger };

export function createLog(level: string): Logger {
  return pino({ level, base: { pid: process.pid } }, pino.destination({ fd: 2, sync: true }));
}
