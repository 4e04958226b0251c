/**
 * Loads the index that a command uses: the file given by the user, or else the index of the
 * embedded data. The latter is in the user's cache folder or in `indexFolder`, a folder in the
 * state folder, where a service stores it if the user has no usable cache folder.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { errorMessage } from '../errors/error-message.ts';
import { UsageError } from '../errors/usage-error.ts';
import { readIndexFile } from '../index-file/file.ts';
import { embeddedIndexName, ensureEmbeddedIndex, type LoadOptions, readCachedIndex } from './embedded-index.ts';
import { ensureWritableFolder, userCacheFolder } from './user-cache.ts';

/** Loads the index. If the embedded index cannot be stored, builds it only for this call. */
export async function loadIndex(
  givenPath: string | undefined,
  indexFolder: string,
  options: LoadOptions,
): Promise<SharedArrayBuffer> {
  if (givenPath !== undefined) return readVerifiedIndex(resolve(givenPath));
  const path = embeddedIndexPath(indexFolder);
  if (path !== undefined) return await ensureEmbeddedIndex(path, options);
  const folder = mkdtempSync(join(tmpdir(), 'toponym-'));
  try {
    return await ensureEmbeddedIndex(join(folder, embeddedIndexName()), options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lists the files that `loadIndex` may read. */
export function indexPaths(givenPath: string | undefined, indexFolder: string): string[] {
  return givenPath === undefined ? possibleEmbeddedPaths(indexFolder) : [resolve(givenPath)];
}

/**
 * Reads an index file given by the user, and verifies its checksums. Throws UsageError if the file
 * cannot be read, and IndexFormatError if it is not a usable index.
 */
export function readVerifiedIndex(path: string): SharedArrayBuffer {
  try {
    return readIndexFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error; // not the system's: IndexFormatError
    throw new UsageError(`The index ${path} cannot be read: ${errorMessage(error)}.`, { cause: error });
  }
}

/**
 * Path of the existing embedded index, or else where to build it in the user's cache folder.
 * Undefined if there is no usable index and none can be written to the cache folder.
 */
export function embeddedIndexPath(indexFolder: string): string | undefined {
  const existing = possibleEmbeddedPaths(indexFolder).find((path) => existsSync(path) && isUsable(path));
  if (existing !== undefined) return existing;
  const cache = userCacheFolder();
  if (cache === undefined || !ensureWritableFolder(cache)) return undefined;
  const path = join(cache, embeddedIndexName());
  // whatever exists at this path is unusable: `existing` would otherwise be this path
  return existsSync(path) ? undefined : path;
}

/** Whether the index at this path can be rebuilt or read. Folders and devices stay untouched. */
function isUsable(path: string): boolean {
  if (!statSync(path).isFile()) return false;
  return ensureWritableFolder(dirname(path)) || readCachedIndex(path) !== undefined;
}

/** Paths where the embedded index may be, preferred first. */
function possibleEmbeddedPaths(indexFolder: string): string[] {
  const cache = userCacheFolder();
  const folders = cache === undefined ? [indexFolder] : [cache, indexFolder];
  const name = embeddedIndexName();
  return folders.map((folder) => join(folder, name));
}
