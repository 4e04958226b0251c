/**
 * The log: JSON lines on standard error, written synchronously by each thread. A line that cannot
 * be written (a full disk, a reader that is gone or stalled) is dropped and counted: logging must
 * neither end nor stall the service.
 */
import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { type Logger, pino } from 'pino';

export type { Logger };

export interface LogWriter {
  /** Never throws. */
  write(line: string): void;
}

const STANDARD_ERROR = 2;
// long enough for a live reader to make room in its pipe
const MAX_WAIT_MS = 50;
const RETRY_MS = 5;
const WARN_LEVEL = 40;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

export function createLog(level: string): Logger {
  return pino({ level, base: { pid: process.pid } }, createLogWriter(reopenPipe(STANDARD_ERROR)));
}

/**
 * Opens a pipe a second time, for this thread alone. All processes that inherited a pipe share its
 * blocking flag, and any of them may set it. Files stay as they are: two descriptors of one file
 * would overwrite each other's lines.
 */
function reopenPipe(fd: number): number {
  try {
    if (!fstatSync(fd).isFIFO()) return fd;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_APPEND);
  } catch {
    return fd; // not Linux, or another user's pipe
  }
}

export function createLogWriter(fd: number): LogWriter {
  let droppedLines = 0;
  let isLineIncomplete = false;
  return {
    write(line) {
      const text = `${isLineIncomplete ? '\n' : ''}${droppedLines === 0 ? '' : droppedLinesNote(droppedLines)}${line}`;
      const bytes = Buffer.from(text);
      // wait once for a stalled reader, not for every line
      const written = writeBytes(fd, bytes, droppedLines === 0 ? MAX_WAIT_MS : 0);
      if (written > 0) isLineIncomplete = written < bytes.length;
      droppedLines = written === bytes.length ? 0 : droppedLines + 1;
    },
  };
}

/** Returns the number of bytes written. */
function writeBytes(fd: number, bytes: Buffer, maxWaitMs: number): number {
  let written = 0;
  let waitedMs = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      const isFull = (error as NodeJS.ErrnoException).code === 'EAGAIN';
      if (!isFull || waitedMs >= maxWaitMs) break;
      Atomics.wait(sleeper, 0, 0, RETRY_MS);
      waitedMs += RETRY_MS;
    }
  }
  return written;
}

function droppedLinesNote(lines: number): string {
  const msg = 'log lines could not be written and are lost';
  return `${JSON.stringify({ level: WARN_LEVEL, time: Date.now(), pid: process.pid, lines, msg })}\n`;
}
