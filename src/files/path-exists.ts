import { lstatSync } from 'node:fs';

/** Whether anything is at this path; unlike `existsSync`, true for a link without a target. */
export function pathExists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
