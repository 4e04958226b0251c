import { existsSync } from 'node:fs';
import { readIndexFile } from '../index-file/file.ts';
import { IndexFormatError } from '../index-file/format-error.ts';
import type { Index } from '../index-file/layout.ts';
import { openIndex } from '../index-file/open-index.ts';

/**
 * Reads the index that a build replaces, so that ids missing from the new data can redirect to
 * their successors. Returns undefined if it is missing, damaged or of another format version.
 */
export function readPreviousIndex(path: string): Index | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return openIndex(readIndexFile(path));
  } catch (error) {
    if (error instanceof IndexFormatError) return undefined;
    throw error;
  }
}
