/** Loads the index that a command uses. */
import { accessSync, constants, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IndexFormatError } from 'toponym-engine/index-file/open-index';
import { errorMessage, errorReason, UsageError } from 'toponym-files/errors/errors';
import { readIndexFile } from 'toponym-files/index-file';
import { makeFolder } from 'toponym-files/new-file';
import { ROOT } from 'toponym-files/root';
import { embeddedIndexName, ensureEmbeddedIndex, type LoadOptions, readCachedIndex } from './embedded-index.ts';
import { type IndexChoice, refuseIndexUrl, updatedIndexRemedy } from './index-choice.ts';
import type { OverlaidOptions } from './overlaid-index.ts';

/** The index of the embedded data, if it comes with the program, as in the container image. */
const BUNDLED_INDEX = fileURLToPath(new URL('embedded.toponym', ROOT));

/** Builds the embedded index only for this call if it cannot be stored. */
export async function loadIndex(
  choice: IndexChoice,
  indexFolder: string | undefined,
  options: LoadOptions,
): Promise<SharedArrayBuffer> {
  if (choice.kind === 'url') refuseIndexUrl(choice.url.href);
  else if (choice.kind !== 'embedded') return readChosenIndex(choice);
  const path = embeddedIndexPath(indexFolder);
  if (path !== undefined) return await loadEmbeddedIndex(path, options);
  const folder = mkdtempSync(join(tmpdir(), 'toponym-'));
  try {
    return await ensureEmbeddedIndex(join(folder, embeddedIndexName()), options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Paths at which the index may be. There is none for a URL. */
export function indexPaths(choice: IndexChoice, indexFolder: string): string[] {
  if (choice.kind === 'url') return [];
  return choice.kind === 'embedded' ? possibleEmbeddedPaths(indexFolder) : [choice.path];
}

/** Throws as `readVerifiedIndex`. */
export function readChosenIndex({ kind, path }: Extract<IndexChoice, { path: string }>): SharedArrayBuffer {
  return kind === 'updated' ? readUpdatedIndex(path) : readVerifiedIndex(path);
}

/** Throws UsageError if the file cannot be read, and IndexFormatError if it is invalid. */
export function readVerifiedIndex(path: string): SharedArrayBuffer {
  try {
    return readIndexFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error; // an IndexFormatError
    throw new UsageError(`The index ${path} cannot be read: ${errorReason(error)}.`, { cause: error });
  }
}

/** Like `readVerifiedIndex`, but the error also says what to do. */
export function readUpdatedIndex(path: string): SharedArrayBuffer {
  try {
    return readVerifiedIndex(path);
  } catch (cause) {
    const message = `${errorMessage(cause).replace(/\.$/, '')}. ${updatedIndexRemedy()}.`;
    throw cause instanceof UsageError ? new UsageError(message, { cause }) : new IndexFormatError(message, { cause });
  }
}

/** Returns `base` itself without an overlay. Imports the code of overlays only if there is one. */
export async function withOverlay<Bytes extends ArrayBuffer | SharedArrayBuffer>(
  base: Bytes,
  overlayPath: string | undefined,
  indexFolder: string | undefined,
  options: Omit<OverlaidOptions, 'folder'> = {},
): Promise<Bytes | SharedArrayBuffer> {
  if (overlayPath === undefined) return base;
  const { overlaidIndex } = await import('./overlaid-index.ts');
  const overlaid = await overlaidIndex(base, overlayPath, { folder: overlaidFolder(indexFolder), ...options });
  return overlaid.index ?? readIndexFile(overlaid.path);
}

/** Where to keep indexes with overlays: the cache folder, or else `indexFolder` if it exists. */
export function overlaidFolder(indexFolder: string | undefined): string | undefined {
  const cache = userCacheFolder();
  if (cache !== undefined && ensureWritableFolder(cache)) return cache;
  return indexFolder !== undefined && existsSync(indexFolder) && ensureWritableFolder(indexFolder)
    ? indexFolder
    : undefined;
}

/** `path` is that of `embeddedIndexPath`. Builds the index if it cannot be read. */
export async function loadEmbeddedIndex(path: string, options: LoadOptions): Promise<SharedArrayBuffer> {
  if (path !== BUNDLED_INDEX) return await ensureEmbeddedIndex(path, options);
  options.beforeRead?.();
  return readVerifiedIndex(path); // the program may lack the data to build it again
}

/** Path of an existing index, or of a new one in the cache folder if that can be written. */
export function embeddedIndexPath(indexFolder: string | undefined): string | undefined {
  if (existsSync(BUNDLED_INDEX)) return BUNDLED_INDEX;
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
  if (existsSync(BUNDLED_INDEX)) return [BUNDLED_INDEX];
  const folders = [userCacheFolder(), indexFolder].filter((folder) => folder !== undefined);
  const name = embeddedIndexName();
  return folders.map((folder) => join(folder, name));
}

/**
 * Path of the user's cache folder, such as `~/.cache/toponym`, which may not exist yet; undefined for
 * a user without a home folder.
 */
export function userCacheFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: string = process.platform,
): string | undefined {
  const configured = platform === 'win32' ? env.LOCALAPPDATA : env.XDG_CACHE_HOME;
  // the XDG specification requires that relative paths are ignored
  if (configured !== undefined && isAbsolute(configured)) return join(configured, 'toponym');
  try {
    const home = env.HOME ?? homedir();
    return isAbsolute(home) ? join(home, '.cache', 'toponym') : undefined;
  } catch {
    return undefined; // the system does not know the user, as in some containers
  }
}

/** Creates the folder if it is missing. Returns whether it can be written. */
export function ensureWritableFolder(path: string): boolean {
  try {
    makeFolder(path);
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
