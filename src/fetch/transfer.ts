/**
 * One try to bring a file's bytes into its part file, from where an earlier try broke off if the server can. What the part
 * file holds is always a beginning of one version of the file: whatever casts doubt on that empties it.
 */

import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Clock } from './clock.ts';
import { storedUrl, TransferFault } from './download-error.ts';
import { type Exchange, openExchange, statusOf } from './exchange.ts';
import { type FileNote, isMissing, readNote, writeNote } from './kept-file.ts';
import { MAX_RETRY_AFTER_MS, parseRetryAfter } from './retry.ts';

export interface TransferJob {
  readonly url: URL;
  readonly partPath: string;
  readonly maxBytes: number;
  readonly idleMs: number;
  readonly ca?: string;
  readonly clock: Clock;
  /** Bytes in the part file, and how many there will be where the server tells. */
  readonly onBytes: (bytes: number, totalBytes: number | undefined) => void;
}

/** What the server said of the version that the part file begins. */
export interface PartNote {
  readonly url: string;
  readonly etag: string;
  readonly lastModified: string;
  /** Names exactly this version to the server; empty where nothing does, and then it cannot be resumed. */
  readonly ifRange: string;
}

interface Part {
  readonly bytes: number;
  readonly note: PartNote;
}

/** The note of the part file, now complete and flushed; or `unchanged` where the kept file is still the server's. */
export async function transfer(job: TransferJob, kept: FileNote | undefined): Promise<PartNote | 'unchanged'> {
  const part = await findPart(job);
  const exchange = await openExchange(job.url, { ...job, headers: headersOf(kept, part) });
  try {
    return await receive(job, exchange, { kept, part });
  } finally {
    exchange.close();
  }
}

export async function removePart({ partPath }: Pick<TransferJob, 'partPath'>): Promise<void> {
  await rm(partPath, { force: true });
  await rm(notePath(partPath), { force: true });
}

export async function partBytes({ partPath }: Pick<TransferJob, 'partPath'>): Promise<number> {
  try {
    return (await stat(partPath)).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}

function headersOf(kept: FileNote | undefined, part: Part | undefined): Record<string, string> {
  const headers: Record<string, string> = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'toponym' };
  if (kept?.etag) headers['if-none-match'] = kept.etag;
  else if (kept?.lastModified) headers['if-modified-since'] = kept.lastModified;
  if (part !== undefined) {
    headers.range = `bytes=${part.bytes}-`;
    headers['if-range'] = part.note.ifRange;
  }
  return headers;
}

interface Known {
  readonly kept: FileNote | undefined;
  readonly part: Part | undefined;
}

async function receive(job: TransferJob, exchange: Exchange, { kept, part }: Known): Promise<PartNote | 'unchanged'> {
  const { response } = exchange;
  const { statusCode: status = 0 } = response;
  if (status === 304 && kept !== undefined) {
    await removePart(job);
    return 'unchanged';
  }
  if (status === 416 && part !== undefined) {
    await removePart(job);
    throw new TransferFault('the file is shorter than what came of it before', { isTransient: true });
  }
  if (status !== 200 && !(status === 206 && part !== undefined)) throw statusFault(response);
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new TransferFault(`the answer is packed (Content-Encoding: ${encoding}), which was not asked for`, {
      isTransient: false,
    });
  }
  if (status === 206 && part !== undefined) {
    const totalBytes = await checkContinues(job, response, part);
    await writeBody(job, exchange, { from: part.bytes, totalBytes });
    return part.note;
  }
  const note = noteOf(job.url, response);
  // the note goes first: a part file without its own note is never resumed
  await removePart(job);
  await writeNote(notePath(job.partPath), note);
  await writeBody(job, exchange, { from: 0, totalBytes: lengthOf(response) });
  return note;
}

/** Whether the answer goes on where the part file ends, in the same version; tells the length of the whole. */
async function checkContinues(job: TransferJob, response: IncomingMessage, part: Part): Promise<number> {
  const { etag = '', 'content-range': range = '' } = response.headers;
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(range) ?? [];
  const isNext = Number(first) === part.bytes && Number(last) + 1 === Number(total);
  if (isNext && (etag === '' || etag === part.note.etag)) return Number(total);
  await removePart(job);
  const reason = isNext
    ? 'the file changed between two parts of it'
    : `asked for the bytes from ${part.bytes} on, got Content-Range ${JSON.stringify(range)}`;
  throw new TransferFault(reason, { isTransient: true });
}

