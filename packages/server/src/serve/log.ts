/**
 * The log: JSON lines on standard error, written synchronously by each thread. A line that cannot
 * be written is dropped and counted, because logging must neither end nor stall the service.
 */
import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { pino as createPino, Logger as PinoLogger } from 'pino';
import { errorMessage } from 'toponym-files/errors/errors';

/** What the service uses of a log of pino. */
export type Logger = Pick<PinoLogger, 'error' | 'warn' | 'info' | 'debug' | 'isLevelEnabled'>;

const require = createRequire(import.meta.url);
/** As pino numbers them. */
const LEVELS: Readonly<Record<string, number>> = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 };

const STANDARD_ERROR = 2;
/** Maximum wait for the reader of a full pipe. */
const MAX_PIPE_WAIT_MS = 50;
const RETRY_INTERVAL_MS = 5;
// for a synchronous sleep with `Atomics.wait`
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Loads pino for the first line: it takes 25 ms and 5 MB in every thread, and most threads log nothing. */
export function createLog(level: string): Logger {
  let log: PinoLogger | undefined;
  const writer = createLogWriter(reopenPipe(STANDARD_ERROR));
  const load = (): PinoLogger => {
    const { pino } = require('pino') as { pino: typeof createPino };
    return pino({ level, base: { pid: process.pid } }, writer);
  };
  const isLevelEnabled = (name: string) => LEVELS[name]! >= (LEVELS[level] ?? Number.POSITIVE_INFINITY);
  const logAt =
    (name: 'error' | 'warn' | 'info' | 'debug') =>
    (...args: Parameters<Logger['error']>) => {
      if (!isLevelEnabled(name)) return;
      try {
        log ??= load();
      } catch (error) {
        // for example, no descriptor is free: the next line tries again
        const msg = args.find((arg) => typeof arg === 'string');
        writer.write(lineOf({ level: LEVELS[name], msg, loadError: errorMessage(error) }));
        return;
      }
      log[name](...args);
    };
  return { error: logAt('error'), warn: logAt('warn'), info: logAt('info'), debug: logAt('debug'), isLevelEnabled };
}

/**
 * Opens a pipe again in non-blocking mode. Other processes may share the old descriptor and change
 * its mode. Files are not opened again: with two file offsets, lines would overwrite each other.
 */
function reopenPipe(fd: number): number {
  try {
    if (!fstatSync(fd).isFIFO()) return fd;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_APPEND);
  } catch {
    return fd; // not Linux, or another user's pipe
  }
}

const DROPPED = 'log lines could not be written and are lost';

/** Creates pino's destination. Its `write` never throws. */
export function createLogWriter(fd: number): { write(line: string): void } {
  let droppedLines = 0;
  let isLastLineIncomplete = false;
  return {
    write(line) {
      const lineEnd = isLastLineIncomplete ? '\n' : '';
      const note = droppedLines === 0 ? '' : lineOf({ level: LEVELS.warn, lines: droppedLines, msg: DROPPED });
      const bytes = Buffer.from(lineEnd + note + line);
      // a reader that has stalled is not waited for again
      const written = writeBytes(fd, bytes, droppedLines === 0 ? MAX_PIPE_WAIT_MS : 0);
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

/** A line as pino writes it. */
function lineOf(fields: object): string {
  return `${JSON.stringify({ time: Date.now(), pid: process.pid, ...fields })}\n`;
}
