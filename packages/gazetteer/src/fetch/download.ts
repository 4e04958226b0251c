/**
 * Downloads a file to disk and updates it later. An unchanged file is not fetched again. Received
 * bytes go to a part file, so that an interrupted download can resume, even in a later run.
 */
import { PlainError } from 'toponym-files/errors/errors';
import { readStart } from 'toponym-files/regular-file';
import { type FileMetadata, findCachedFile, hashFile, storeFile } from './cached-file.ts';
import { type Clock, type GetOptions, systemClock, TransferFault } from './get-request.ts';
import { type PartMetadata, partBytes, removePart, type TransferJob, transfer } from './transfer.ts';
import { publicUrl, urlRefusal } from './urls.ts';

/** Thrown when a download has failed. The message names the URL and the reason. */
export class DownloadError extends PlainError {
  override readonly name = 'DownloadError';
}

export interface DownloadProgress {
  readonly bytes: number;
  readonly totalBytes?: number;
  /** Average since the start of this attempt. */
  readonly bytesPerSecond: number;
  readonly secondsLeft?: number;
}

/** Format check on the first bytes of a file: some servers send error pages with status 200. */
export interface FileSignature {
  /** For messages: `a zip archive`. */
  readonly description: string;
  readonly matches: (head: Buffer) => boolean;
}

export interface DownloadOptions extends Partial<Omit<GetOptions, 'headers'>> {
  readonly maxBytes: number;
  /** Maximum size of a file whose size the server does not tell; `maxBytes` by default. */
  readonly maxUnsizedBytes?: number;
  /** Time limit of the whole download; none by default. A later download may resume. */
  readonly maxMs?: number;
  /** The version that is not downloaded again; by default the version of the file at `path`. */
  readonly known?: FileMetadata | undefined;
  /** Consecutive failures that end the download; 6 by default. */
  readonly maxFailures?: number;
  /** A server that asks for a longer delay ends the download; 5 minutes by default. */
  readonly maxRetryAfterMs?: number;
  readonly signature?: FileSignature;
  readonly onProgress?: (progress: DownloadProgress) => void;
  /** Called before each wait for a retry. */
  readonly onRetry?: (reason: string, delayMs: number) => void;
}

export interface Download extends FileMetadata {
  readonly path: string;
  readonly outcome: 'downloaded' | 'unchanged';
}

/** Consecutive failures that end a download, after delays of 16 to 31 s in all. */
const MAX_FAILURES = 6;
/** Received bytes that reset the failure count: large files may need many attempts. */
const PROGRESS_BYTES = 1 << 20;
/** Default of the longest delay that a server may ask for. */
const MAX_RETRY_AFTER_MS = 300_000;

/** Doubles with each failure. */
const FIRST_DELAY_MS = 1000;
const DEFAULT_IDLE_MS = 30_000;
const HEAD_BYTES = 512;

/**
 * The old file stays if this throws DownloadError, or the reason of an aborted `signal`. The caller must
 * hold a lock on the folder.
 */
export async function downloadFile(url: URL, path: string, options: DownloadOptions): Promise<Download> {
  const refusal = urlRefusal(url);
  if (refusal !== undefined) throw new DownloadError(`${publicUrl(url)}: the address ${refusal}`);
  const cached = options.known ?? (await findCachedFile(path, publicUrl(url)));
  const { clock = systemClock, maxMs } = options;
  const limit = new AbortController();
  const isLate = () =>
    limit.abort(new DownloadError(`${publicUrl(url)}: not complete after ${(maxMs ?? 0) / 60_000} minutes`));
  const stopTimer = maxMs === undefined ? () => {} : clock.after(maxMs, isLate);
  const signal = AbortSignal.any([limit.signal, ...(options.signal ? [options.signal] : [])]);
  const job: TransferJob = {
    maxUnsizedBytes: options.maxBytes,
    maxRetryAfterMs: MAX_RETRY_AFTER_MS,
    idleMs: DEFAULT_IDLE_MS,
    ...options,
    url,
    partPath: `${path}.part`,
    clock,
    signal,
    onBytes: progressReporter(clock, options.onProgress ?? (() => {})),
  };
  const received = await transferWithRetries(job, cached, options).finally(stopTimer);
  if (received === 'unchanged') {
    if (cached === undefined) throw new Error('unchanged, but no file is cached');
    return { ...cached, path, outcome: 'unchanged' };
  }
  await checkSignature(job, options.signature);
  const { etag, lastModified } = received;
  const metadata = { url: publicUrl(url), ...(await hashFile(job.partPath)), etag, lastModified };
  await storeFile(path, job.partPath, metadata);
  await removePart(job); // deletes only its metadata, because the part file has moved
  return { ...metadata, path, outcome: 'downloaded' };
}

