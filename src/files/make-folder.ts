/**
 * Makes a folder and those above it that are missing, each for its owner only. Not with mkdir's `recursive`: it never
 * ends where the system answers ENOENT although the folder above exists, as in /proc.
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Throws the system's error. */
export function makeFolder(path: string): void {
  for (const folder of missingFolders(resolve(path))) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      // another process may have made it in the meantime
      if (!isFolder(folder)) throw error;
    }
  }
}

/** Outermost first. */
function missingFolders(path: string): string[] {
  const missing: string[] = [];
  for (let folder = path; !isFolder(folder) && folder !== missing[0]; folder = dirname(folder)) missing.unshift(folder);
  return missing;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
