/** Files that hold secrets: readable by their owner only, and never visible half-written. */
import { closeSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { pathExists } from './path-exists.ts';
import { replaceFile } from './replace-file.ts';

const OWNER_ONLY = 0o600;

/** Creates an empty file. Deletes one that a killed process has left under this name. */
export function createPrivateFile(temporary: string): void {
  rmSync(temporary, { force: true });
  closeSync(openSync(temporary, 'wx', OWNER_ONLY));
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
