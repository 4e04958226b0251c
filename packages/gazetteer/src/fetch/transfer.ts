/**
 * One attempt to download a file into a part file. Resumes an earlier attempt if possible. A part
 * file that may mix two versions of the file is deleted.
 */
import { type FileHandle, open, rm, stat, statfs } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { giveToFolderOwner } from 'toponym-files/new-file';
import { type FileMetadata, isFileMissing, metadataPath, readMetadata, writeMetadata } from './cached-file.ts';
import { formatStatus, type GetOptions, type Reply, sendGet, TransferFault } from './get-request.ts';
import { publicUrl } from './urls.ts';

/** Left free for other files on the disk, such as the key store. */
const RESERVED_BYTES = 16 * 1024 * 1024;
/** Less than the reserve. */
const BYTES_PER_SPACE_CHECK = 8 * 1024 * 1024;

export interface TransferJob extends Omit<GetOptions, 'headers'> {
  readonly url: URL;
  readonly partPath: string;
  readonly maxBytes: number;
  /** Maximum size of a file whose size the server does not tell. */
  readonly maxUnsizedBytes: number;
  /** A server that asks for a longer delay ends the download. */
  readonly maxRetryAfterMs: number;
  /** Called with the size of the part file, and its final size if known. */
  readonly onBytes: (bytes: number, totalBytes: number | undefined) => void;
}

/** The server's description of the file version in the part file. */
export interface PartMetadata extends Pick<FileMetadata, 'url' | 'etag' | 'lastModified'> {
  /** The If-Range header that identifies this version; empty if the download cannot be resumed. */
  readonly ifRange: string;
}

interface Part {
  readonly bytes: number;
  readonly metadata: PartMetadata;
}

/** Returns the metadata of the complete part file, or `unchanged` if the cached file is current. */
export async function transfer(
  job: TransferJob,
  cached: FileMetadata | undefined,
): Promise<PartMetadata | 'unchanged'> {
  const part = await findResumablePart(job);
  const reply = await sendGet(job.url, { ...job, headers: requestHeaders(cached, part) });
  try {
    return await handleResponse(job, reply, { cached, part });
  } catch (error) {
    if (error instanceof TransferFault && error.dropsPart) await removePart(job);
    throw error;
  } finally {
    reply.close();
  }
}

export async function removePart({ partPath }: Pick<TransferJob, 'partPath'>): Promise<void> {
  await rm(partPath, { force: true });
  await rm(metadataPath(partPath), { force: true });
}

export async function partBytes({ partPath }: TransferJob): Promise<number> {
  try {
    return (await stat(partPath)).size;
  } catch (error) {
    if (isFileMissing(error)) return 0;
    throw error;
  }
}

function requestHeaders(cached: FileMetadata | undefined, part: Part | undefined): Record<string, string> {
  const headers: Record<string, string> = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'toponym' };
  if (cached?.etag) headers['if-none-match'] = cached.etag;
  else if (cached?.lastModified) headers['if-modified-since'] = cached.lastModified;
  if (part !== undefined) {
    headers.range = `bytes=${part.bytes}-`;
    headers['if-range'] = part.metadata.ifRange;
  }
  return headers;
}

async function handleResponse(
  job: TransferJob,
  reply: Reply,
  { cached, part }: { cached: FileMetadata | undefined; part: Part | undefined },
): Promise<PartMetadata | 'unchanged'> {
  const { response } = reply;
  const { statusCode: status = 0 } = response;
  if (cached !== undefined && (status === 304 || (status === 200 && isSameVersion(response, cached)))) {
    await removePart(job);
    return 'unchanged';
  }
  // 416 Range Not Satisfiable: the part is at least as long as the file
  if (status === 416 && part !== undefined) {
    await removePart(job);
    const reason = `the server has no bytes of the file after the ${part.bytes} already downloaded`;
    throw new TransferFault(reason, { isTransient: true });
  }
  const resumedPart = status === 206 ? part : undefined;
  if (status !== 200 && resumedPart === undefined) throw unexpectedStatus(job, response);
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new TransferFault(`the response is compressed (Content-Encoding: ${encoding}), which was not requested`);
  }
  if (resumedPart !== undefined) {
    const totalBytes = await checkContentRange(job, response, resumedPart);
    await writeBody(job, reply, { from: resumedPart.bytes, totalBytes });
    return resumedPart.metadata;
  }
  const metadata = partMetadata(job.url, response);
  await removePart(job);
  // written before the part file, so that no part file has the metadata of another version
  writeMetadata(metadataPath(job.partPath), metadata);
  await writeBody(job, reply, { from: 0, totalBytes: contentLength(response) });
  return metadata;
}

/** Whether a server that ignores conditional requests sends the cached version. */
function isSameVersion({ headers }: IncomingMessage, cached: FileMetadata): boolean {
  if (cached.etag !== '') return headers.etag === cached.etag;
  return cached.lastModified !== '' && headers['last-modified'] === cached.lastModified;
}

/** Returns the size of the whole file. If the response does not fit the part, deletes the part. */
async function checkContentRange(job: TransferJob, response: IncomingMessage, part: Part): Promise<number> {
  const { etag = '', 'content-range': range = '' } = response.headers;
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(range) ?? [];
  // the range must end with the file
  const isExpectedRange = Number(first) === part.bytes && Number(last) + 1 === Number(total);
  if (isExpectedRange && (etag === '' || etag === part.metadata.etag)) return Number(total);
  await removePart(job);
  const reason = isExpectedRange
    ? 'the file changed during the download'
    : `requested bytes from ${part.bytes}, got Content-Range ${JSON.stringify(range)}`;
  throw new TransferFault(reason, { isTransient: true });
}

