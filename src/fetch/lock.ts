/**
 * Keeps two runs out of one folder, by SQLite's lock on a file in it. The system gives the lock up when the process
 * that holds it ends, however it ends, so a crash leaves nothing to clean up. A file with a process id in it would:
 * in containers every run has the same id, and elsewhere the id of a dead run soon belongs to another program.
 */
import { DatabaseSync } from 'node:sqlite';

export interface Lock {
  release(): void;
}

/** Undefined where another process, or this one, holds the lock. */
export function takeLock(path: string): Lock | undefined {
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return { release: () => file.close() };
}

function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return (error as { errcode?: number }).errcode === SQLITE_BUSY;
}
