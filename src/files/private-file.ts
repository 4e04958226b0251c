/**
 * Files that hold secrets: readable by their owner only, and written under another name first, so that the final name
 * never shows half a file.
 */
import { closeSync, fsyncSync, linkSync, lstatSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Creates an empty file, replacing what a run that was killed has left under this name. */
export function createPrivateFile(file: string): void {
  rmSync(file, { force: true });
  closeSync(openSync(file, 'wx', 0o600));
}

/**
 * Writes a whole file, replacing what has this name: an older file with its permissions, or a link, which is not
 * followed. Leaves nothing behind if it fails.
 */
export function writePrivateFile(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    createPrivateFile(temporary);
    const handle = openSync(temporary, 'r+');
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Gives a finished file its final name; the caller removes the temporary name. Returns false if the name is taken. */
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
