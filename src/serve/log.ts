/**
 * The log: JSON lines on standard error, written at once from whichever thread logs. A line that cannot be written (a full
 * disk, a reader that has gone or does not read) is lost and counted: the log must neither end nor stall the service.
 */
import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { type Logger, pino } from 'pino';

export type { Logger };

export interface LogWriter {
  /** Never throws. */
  write(line: string): void;
}

const STANDARD_ERROR = 2;
// long enough for a reader that is alive to make room in its pipe
const PATIENCE_MS = 50;
const RETRY_MS = 5;
const WARN_LEVEL = 40;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

export function createLog(level: string): Logger {
  return pino({ level, base: { pid: process.pid } }, createLogWriter(ownDescriptor(STANDARD_ERROR)));
}

/**
 * Whether writing to a pipe waits is a flag that all processes share which have inherited it, and any of them may set it. So a
 * pipe is opened once more, for this thread alone. Not a file: two descriptors would write over each other.
 */
function ownDescriptor(fd: number): number {
  try {
    if (!fstatSync(fd).isFIFO()) return fd;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_APPEND);
  } catch {
    return fd; // not Linux, or a pipe of another user
  }
}

export function createLogWriter(fd: number): LogWriter {
  let lostLines = 0;
  let isLineBroken = false;
  return {
    write(line) {
      const text = `${isLineBroken ? '\n' : ''}${lostLines === 0 ? '' : lossNote(lostLines)}${line}`;
      const bytes = Buffer.from(text);
      // waits for a reader only once: while it does not read, each further line would wait in vain
      const written = writeBytes(fd, bytes, lostLines === 0 ? PATIENCE_MS : 0);
      if (written > 0) isLineBroken = written < bytes.length;
      lostLines = written === bytes.length ? 0 : lostLines + 1;
    },
  };
}

/** Returns how many bytes could be written. */
function writeBytes(fd: number, bytes: Buffer, patienceMs: number): number {
  let written = 0;
  let waitedMs = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      const isFull = (error as NodeJS.ErrnoException).code === 'EAGAIN';
      if (!isFull || waitedMs >= patienceMs) break;
      Atomics.wait(sleeper, 0, 0, RETRY_MS);
      waitedMs += RETRY_MS;
    }
  }
  return written;
}

function lossNote(lines: number): string {
  const msg = 'log lines could not be written and are lost';
  return `${JSON.stringify({ level: WARN_LEVEL, time: Date.now(), pid: process.pid, lines, msg })}\n`;
}
