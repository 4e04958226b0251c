/**
 * Locks a folder against other processes, with SQLite's lock on a file in it. The system releases
 * the lock however the process ends, so a crash leaves nothing to clean up. Why not a file with a
 * process id: after a crash it would look valid if another process got that id, and in a container
 * the next run always gets it.
 */
import { DatabaseSync } from 'node:sqlite';

export interface Lock {
  release(): void;
}

/**
 * Takes the lock; `path` is the lock file, which is created if it is missing. Returns undefined if
 * another process, or this one, already holds the lock.
 */
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
