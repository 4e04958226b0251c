/**
 * The index a command answers from: the file that was named, or that of the embedded data.
 */
import { resolve } from 'node:path';
import { readIndexFile } from '../index-file/file.ts';
import type { StateFolder } from '../serve/state-folder.ts';
import { reasonOf, UsageError } from '../serve/usage-error.ts';
import { ensureEmbeddedIndex } from './embedded-index.ts';

export interface LoadedIndex {
  readonly path: string;
  readonly bytes: SharedArrayBuffer;
}

/** Calls `beforeRead` right before the file is opened. */
export async function loadIndex(
  named: string | undefined,
  state: StateFolder,
  beforeRead: () => void = () => {},
): Promise<LoadedIndex> {
  const path = indexPath(named, state);
  if (named === undefined) return { path, bytes: await ensureEmbeddedIndex(path, beforeRead) };
  beforeRead();
  return readNamedIndex(path);
}

export function indexPath(named: string | undefined, state: StateFolder): string {
  return named === undefined ? state.embeddedIndexPath : resolve(named);
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
