/** The index that a build replaces: ids that have gone since lead to their successors. */
import { existsSync } from 'node:fs';
import { readIndexFile } from '../index-file/file.ts';
import { IndexFormatError } from '../index-file/format-error.ts';
import type { Index } from '../index-file/layout.ts';
import { openIndex } from '../index-file/open-index.ts';

/** Undefined where there is none, or none that can be read: damaged, or of another version. */
export function previousIndex(path: string): Index | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return openIndex(readIndexFile(path));
  } catch (error) {
    if (error instanceof IndexFormatError) return undefined;
    throw error;
  }
}
