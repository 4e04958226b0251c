/**
 * Locks a folder against other processes, with SQLite's lock on a file in it. The system releases
 * the lock however the process ends. A process id in a file could belong to a new process.
 */
import { closeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createFile } from '../files/new-file.ts';
import { pathExists } from '../files/regular-file.ts';

export interface Lock {
  release(): void;
}

/** Creates a missing lock file. Returns undefined if any process, even this one, has the lock. */
export function takeLock(path: string): Lock | undefined {
  createLockFile(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}

/** Never opens an existing file: closing it would drop a lock that this process has on it. */
function createLockFile(path: string): void {
  try {
    closeSync(createFile(path, 0o600));
  } catch (error) {
    if (!pathExists(path)) throw error;
  }
}

function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return (error as { errcode?: number }).errcode === SQLITE_BUSY;
}
