/**
 * The log: JSON lines on standard error, written synchronously by each thread. A line that cannot
 * be written (a full disk, a reader that is gone or stalled) is dropped and counted: logging must
 * neither end nor stall the service.
 */
import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { type Logger, pino } from 'pino';

export type { Logger };

const STANDARD_ERROR = 2;
// how long a write waits for the pipe's reader to make room
const MAX_WAIT_MS = 50;
const RETRY_INTERVAL_MS = 5;
const PINO_WARN_LEVEL = 40;
// for `Atomics.wait` as a synchronous sleep: nothing notifies this memory, so each wait times out
const sleeper = new Int32Array(new SharedArrayBuffer(4));

export function createLog(level: string): Logger {
  return pino({ level, base: { pid: process.pid } }, createLogWriter(reopenPipe(STANDARD_ERROR)));
}

/**
 * Opens a pipe again in non-blocking mode, for this thread only. All processes that inherited a
 * pipe share its mode, so any of them could make this thread's writes block. A file is not opened
 * again: a new descriptor has its own file offset, so writers could overwrite each other's lines.
 */
function reopenPipe(fd: number): number {
  try {
    if (!fstatSync(fd).isFIFO()) return fd;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_APPEND);
  } catch {
    return fd; // not Linux, or another user's pipe
  }
}

/** Creates pino's destination: its `write` drops what it cannot write, and never throws. */
export function createLogWriter(fd: number): { write(line: string): void } {
  let droppedLines = 0;
  let isLastLineIncomplete = false;
  return {
    write(line) {
      const lineEnd = isLastLineIncomplete ? '\n' : '';
      const note = droppedLines === 0 ? '' : droppedLinesNote(droppedLines);
      const bytes = Buffer.from(lineEnd + note + line);
      // after a dropped line, do not wait for the stalled reader again
      const written = writeBytes(fd, bytes, droppedLines === 0 ? MAX_WAIT_MS : 0);
      if (written > 0) isLastLineIncomplete = written < bytes.length;
      droppedLines = written === bytes.length ? 0 : droppedLines + 1;
    },
  };
}

/** Waits for at most `maxWaitMs` while the pipe is full. Returns the number of bytes written. */
function writeBytes(fd: number, bytes: Buffer, maxWaitMs: number): number {
  let written = 0;
  let waitedMs = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      const isFull = (error as NodeJS.ErrnoException).code === 'EAGAIN';
      if (!isFull || waitedMs >= maxWaitMs) break;
      Atomics.wait(sleeper, 0, 0, RETRY_INTERVAL_MS);
      waitedMs += RETRY_INTERVAL_MS;
    }
  }
  return written;
}

function droppedLinesNote(lines: number): string {
  const msg = 'log lines could not be written and are lost';
  return `${JSON.stringify({ level: PINO_WARN_LEVEL, time: Date.now(), pid: process.pid, lines, msg })}\n`;
}
