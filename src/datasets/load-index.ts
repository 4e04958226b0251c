/**
 * Loads the index that a command uses: the file named by the user, or the index of the embedded
 * data. `indexFolder` is where the embedded index is stored if the user has no usable cache folder.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { errorMessage } from '../errors/error-message.ts';
import { UsageError } from '../errors/usage-error.ts';
import { readIndexFile } from '../index-file/file.ts';
import { type EnsureOptions, embeddedIndexName, ensureEmbeddedIndex, readCachedIndex } from './embedded-index.ts';
import { isWritableFolder, userCacheFolder } from './user-cache.ts';

/** Loads the index for one command. Without a cache folder, the embedded index is not kept. */
export async function loadIndex(
  givenPath: string | undefined,
  indexFolder: string,
  options: EnsureOptions,
): Promise<SharedArrayBuffer> {
  if (givenPath !== undefined) return readNamedIndex(resolve(givenPath));
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
  return givenPath === undefined ? embeddedPaths(indexFolder) : [resolve(givenPath)];
}

/** Loads the index at `path` for the service; builds the embedded index if it is missing. */
export async function loadServedIndex(
  givenPath: string | undefined,
  path: string,
  options: EnsureOptions,
): Promise<SharedArrayBuffer> {
  if (givenPath === undefined) return await ensureEmbeddedIndex(path, options);
  options.beforeRead?.();
  return readNamedIndex(path);
}

/** Throws UsageError if the file cannot be read, IndexFormatError if it is not a usable index. */
export function readNamedIndex(path: string): SharedArrayBuffer {
  try {
    return readIndexFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new UsageError(`The index ${path} cannot be read: ${errorMessage(error)}.`, { cause: error });
  }
}

/** Path of the embedded index, existing or to be built; undefined without a usable cache. */
export function embeddedIndexPath(indexFolder: string): string | undefined {
  const existing = embeddedPaths(indexFolder).find((path) => existsSync(path) && isUsable(path));
  if (existing !== undefined) return existing;
  const cache = userCacheFolder();
  if (cache === undefined || !isWritableFolder(cache)) return undefined;
  const path = join(cache, embeddedIndexName());
  return existsSync(path) ? undefined : path;
}

/** Whether the file can be read or replaced. An entry of another kind is never replaced. */
function isUsable(path: string): boolean {
  if (!statSync(path).isFile()) return false;
  return isWritableFolder(dirname(path)) || readCachedIndex(path) !== undefined;
}

/** Candidate paths of the embedded index, best first. */
function embeddedPaths(indexFolder: string): string[] {
  const cache = userCacheFolder();
  const folders = cache === undefined ? [indexFolder] : [cache, indexFolder];
  const name = embeddedIndexName();
  return folders.map((folder) => join(folder, name));
}
