/**
 * Files that hold secrets: readable by their owner only, and written under another name first, so that the final name
 * never shows half a file.
 */
import { closeSync, linkSync, lstatSync, openSync, renameSync, rmSync } from 'node:fs';

/** Creates an empty file, replacing what a run that was killed has left under this name. */
export function createPrivateFile(file: string): void {
  rmSync(file, { force: true });
  closeSync(openSync(file, 'wx', 0o600));
}

/** Gives a finished file its final name. Returns false if that name is taken. The temporary name may remain; the caller removes it. */
export function publishFile(finished: string, name: string): boolean {
  try {
    linkSync(finished, name);
  } catch {
    if (isNameTaken(name)) return false;
    // the file system has no hard links
    renameSync(finished, name);
  }
  return true;
}

/** Whether there is anything under this name, also a link whose target is missing. */
export function isNameTaken(name: string): boolean {
  return lstatSync(name, { throwIfNoEntry: false }) !== undefined;
}
