/**
 * The index a command answers from: the file that was named, or that of the embedded data.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { reasonOf, UsageError } from '../errors/usage-error.ts';
import { readIndexFile } from '../index-file/file.ts';
import { openIndexFolder, type StateFolder } from '../serve/state/state-folder.ts';
import { type EmbeddedIndexRun, embeddedIndexName, ensureEmbeddedIndex, openKeptIndex } from './embedded-index.ts';
import { isWritableFolder, userCacheFolder } from './user-cache.ts';

export interface LoadedIndex {
  readonly path: string;
  readonly bytes: SharedArrayBuffer;
}

/** For a command that ends: where the user has no cache, the index of the embedded data is built and not kept. */
export async function loadIndex(named: string | undefined, state: StateFolder): Promise<SharedArrayBuffer> {
  if (named !== undefined) return readNamedIndex(named).bytes;
  const kept = keptEmbeddedPath(state);
  if (kept !== undefined) return await ensureEmbeddedIndex(kept);
  const folder = mkdtempSync(join(tmpdir(), 'toponym-'));
  try {
    return await ensureEmbeddedIndex(join(folder, embeddedIndexName()));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files that `loadIndex` may read. */
export function indexPaths(named: string | undefined, state: StateFolder): string[] {
  return named === undefined ? embeddedPaths(state) : [resolve(named)];
}

/** For the service, which reads the file again on a reload: where the user has no cache, it is in the state folder. */
export function servedIndexPath(named: string | undefined, state: StateFolder): string {
  if (named !== undefined) return resolve(named);
  return keptEmbeddedPath(state) ?? join(openIndexFolder(state), embeddedIndexName());
}

/**
 * Reads the file at `servedIndexPath`, or builds it if it is the index of the embedded data. Calls `beforeRead` right
 * before the file is opened.
 */
export async function loadServedIndex(
  named: string | undefined,
  path: string,
  run: EmbeddedIndexRun,
): Promise<SharedArrayBuffer> {
  if (named === undefined) return await ensureEmbeddedIndex(path, run);
  run.beforeRead?.();
  return readNamedIndex(path).bytes;
}

/** Throws IndexFormatError where the file is not an index that can be used. */
export function readNamedIndex(named: string): LoadedIndex {
  const path = resolve(named);
  try {
    return { path, bytes: readIndexFile(path) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new UsageError(`The index ${path} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
}

/** Where the index of the embedded data is, or can be built and kept; undefined if the user has no usable cache. */
function keptEmbeddedPath(state: StateFolder): string | undefined {
  const kept = embeddedPaths(state).find((path) => existsSync(path) && isUsable(path));
  if (kept !== undefined) return kept;
  const cache = userCacheFolder();
  if (cache === undefined || !isWritableFolder(cache)) return undefined;
  const path = join(cache, embeddedIndexName());
  return existsSync(path) ? undefined : path;
}

/** Whether the file can be read as it is, or be replaced by one that can. Another kind of entry is left alone. */
function isUsable(path: string): boolean {
  if (!statSync(path).isFile()) return false;
  return isWritableFolder(dirname(path)) || openKeptIndex(path) !== undefined;
}

/** Where an index of the embedded data is looked for, in this order. */
function embeddedPaths(state: StateFolder): string[] {
  const cache = userCacheFolder();
  const folders = cache === undefined ? [state.indexFolder] : [cache, state.indexFolder];
  const name = embeddedIndexName();
  return folders.map((folder) => join(folder, name));
}
