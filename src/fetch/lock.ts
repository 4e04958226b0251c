/**
 * Locks a folder against other processes, with SQLite's lock on a file in it. The system releases
 * the lock however the process ends. A process id in a file could belong to a new process.
 */
import { DatabaseSync } from 'node:sqlite';

export interface Lock {
  release(): void;
}

/** Creates a missing lock file. Returns undefined if any process, even this one, has the lock. */
export function takeLock(path: string): Lock | undefined {
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

function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return (error as { errcode?: number }).errcode === SQLITE_BUSY;
}
