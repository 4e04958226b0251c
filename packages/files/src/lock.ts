/**
 * Locks a folder or a file against other processes, with SQLite's lock on a file beside it. The system releases
 * the lock however the process ends. A process id in a file alone could belong to a new process.
 */
import { closeSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createFile } from './new-file.ts';
import { pathExists } from './regular-file.ts';

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

/** How long to wait for processes that read the file, and for one that writes its id to a slow disk. */
const READ_MS = 200;
const WRITE_MS = 10_000;

/**
 * Takes a lock whose file names the process that has it, and is removed with it. Returns the id of that process if
 * it is another one, or if this process has the lock already.
 */
export function takeNamedLock(path: string): Lock | number {
  createLockFile(path);
  const database = new DatabaseSync(path, { timeout: READ_MS });
  try {
    // the lock that lasts lets others read the id; the first one keeps them waiting until it is written
    database.exec(`BEGIN EXCLUSIVE; PRAGMA user_version = ${process.pid}; COMMIT; BEGIN IMMEDIATE`);
  } catch (error) {
    database.exec(`PRAGMA busy_timeout = ${WRITE_MS}`);
    const holder = isBusy(error) && Number(database.prepare('PRAGMA user_version').get()?.user_version);
    database.close();
    if (holder !== false) return holder;
    // the process that had the lock has removed the file since it was opened here
    if (errorCode(error) === SQLITE_READONLY_DBMOVED) return takeNamedLock(path);
    throw error;
  }
  const release = () => {
    // removed before the lock ends, because another process may take it then; Windows removes no open file
    if (process.platform !== 'win32') rmSync(path, { force: true });
    database.close();
  };
  return { release };
}

/** Never opens an existing file: closing it would drop a lock that this process has on it. */
function createLockFile(path: string): void {
  try {
    closeSync(createFile(path, 0o600));
  } catch (error) {
    if (!pathExists(path)) throw error;
  }
}

const SQLITE_READONLY_DBMOVED = 1032;

function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return errorCode(error) === SQLITE_BUSY;
}

function errorCode(error: unknown): number | undefined {
  return (error as { errcode?: number }).errcode;
}
