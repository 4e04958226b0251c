/**
 * The copy of an index that is at a URL. A new version is downloaded beside the copy, checked, and renamed into its
 * place. Processes that share the folder download one at a time.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, rm, utimes } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { compareVersions } from 'toponym-engine/index-file/data-age';
import type { Meta } from 'toponym-engine/index-file/layout';
import { IndexFormatError, openIndex } from 'toponym-engine/index-file/open-index';
import { readIndexFile } from 'toponym-files/index-file';
import { takeLock } from 'toponym-files/lock';
import { makeFolder } from 'toponym-files/new-file';
import {
  type FileMetadata,
  findCachedFile,
  forgetFile,
  metadataPath,
  readMetadata,
  writeMetadata,
} from '../fetch/cached-file.ts';
import { type Download, DownloadError, type DownloadOptions, downloadFile } from '../fetch/download.ts';
import { removePart } from '../fetch/transfer.ts';
import { publicUrl } from '../fetch/urls.ts';

type Facts = Pick<Meta, 'version' | 'places'>;

/** Rejects if a new version may not replace the one being served. `name` is for messages. */
export type CheckIndex = (path: string, name: string, served: Facts | undefined) => Promise<Facts>;

export interface FetchOptions extends Pick<DownloadOptions, 'signal' | 'onProgress' | 'onRetry'> {
  /** Downloads again if the server tells no version, or a version that was refused. */
  readonly isForced?: boolean;
}

/**
 * `new` and `current`: the copy is the server's version. `refused`: that version was refused before. `unversioned`: the
 * server told neither ETag nor Last-Modified. `busy`: another process is downloading.
 */
export type FetchResult = 'new' | 'current' | 'refused' | 'unversioned' | 'busy';

/** The `cause` is why a new version may not replace the copy. */
export class RefusedError extends Error {}

const LIMITS = {
  maxBytes: 16 * 1024 ** 3,
  /** A server that never ends its response writes no more than this. Web servers tell the size. */
  maxUnsizedBytes: 2 * 1024 ** 3,
  /** The next fetch resumes the download. */
  maxMs: 2 * 3600_000,
  /** Shorter than the default, because a start may wait for the server. */
  idleMs: 10_000,
  /** The next check is the better retry: it reports the problem first. */
  maxRetryAfterMs: 5000,
  maxFailures: 3,
};

/** Path of the copy of an index in `indexFolder`. It may not exist. */
export function copyPath(url: URL, indexFolder: string): string {
  // without the query: a signature in it changes, and the file stays the same
  const hash = createHash('sha256').update(publicUrl(url)).digest('hex').slice(0, 12);
  return join(indexFolder, `url-${hash}`, fileName(url));
}

export class IndexCopy {
  /** The URL without user, password and query. */
  readonly name: string;
  readonly path: string;
  readonly #url: URL;
  readonly #newPath: string;
  readonly #check: CheckIndex;
  /** Of the copy that was read or made last. */
  #facts: Facts | undefined;
  #sha256: string | undefined;
  /** The version that was refused last. */
  #refused: FileMetadata | undefined;

  constructor(url: URL, indexFolder: string, check: CheckIndex) {
    this.#url = url;
    this.#check = check;
    this.name = publicUrl(url);
    this.path = copyPath(url, indexFolder);
    this.#newPath = `${this.path}.new`;
  }

  /** Returns undefined if there is no usable copy. */
  async read(): Promise<SharedArrayBuffer | undefined> {
    try {
      const copy = readIndexFile(this.path);
      this.#facts = openIndex(copy).metadata;
      this.#sha256 = (await this.#copyMetadata())?.sha256;
      return copy;
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isMissing && !(error instanceof IndexFormatError)) throw error;
      await forgetFile(this.path); // else a damaged copy would count as current
      return undefined;
    }
  }

  /** Throws DownloadError, RefusedError, or the reason of an aborted `signal`. */
  async fetch(options: FetchOptions = {}): Promise<FetchResult> {
    makeFolder(dirname(this.path));
    const lock = takeLock(join(dirname(this.path), '.lock'));
    if (lock === undefined) return 'busy';
    try {
      return await this.#fetchLocked(options);
    } finally {
      lock.release();
    }
  }

  async #fetchLocked({ isForced = false, ...options }: FetchOptions): Promise<FetchResult> {
    if (isForced) this.#refused = undefined;
    await this.#removeNew(); // a killed process may have left it
    // a request also finds out that the copy is damaged
    const copy = isForced ? await findCachedFile(this.path, this.name) : await this.#copyMetadata();
    if (copy?.sha256 === this.#refused?.sha256) this.#refused = undefined; // another process has accepted it
    const refused = this.#refused;
    const known = refused ?? copy;
    if (known !== undefined && !isForced && !hasVersion(known)) return refused ? 'refused' : 'unversioned';
    const download = await this.#download({ ...options, known });
    if (download.outcome === 'unchanged') return refused ? 'refused' : this.#currentOr(download);
    if (download.sha256 === refused?.sha256) {
      await this.#removeNew();
      return 'refused';
    }
    this.#refused = undefined;
    if (download.sha256 === copy?.sha256) {
      await this.#removeNew();
      writeMetadata(metadataPath(this.path), fileMetadata(download)); // its ETag may be new
      return this.#currentOr(download);
    }
    await this.#replaceCopy(download, Date.parse(copy?.lastModified ?? ''));
    return 'new';
  }

  /** `new` if another process has replaced the copy. */
  #currentOr({ sha256 }: FileMetadata): FetchResult {
    if (this.#sha256 === undefined || sha256 === this.#sha256) return 'current';
    this.#facts = openIndex(readIndexFile(this.path)).metadata;
    this.#sha256 = sha256;
    return 'new';
  }

  async #download(options: Pick<DownloadOptions, 'known' | 'signal'>): Promise<Download> {
    try {
      return await downloadFile(this.#url, this.#newPath, { ...options, ...LIMITS });
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
      // the key store may be on the same disk and needs the space
      await removePart({ partPath: `${this.#newPath}.part` });
      throw new DownloadError(`${this.name}: ${message}`, { cause: error });
    }
  }

  /** After a crash between the two renames, the next fetch downloads the same version again. */
  async #replaceCopy(download: Download, copyWrittenMs: number): Promise<void> {
    const writtenMs = Date.parse(download.lastModified);
    try {
      const facts = await this.#check(this.#newPath, this.name, this.#facts);
      this.#checkAge(facts, writtenMs < copyWrittenMs);
      this.#facts = facts;
      this.#sha256 = download.sha256;
    } catch (cause) {
      this.#refused = fileMetadata(download);
      await this.#removeNew();
      throw new RefusedError('the new version is refused', { cause });
    }
    if (!Number.isNaN(writtenMs)) await utimes(this.#newPath, writtenMs / 1000, writtenMs / 1000);
    await rename(this.#newPath, this.path);
    await rename(metadataPath(this.#newPath), metadataPath(this.path));
  }

  /**
   * Throws IndexFormatError if the data is older than the copy, such as the data of a cache that is behind. The
   * dates in the data versions decide; if they do not, Last-Modified does.
   */
  #checkAge({ version }: Facts, isBackdated: boolean): void {
    if (this.#facts === undefined) return;
    const order = compareVersions(version, this.#facts.version);
    if (order > 0 || (order === 0 && !isBackdated)) return;
    const reason = order < 0 ? `data ${version}` : `data ${version} with an earlier Last-Modified`;
    throw new IndexFormatError(
      `the index holds ${reason}, and ${this.#facts.version} is being served. To go back to older data, delete ${this.path} and restart the service`,
    );
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
