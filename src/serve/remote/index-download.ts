/**
 * The copy of an index that is at a URL. A new version is downloaded beside the copy, and replaces
 * it only if the caller accepts it. Processes that share the folder download one at a time.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, rm, utimes } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { setTimeout as setTimeoutAsync } from 'node:timers/promises';
import { type FileMetadata, forgetFile, metadataPath, readMetadata, writeMetadata } from '../../fetch/cached-file.ts';
import { type Download, DownloadError, type DownloadOptions, downloadFile } from '../../fetch/download.ts';
import { removePart } from '../../fetch/transfer.ts';
import { publicUrl } from '../../fetch/urls.ts';
import { type Lock, takeLock } from '../../files/lock.ts';
import { makeFolder } from '../../files/new-file.ts';
import { readIndexFile } from '../../index-file/file.ts';
import { IndexFormatError } from '../../index-file/open-index.ts';
import { checkPlaceCount } from '../reload/new-data.ts';

const MAX_FAILURES = 3;
const LIMITS = {
  maxBytes: 16 * 1024 ** 3,
  /** A server that never ends its response writes no more than this. Web servers tell the size. */
  maxUnsizedBytes: 2 * 1024 ** 3,
  /** The next check resumes the download. */
  maxMs: 2 * 3600_000,
  /** Shorter than the default, because a start may wait for the server. */
  idleMs: 10_000,
  /** The next check is the better retry: it reports the problem first. */
  maxRetryAfterMs: 5000,
};

export interface FetchOptions extends Pick<DownloadOptions, 'maxFailures' | 'signal' | 'onProgress' | 'onRetry'> {
  /** Downloads again if the server tells no version, or a version that was refused. */
  readonly isForced?: boolean;
}

/** A downloaded version. The caller must accept or refuse it; until then the folder is locked. */
export interface NewIndex {
  readonly path: string;
  /** Whether its Last-Modified is earlier than that of the copy. */
  readonly isBackdated: boolean;
  /** Replaces the copy. */
  accept(): Promise<void>;
  /** Deletes the download. The same version is not downloaded again unless forced. */
  refuse(): Promise<void>;
}

/**
 * `current`: the copy is the server's version. `refused`: that version was refused. `unversioned`:
 * the server told neither ETag nor Last-Modified. `busy`: another process is downloading.
 */
export type FetchResult = NewIndex | 'current' | 'refused' | 'unversioned' | 'busy';

/** Path of the copy of an index in `indexFolder`. It may not exist. */
export function copyPath(url: URL, indexFolder: string): string {
  // without the query: a signature in it changes, and the file stays the same
  const hash = createHash('sha256').update(publicUrl(url)).digest('hex').slice(0, 12);
  return join(indexFolder, `url-${hash}`, fileName(url));
}

export class IndexDownload {
  /** The URL without user, password and query. */
  readonly name: string;
  /** The copy, which may not exist yet. */
  readonly path: string;
  readonly #url: URL;
  readonly #newPath: string;
  readonly #lockPath: string;
  /** The version that the caller refused last. */
  #refused: FileMetadata | undefined;

  constructor(url: URL, indexFolder: string) {
    this.#url = url;
    this.name = publicUrl(url);
    this.path = copyPath(url, indexFolder);
    this.#newPath = `${this.path}.new`;
    this.#lockPath = join(dirname(this.path), '.lock');
  }

  /** Makes the next download fetch the copy again. The copy itself stays. */
  async forgetCopy(): Promise<void> {
    await forgetFile(this.path);
  }

  /** Throws DownloadError, or the reason of an aborted `signal`. */
  async fetch(options: FetchOptions = {}): Promise<FetchResult> {
    makeFolder(dirname(this.path));
    const lock = takeLock(this.#lockPath);
    if (lock === undefined) return 'busy';
    let result: FetchResult | undefined;
    try {
      result = await this.#fetchLocked(lock, options);
      return result;
    } finally {
      const isLockPassedOn = typeof result === 'object';
      if (!isLockPassedOn) lock.release();
    }
  }

  async #fetchLocked(lock: Lock, { isForced = false, ...options }: FetchOptions): Promise<FetchResult> {
    if (isForced) this.#refused = undefined;
    await this.#removeNew(); // a killed process may have left it
    const copy = await this.#copyMetadata();
    const refused = this.#refused;
    const known = refused !== undefined && hasVersion(refused) ? refused : copy;
    if (known !== undefined && !isForced && !hasVersion(known)) {
      return refused === undefined ? 'unversioned' : 'refused';
    }
    const download = await this.#download({ ...options, known });
    if (download.outcome === 'unchanged') {
      if (known !== copy) return 'refused';
      this.#refused = undefined;
      return 'current';
    }
    if (download.sha256 === copy?.sha256) {
      await this.#removeNew();
      this.#refused = undefined;
      writeMetadata(metadataPath(this.path), fileMetadata(download)); // its ETag may be new
      return 'current';
    }
    if (download.sha256 === this.#refused?.sha256) {
      await this.#removeNew();
      return 'refused';
    }
    return this.#offer(download, copy, lock);
  }