/** Of a whole file; undefined where it comes in chunks, whose end can be told. */
function lengthOf({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  if (headers['transfer-encoding']?.includes('chunked')) return undefined;
  throw new TransferFault(
    'the answer tells no length (no Content-Length, not chunked): a file that is cut off would pass for whole',
    { isTransient: false },
  );
}

interface Span {
  readonly from: number;
  readonly totalBytes: number | undefined;
}

async function writeBody(job: TransferJob, exchange: Exchange, { from, totalBytes }: Span): Promise<void> {
  if (totalBytes !== undefined && totalBytes > job.maxBytes) throw tooLarge(job, totalBytes);
  const handle = await open(job.partPath, from === 0 ? 'w' : 'r+', 0o600);
  try {
    const bytes = await appendInto(handle, job, exchange, { from, totalBytes });
    if (totalBytes !== undefined && bytes !== totalBytes) {
      throw new TransferFault(`the answer ended after ${bytes} of ${totalBytes} bytes`, { isTransient: true });
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function appendInto(handle: FileHandle, job: TransferJob, exchange: Exchange, span: Span): Promise<number> {
  let bytes = span.from;
  job.onBytes(bytes, span.totalBytes);
  try {
    for await (const chunk of exchange.body()) {
      if (bytes + chunk.length > job.maxBytes) throw tooLarge(job, bytes + chunk.length);
      await writeAll(handle, chunk, bytes);
      bytes += chunk.length;
      job.onBytes(bytes, span.totalBytes);
    }
  } catch (error) {
    if (!(error instanceof TransferFault) || !error.isTransient) throw error;
    const came = span.totalBytes === undefined ? `${bytes}` : `${bytes} of ${span.totalBytes}`;
    throw new TransferFault(`${error.message} after ${came} bytes`, { isTransient: true, cause: error });
  }
  return bytes;
}

/** A system may take less than it is given. */
async function writeAll(handle: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    done += (await handle.write(chunk, done, chunk.length - done, position + done)).bytesWritten;
  }
}

function tooLarge({ maxBytes }: TransferJob, bytes: number): TransferFault {
  return new TransferFault(`is ${bytes} bytes or more, at most ${maxBytes} were expected`, { isTransient: false });
}

function statusFault(response: IncomingMessage): TransferFault {
  const { statusCode = 0, headers } = response;
  const status = `the server answered ${statusOf(response)}`;
  const isTransient = statusCode >= 500 || [408, 425, 429].includes(statusCode);
  const retryAfterMs = parseRetryAfter(headers['retry-after'], new Date());
  if (!isTransient || retryAfterMs <= MAX_RETRY_AFTER_MS) {
    return new TransferFault(status, { isTransient, retryAfterMs });
  }
  const seconds = Math.ceil(retryAfterMs / 1000);
  return new TransferFault(`${status} and asks to come back in ${seconds} s`, { isTransient: false });
}

function noteOf(url: URL, { headers }: IncomingMessage): PartNote {
  const { etag = '', 'last-modified': lastModified = '', date = '' } = headers;
  // a weak tag does not vouch for each byte, nor does a time in the second in which the file was changed
  const isSettled = Date.parse(date) - Date.parse(lastModified) >= 1000;
  const ifRange = /^"/.test(etag) ? etag : isSettled ? lastModified : '';
  return { url: storedUrl(url), etag, lastModified, ifRange };
}

async function findPart(job: TransferJob): Promise<Part | undefined> {
  const bytes = await partBytes(job);
  const note = await readNote<PartNote>(notePath(job.partPath));
  if (bytes === 0 || note?.url !== storedUrl(job.url) || !note.ifRange) return undefined;
  const { url, ifRange, etag = '', lastModified = '' } = note;
  return { bytes, note: { url, ifRange, etag, lastModified } };
}

function notePath(partPath: string): string {
  return `${partPath}.json`;
}
