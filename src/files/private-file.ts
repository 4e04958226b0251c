/** Files that hold secrets: readable by their owner only, and never visible half-written. */
import { closeSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { pathExists } from './path-exists.ts';
import { replaceFile } from './replace-file.ts';

const OWNER_ONLY = 0o600;

/**
 * Creates an empty file under a temporary name; `publishFile` gives it its final name. If a killed
 * process left a file under the temporary name, deletes that file first.
 */
export function createPrivateFile(temporary: string): void {
  rmSync(temporary, { force: true });
  closeSync(openSync(temporary, 'wx', OWNER_ONLY));
}

/** Writes a whole file. An existing file is replaced, and its permissions with it. */
export function writePrivateFile(file: string, text: string): void {
  replaceFile(file, [Buffer.from(text)], OWNER_ONLY);
}

/**
 * Gives a finished file its final name. Returns false if that name is taken. In both cases the
 * temporary name may remain, and the caller deletes it.
 */
export function publishFile(temporary: string, name: string): boolean {
  try {
    // unlike a rename, a hard link never replaces a file
    linkSync(temporary, name);
  } catch {
    if (pathExists(name)) return false;
    // the name is free, so the link probably failed because the file system has no hard links
    renameSync(temporary, name);
  }
  return true;
}
