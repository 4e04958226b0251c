/**
 * The index a command answers from: the file that was named, or that of the embedded data.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readIndexFile } from '../index-file/file.ts';
import { openIndexFolder, type StateFolder } from '../serve/state-folder.ts';
import { reasonOf, UsageError } from '../serve/usage-error.ts';
import { type EmbeddedIndexRun, embeddedIndexName, ensureEmbeddedIndex } from './embedded-index.ts';
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

/** Where the index of the embedded data is, or can be built and kept; undefined if the user has no cache. */
function keptEmbeddedPath(state: StateFolder): string | undefined {
  const name = embeddedIndexName();
  const cache = userCacheFolder();
  const folders = cache === undefined ? [state.indexFolder] : [cache, state.indexFolder];
  const kept = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (kept !== undefined) return kept;
  return cache !== undefined && isWritableFolder(cache) ? join(cache, name) : undefined;
}
