import { existsSync } from 'node:fs';
import { readIndexFile } from '../index-file/file.ts';
import { IndexFormatError } from '../index-file/format-error.ts';
import type { Index } from '../index-file/layout.ts';
import { openIndex } from '../index-file/open-index.ts';
import { unreadableOutput } from './check-output.ts';

/** Returns undefined if no index is usable. Throws UsageError if the system cannot read it. */
export function readPreviousIndex(out: string): Index | undefined {
  if (!existsSync(out)) return undefined;
  try {
    return openIndex(readIndexFile(out));
  } catch (error) {
    if (error instanceof IndexFormatError) return undefined;
    throw error instanceof Error && 'syscall' in error ? unreadableOutput(out, error) : error;
  }
}