  async #download(options: Omit<DownloadOptions, 'maxBytes'>): Promise<Download> {
    try {
      return await downloadFile(this.#url, this.#newPath, { maxFailures: MAX_FAILURES, ...options, ...LIMITS });
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
      // the key store may be on the same disk and needs the space
      await removePart({ partPath: `${this.#newPath}.part` });
      throw new DownloadError(`${this.name}: ${message}`, { cause: error });
    }
  }

  #offer(download: Download, copy: FileMetadata | undefined, lock: Lock): NewIndex {
    return {
      path: this.#newPath,
      isBackdated: Date.parse(download.lastModified) < Date.parse(copy?.lastModified ?? ''),
      accept: () => this.#replaceCopy(download).finally(() => lock.release()),
      refuse: () => {
        this.#refused = fileMetadata(download);
        return this.#removeNew().finally(() => lock.release());
      },
    };
  }

  /** After a crash between the two renames, the next check downloads the same version again. */
  async #replaceCopy({ lastModified }: Download): Promise<void> {
    const writtenMs = Date.parse(lastModified);
    if (!Number.isNaN(writtenMs)) await utimes(this.#newPath, writtenMs / 1000, writtenMs / 1000);
    await rename(this.#newPath, this.path);
    await rename(metadataPath(this.#newPath), metadataPath(this.path));
    this.#refused = undefined;
  }

  async #removeNew(): Promise<void> {
    await rm(this.#newPath, { force: true });
    await forgetFile(this.#newPath);
  }

  /** Does not compare the SHA-256: an index has checksums, which are verified when it is read. */
  async #copyMetadata(): Promise<FileMetadata | undefined> {
    if (!existsSync(this.path)) return undefined;
    const stored = await readMetadata<FileMetadata>(metadataPath(this.path));
    if (stored?.url !== this.name) return undefined;
    const { url, bytes = 0, sha256 = '', etag = '', lastModified = '' } = stored;
    return { url, bytes, sha256, etag, lastModified };
  }
}

function fileMetadata({ url, bytes, sha256, etag, lastModified }: Download): FileMetadata {
  return { url, bytes, sha256, etag, lastModified };
}

function hasVersion({ etag, lastModified }: FileMetadata): boolean {
  return etag !== '' || lastModified !== '';
}

/** The last part of the URL's path, without characters that are special in file names. */
function fileName(url: URL): string {
  const name = posix.basename(url.pathname).replaceAll(/[^\w.-]/g, '_');
  return name.replace(/^\.+/, '').slice(-100) || 'index.toponym';
}

interface LoadRemoteOptions extends FetchOptions {
  readonly allowShrunkenData: boolean;
  /** Called right before each read of the copy. */
  readonly beforeRead: () => void;
  /** Called once if this process waits for another one to download the index. */
  readonly onWait: () => void;
}

const BUSY_POLL_MS = 250;

/** Throws DownloadError or IndexFormatError. */
export async function loadRemoteIndex(
  remote: IndexDownload,
  { allowShrunkenData, beforeRead, onWait, ...fetchOptions }: LoadRemoteOptions,
): Promise<SharedArrayBuffer> {
  const read = (path: string) => {
    beforeRead();
    const index = readIndexFile(path);
    checkPlaceCount(index, { indexPath: remote.name, allowShrunkenData, served: undefined });
    return index;
  };
  for (let waits = 0; ; waits++) {
    const copy = await readCopy(remote, read);
    if (copy !== undefined) return copy;
    const result = await remote.fetch(fetchOptions);
    if (typeof result === 'object') {
      const index = await readNew(result, read);
      beforeRead(); // else the new copy would count as a change
      return index;
    }
    if (result !== 'busy') continue; // another process has just stored a copy
    if (waits === 0) onWait();
    const { signal } = fetchOptions;
    await setTimeoutAsync(BUSY_POLL_MS, undefined, signal && { signal });
  }
}

/** Returns undefined if there is no usable copy. */
async function readCopy(remote: IndexDownload, read: (path: string) => SharedArrayBuffer) {
  try {
    return read(remote.path);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isMissing && !(error instanceof IndexFormatError)) throw error;
    await remote.forgetCopy();
    return undefined;
  }
}

async function readNew(downloaded: NewIndex, read: (path: string) => SharedArrayBuffer) {
  let index: SharedArrayBuffer;
  try {
    index = read(downloaded.path);
  } catch (error) {
    await downloaded.refuse();
    throw error;
  }
  await downloaded.accept();
  return index;
}
