/** Files that hold secrets: readable by their owner only, and never visible half-written. */
import { closeSync, linkSync, renameSync } from 'node:fs';
import { createFile } from './new-file.ts';
import { pathExists } from './path-exists.ts';
import { replaceFile } from './replace-file.ts';
import { newTemporaryPath } from './temporary-file.ts';

const OWNER_ONLY = 0o600;

/** Creates an empty temporary file beside `file` and returns its path. */
export function createPrivateFile(file: string): string {
  const temporary = newTemporaryPath(file);
  closeSync(createFile(temporary, OWNER_ONLY));
  return temporary;
}

/** Writes a whole file. Replaces an existing file and its permissions. */
export function writePrivateFile(file: string, text: string): void {
  replaceFile(file, [Buffer.from(text)], OWNER_ONLY);
}

/** Returns false if `name` is taken. The caller deletes `temporary` in any case. */
export function publishFile(temporary: string, name: string): boolean {
  try {
    // unlike a rename, a hard link never replaces a file
    linkSync(temporary, name);
  } catch {
    if (pathExists(name)) return false;
    // the file system probably has no hard links
    renameSync(temporary, name);
  }
  return true;
}
