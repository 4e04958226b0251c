import { lstatSync } from 'node:fs';

/** Whether anything is at this path; unlike `existsSync`, true for a link without a target. */
export function pathExists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false; // below a file
    throw error;
  }
}