/** Reports the progress of each attempt. */
function progressReporter(clock: Clock, onProgress: (progress: DownloadProgress) => void): TransferJob['onBytes'] {
  let attemptStart: { readonly bytes: number; readonly atMs: number } | undefined;
  let lastBytes = 0;
  return (bytes, totalBytes) => {
    // a new attempt first reports the size of the part file, so `bytes` has not grown
    if (attemptStart === undefined || bytes <= lastBytes) attemptStart = { bytes, atMs: clock.nowMs() };
    lastBytes = bytes;
    const seconds = (clock.nowMs() - attemptStart.atMs) / 1000;
    const bytesPerSecond = seconds === 0 ? 0 : (bytes - attemptStart.bytes) / seconds;
    const hasEstimate = totalBytes !== undefined && bytesPerSecond > 0;
    onProgress({
      bytes,
      bytesPerSecond,
      ...(totalBytes === undefined ? {} : { totalBytes }),
      ...(hasEstimate ? { secondsLeft: (totalBytes - bytes) / bytesPerSecond } : {}),
    });
  };
}

async function transferWithRetries(
  job: TransferJob,
  cached: FileMetadata | undefined,
  { onRetry = () => {}, maxFailures = MAX_FAILURES }: DownloadOptions,
): Promise<PartMetadata | 'unchanged'> {
  let bytesAtProgress = await partBytes(job);
  let failures = 0;
  for (;;) {
    try {
      return await transfer(job, cached);
    } catch (error) {
      job.signal?.throwIfAborted();
      if (!(error instanceof TransferFault)) throw error;
      failures++;
      const bytes = await partBytes(job);
      // `bytesAtProgress` never falls: else a file that keeps changing would be retried forever
      if (bytes >= bytesAtProgress + PROGRESS_BYTES) {
        bytesAtProgress = bytes;
        failures = 1; // this failure is the first since the progress
      }
      if (!error.isTransient || failures >= maxFailures) {
        const tries = error.isTransient && failures > 1 ? ` (tried ${failures} times in a row)` : '';
        throw new DownloadError(`${publicUrl(job.url)}: ${error.message}${tries}`, { cause: error });
      }
      const delayMs = retryDelayMs(failures, error.retryAfterMs);
      onRetry(error.message, delayMs);
      await job.clock.sleep(delayMs, job.signal);
    }
  }
}

/** Exponential delay, at least `retryAfterMs`, scaled at random so that machines do not retry all at once. */
function retryDelayMs(failures: number, retryAfterMs: number): number {
  const backoffMs = FIRST_DELAY_MS * 2 ** (failures - 1);
  return Math.max(retryAfterMs, Math.round((backoffMs / 2) * (1 + Math.random())));
}

async function checkSignature(job: TransferJob, signature: FileSignature | undefined): Promise<void> {
  if (signature === undefined) return;
  const head = readStart(job.partPath, HEAD_BYTES);
  if (signature.matches(head)) return;
  await removePart(job);
  const got = head.length === 0 ? 'it is empty' : `it begins ${JSON.stringify(head.toString('latin1', 0, 40))}`;
  throw new DownloadError(`${publicUrl(job.url)}: is not ${signature.description}: ${got}`);
}
