/**
 * A file from the web to the disk, kept up to date: nothing is fetched that has not changed, a broken download goes on
 * where it stopped (also in a later run), and the final name only ever holds a whole file. See exchange.ts for why
 * it is built on node:https.
 */
import { open } from 'node:fs/promises';
import { type Clock, systemClock } from './clock.ts';
import { DownloadError, shownUrl, storedUrl, TransferFault } from './download-error.ts';
import { type FileNote, findKept, hashFile, keepFile } from './kept-file.ts';
import { refusalOf } from './refusal.ts';
import { MAX_FAILURES, PROGRESS_BYTES, retryDelayMs } from './retry.ts';
import { type PartNote, partBytes, removePart, type TransferJob, transfer } from './transfer.ts';

export interface DownloadProgress {
  readonly bytes: number;
  /** Where the server tells. */
  readonly totalBytes?: number;
  /** Since this try began. */
  readonly bytesPerSecond: number;
  readonly secondsLeft?: number;
}

/** How a file of a format begins: servers answer 200 with a page of HTML too. */
export interface FileStart {
  /** For messages: `a zip archive`. */
  readonly what: string;
  readonly isRight: (head: Buffer) => boolean;
}

export interface DownloadOptions {
  readonly maxBytes: number;
  readonly start?: FileStart;
  readonly onProgress?: (progress: DownloadProgress) => void;
  /** Told before each wait: why, and how long it will be. */
  readonly onRetry?: (reason: string, delayMs: number) => void;
  /** A certificate authority to trust instead of the system's, in PEM form. */
  readonly ca?: string;
  /** A server that sends nothing for so long is given up. */
  readonly idleMs?: number;
  readonly clock?: Clock;
  /** From 0 to 1. */
  readonly random?: () => number;
}

export interface Download extends FileNote {
  readonly path: string;
  /** `unchanged`: the file that was there is still the server's. */
  readonly outcome: 'downloaded' | 'unchanged';
}

const IDLE_MS = 30_000;
const HEAD_BYTES = 512;

/** Throws DownloadError; what was under `path` then still is. One process at a time: see lock.ts. */
export async function downloadFile(url: URL, path: string, options: DownloadOptions): Promise<Download> {
  const refusal = refusalOf(url);
  if (refusal !== undefined) throw new DownloadError(`${shownUrl(url)}: the address ${refusal}`);
  const kept = await findKept(path, storedUrl(url));
  const job = createJob(url, path, options);
  const received = await receive(job, kept, options);
  if (received === 'unchanged' && kept !== undefined) return { ...kept, path, outcome: 'unchanged' };
  if (received === 'unchanged') throw new Error('unchanged, though nothing was kept');
  await checkStart(job, options.start);
  const { etag, lastModified } = received;
  const note = { url: storedUrl(url), ...(await hashFile(job.partPath)), etag, lastModified };
  await keepFile(path, job.partPath, note);
  await removePart(job);
  return { ...note, path, outcome: 'downloaded' };
}

function createJob(url: URL, path: string, options: DownloadOptions): TransferJob {
  const { maxBytes, ca, idleMs = IDLE_MS, clock = systemClock, onProgress = () => {} } = options;
  let started: { readonly bytes: number; readonly atMs: number } | undefined;
  let last = 0;
  return {
    url,
    partPath: `${path}.part`,
    maxBytes,
    idleMs,
    clock,
    ...(ca === undefined ? {} : { ca }),
    onBytes(bytes, totalBytes) {
      // fewer than before, or none new: another try has begun
      if (started === undefined || bytes <= last) started = { bytes, atMs: clock.nowMs() };
      last = bytes;
      const seconds = (clock.nowMs() - started.atMs) / 1000;
      const bytesPerSecond = seconds === 0 ? 0 : (bytes - started.bytes) / seconds;
      const isTimed = totalBytes !== undefined && bytesPerSecond > 0;
      onProgress({
        bytes,
        bytesPerSecond,
        ...(totalBytes === undefined ? {} : { totalBytes }),
        ...(isTimed ? { secondsLeft: (totalBytes - bytes) / bytesPerSecond } : {}),
      });
    },
  };
}

async function receive(
  job: TransferJob,
  kept: FileNote | undefined,
  { random = Math.random, onRetry = () => {} }: DownloadOptions,
): Promise<PartNote | 'unchanged'> {
  let mostBytes = await partBytes(job);
  for (let failures = 1; ; failures++) {
    try {
      return await transfer(job, kept);
    } catch (error) {
      if (!(error instanceof TransferFault)) throw error;
      const bytes = await partBytes(job);
      // against the most there ever was: a file that keeps changing would be begun anew for ever
      if (bytes >= mostBytes + PROGRESS_BYTES) {
        mostBytes = bytes;
        failures = 1;
      }
      const isLast = failures >= MAX_FAILURES;
      if (!error.isTransient || isLast) {
        const tries = error.isTransient ? ` (tried ${MAX_FAILURES} times in a row)` : '';
        throw new DownloadError(`${shownUrl(job.url)}: ${error.message}${tries}`, { cause: error });
      }
      const delayMs = retryDelayMs(failures, error.retryAfterMs, random());
      onRetry(error.message, delayMs);
      await job.clock.sleep(delayMs);
    }
  }
}

async function checkStart(job: TransferJob, start: FileStart | undefined): Promise<void> {
  if (start === undefined) return;
  const head = await readHead(job.partPath);
  if (start.isRight(head)) return;
  await removePart(job);
  const got = head.length === 0 ? 'it is empty' : `it begins ${JSON.stringify(head.toString('latin1', 0, 40))}`;
  throw new DownloadError(`${shownUrl(job.url)}: is not ${start.what}: ${got}`);
}

async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
