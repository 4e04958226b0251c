/**
 * Creation of files and folders. What root creates in the folder of another user belongs to that
 * user, as if the user had created it. So root may run commands on the state folder of a service.
 */
import { closeSync, constants, fchownSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { closing } from './regular-file.ts';

/** Creates an empty file and opens it for writing; the caller closes it. */
export function createFile(path: string, mode: number): number {
  const handle = openSync(path, 'wx', mode);
  try {
    giveToFolderOwner(handle, path);
    return handle;
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

/** Creates one folder, readable by its owner only. Its parent must exist. */
function createFolder(path: string): void {
  mkdirSync(path, { mode: 0o700 });
  if (!isRoot()) return;
  using folder = closing(openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW));
  giveToFolderOwner(folder.handle, path);
}

/** Takes an open handle, because another user could exchange what is at the path. */
export function giveToFolderOwner(handle: number, path: string): void {
  if (!isRoot()) return;
  const { uid, gid } = statSync(dirname(path));
  if (uid === 0) return;
  try {
    fchownSync(handle, uid, gid);
  } catch (error) {
    // in containers, root may have no right to give files away, or not know the owner
    if (!['EPERM', 'EINVAL'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Creates a folder and its missing parents, readable by their owner only. The `recursive` option of
 * mkdir loops forever if the system reports ENOENT in an existing folder, as in /proc.
 */
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