/** Returns undefined for a chunked response, which marks its end instead of giving a length. */
function contentLength({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  if (headers['transfer-encoding']?.includes('chunked')) return undefined;
  throw new TransferFault(
    'the response has no length (no Content-Length, not chunked), so truncation could not be detected',
  );
}

/** Writes the body at `from`. `totalBytes` is the size of the whole file. */
async function writeBody(
  job: TransferJob,
  reply: Reply,
  { from, totalBytes }: { from: number; totalBytes: number | undefined },
): Promise<void> {
  const maxBytes = totalBytes === undefined ? job.maxUnsizedBytes : job.maxBytes;
  if (totalBytes !== undefined && totalBytes > maxBytes) throw tooLarge(maxBytes, totalBytes);
  await checkFreeSpace(job.partPath, (totalBytes ?? from) - from);
  await using handle = await open(job.partPath, from === 0 ? 'w' : 'r+', 0o600);
  giveToFolderOwner(handle.fd, job.partPath);
  let bytes = from;
  let checkedBytes = from;
  job.onBytes(bytes, totalBytes);
  try {
    for await (const chunk of reply.body()) {
      if (bytes + chunk.length > maxBytes) throw tooLarge(maxBytes, bytes + chunk.length);
      if (bytes - checkedBytes >= BYTES_PER_SPACE_CHECK) {
        await checkFreeSpace(job.partPath, 0); // other programs write to the disk, too
        checkedBytes = bytes;
      }
      await writeAll(handle, chunk, bytes);
      bytes += chunk.length;
      job.onBytes(bytes, totalBytes);
    }
  } catch (error) {
    if (!(error instanceof TransferFault) || !error.isTransient) throw error;
    const received = totalBytes === undefined ? `${bytes}` : `${bytes} of ${totalBytes}`;
    throw new TransferFault(`${error.message} after ${received} bytes`, { isTransient: true, cause: error });
  }
  if (totalBytes !== undefined && bytes !== totalBytes) {
    throw new TransferFault(`the response ended after ${bytes} of ${totalBytes} bytes`, { isTransient: true });
  }
  await handle.sync();
}

/** Repeats the write, because a single write may be partial. */
async function writeAll(handle: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    done += (await handle.write(chunk, done, chunk.length - done, position + done)).bytesWritten;
  }
}

function tooLarge(maxBytes: number, bytes: number): TransferFault {
  return new TransferFault(`the file has ${bytes} bytes or more, expected at most ${maxBytes}`, { dropsPart: true });
}

function unexpectedStatus({ maxRetryAfterMs }: TransferJob, response: IncomingMessage): TransferFault {
  const { statusCode = 0, headers } = response;
  const reason = `the server answered ${formatStatus(response)}`;
  const isTransient = statusCode >= 500 || [408, 425, 429].includes(statusCode);
  if (!isTransient) return new TransferFault(reason);
  const retryAfterMs = parseRetryAfter(headers['retry-after'], new Date());
  if (retryAfterMs <= maxRetryAfterMs) return new TransferFault(reason, { isTransient, retryAfterMs });
  const seconds = Math.ceil(retryAfterMs / 1000);
  return new TransferFault(`${reason} and asked to retry after ${seconds} s, which is too long`);
}

/** Parses `120` or `Wed, 21 Oct 2026 07:28:00 GMT` as a delay in ms; 0 if missing or malformed. */
function parseRetryAfter(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const retryAt = Date.parse(header);
  return Number.isNaN(retryAt) ? 0 : Math.max(0, retryAt - now.getTime());
}

function partMetadata(url: URL, { headers }: IncomingMessage): PartMetadata {
  const { etag = '', 'last-modified': lastModified = '', date = '' } = headers;
  // a weak ETag (W/"…") does not identify exact bytes
  const isStrong = etag.startsWith('"');
  // a file may change again within the second that Last-Modified names, so the second must be over
  const isSecondOver = Date.parse(date) - Date.parse(lastModified) >= 1000;
  const ifRange = isStrong ? etag : isSecondOver ? lastModified : '';
  return { url: publicUrl(url), etag, lastModified, ifRange };
}

async function findResumablePart(job: TransferJob): Promise<Part | undefined> {
  const bytes = await partBytes(job);
  const metadata = await readMetadata<PartMetadata>(metadataPath(job.partPath));
  if (bytes === 0 || metadata?.url !== publicUrl(job.url) || !metadata.ifRange) return undefined;
  const { url, ifRange, etag = '', lastModified = '' } = metadata;
  return { bytes, metadata: { url, ifRange, etag, lastModified } };
}

/** Throws TransferFault if the disk of `path` has no room for `neededBytes` more. */
async function checkFreeSpace(path: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path));
  const freeBytes = bavail * bsize;
  // some file systems do not know their free space and report 0
  if (freeBytes === 0 || freeBytes >= neededBytes + RESERVED_BYTES) return;
  const needs = neededBytes === 0 ? 'less than the' : `and the download needs ${neededBytes} bytes and a`;
  const reason = `the disk of ${dirname(path)} has ${freeBytes} bytes free, ${needs} reserve of ${RESERVED_BYTES}`;
  throw new TransferFault(reason, { dropsPart: true });
}
