/** Loads the index that a command uses: the user's file, or the index of the embedded data. */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { errorMessage } from '../errors/error-message.ts';
import { UsageError } from '../errors/usage-error.ts';
import { readIndexFile } from '../index-file/file.ts';
import { embeddedIndexName, ensureEmbeddedIndex, type LoadOptions, readCachedIndex } from './embedded-index.ts';
import { refuseIndexUrl } from './index-url.ts';
import { ensureWritableFolder, userCacheFolder } from './user-cache.ts';

/** Builds the embedded index only for this call if it cannot be stored. */
export async function loadIndex(
  givenPath: string | undefined,
  indexFolder: string | undefined,
  options: LoadOptions,
): Promise<SharedArrayBuffer> {
  if (givenPath !== undefined) {
    refuseIndexUrl(givenPath);
    return readVerifiedIndex(resolve(givenPath));
  }
  const path = embeddedIndexPath(indexFolder);
  if (path !== undefined) return await ensureEmbeddedIndex(path, options);
  const folder = mkdtempSync(join(tmpdir(), 'toponym-'));
  try {
    return await ensureEmbeddedIndex(join(folder, embeddedIndexName()), options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function indexPaths(givenPath: string | undefined, indexFolder: string): string[] {
  return givenPath === undefined ? possibleEmbeddedPaths(indexFolder) : [resolve(givenPath)];
}

/** Throws UsageError if the file cannot be read, and IndexFormatError if it is invalid. */
export function readVerifiedIndex(path: string): SharedArrayBuffer {
  try {
    return readIndexFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error; // an IndexFormatError
    throw new UsageError(`The index ${path} cannot be read: ${errorMessage(error)}.`, { cause: error });
  }
}

/** Path of an existing index, or of a new one in the cache folder if that can be written. */
export function embeddedIndexPath(indexFolder: string | undefined): string | undefined {
  const existing = possibleEmbeddedPaths(indexFolder).find((path) => existsSync(path) && isUsable(path));
  if (existing !== undefined) return existing;
  const cache = userCacheFolder();
  if (cache === undefined || !ensureWritableFolder(cache)) return undefined;
  const path = join(cache, embeddedIndexName());
  // whatever exists at this path is unusable: `existing` would otherwise be this path
  return existsSync(path) ? undefined : path;
}

/** Whether the index at this path can be rebuilt or read. */
function isUsable(path: string): boolean {
  if (!statSync(path).isFile()) return false;
  return ensureWritableFolder(dirname(path)) || readCachedIndex(path) !== undefined;
}

/** The cache folder comes first. A service without one uses `indexFolder`, in its state folder. */
function possibleEmbeddedPaths(indexFolder: string | undefined): string[] {
  const folders = [userCacheFolder(), indexFolder].filter((folder) => folder !== undefined);
  const name = embeddedIndexName();
  return folders.map((folder) => join(folder, name));
}
