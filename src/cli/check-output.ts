/** Checks an output file before the work that fills it, so that an hour's build does not end in an error. */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf, UsageError } from '../serve/usage-error.ts';

/** `out` is replaced by renaming, so its folder must be writable. Throws UsageError. */
export function checkOutputFile(out: string): void {
  const existing = statSync(out, { throwIfNoEntry: false });
  if (existing?.isDirectory()) throw cannotWrite(out, 'it is a folder; name a file in it');
  // a device or pipe would be replaced by a file
  if (existing?.isFile() === false) throw cannotWrite(out, 'it is not a regular file');
  const folder = dirname(out);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw cannotWrite(out, `${folder} is not a folder`);
  }
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw cannotWrite(out, reasonOf(error), error);
  }
}

function cannotWrite(out: string, reason: string, cause?: unknown): UsageError {
  return new UsageError(`--out ${out} cannot be written: ${reason}.`, { cause });
}
