/**
 * Creates a folder and its missing parents, readable by their owner only. The `recursive` option of
 * mkdir loops forever if the system reports ENOENT in an existing folder, as in /proc.
 */
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createFolder } from './new-file.ts';

export function makeFolder(path: string): void {
  for (const folder of missingFolders(resolve(path))) {
    try {
      createFolder(folder);
    } catch (error) {
      // another process may have created the folder in the meantime
      if (isFolder(folder)) continue;
      const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST';
      throw isTaken ? new Error(`${folder} is not a folder`, { cause: error }) : error;
    }
  }
}

/** Outermost folder first. */
function missingFolders(path: string): string[] {
  const isRoot = dirname(path) === path;
  return isRoot || isFolder(path) ? [] : [...missingFolders(dirname(path)), path];
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
