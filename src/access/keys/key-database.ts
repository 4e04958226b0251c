/**
 * The SQLite file of the key store: creating it, opening it, upgrading its schema and checking it for damage.
 *
 * A running service has several connections to the file. POSIX drops all locks of a process on a file as soon as the
 * process closes any descriptor of it, and another SQLite then deletes the write-ahead log under the service. So nothing
 * but SQLite may ever open the file; it is created under another name, whole, and moved into place.
 */
import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createPrivateFile, isNameTaken, publishFile } from '../../files/private-file.ts';
import { DamageError, isBusy } from './key-store-errors.ts';

const SCHEMA_VERSION = 2;
const BUSY_TIMEOUT_MS = 5000;

/** Opens the store for reading and writing; creates it if there is none and upgrades an older one. */
export function openKeyDatabase(file: string): DatabaseSync {
  if (!isNameTaken(file)) createKeyDatabase(file);
  // SQLite would create an empty file where the link leads to, or fail without a reason
  if (!existsSync(file)) throw new Error('it is a link to a file that does not exist (is its volume mounted?)');
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    const version = schemaVersion(db);
    refuseUnknown(version);
    // FULL: a revocation is on the disk when the command that made it ends
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    if (version !== SCHEMA_VERSION) inTransaction(db, () => upgradeSchema(db));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens a store that another connection of the process has opened for writing before. */
export function openKeyDatabaseForReading(file: string): DatabaseSync {
  return new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, readOnly: true });
}

export function inTransaction(db: DatabaseSync, change: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    change();
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Does not wait for a lock that another connection holds: returns false and changes nothing. */
export function tryInTransaction(db: DatabaseSync, change: () => void): boolean {
  db.exec('PRAGMA busy_timeout = 0');
  try {
    inTransaction(db, change);
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  } finally {
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

/** Throws if SQLite finds pages or indexes that are damaged. */
export function checkIntegrity(db: DatabaseSync): void {
  const first = Object.values(db.prepare('PRAGMA integrity_check(1)').get() ?? {})[0];
  if (first !== 'ok') throw new DamageError(`it is damaged (${String(first).replaceAll('\n', ' ')})`);
}

/** Throws unless the table of the revision has its one row: without it readers do not notice changes of keys. */
export function checkRevision(db: DatabaseSync): void {
  const rows = db.prepare('SELECT revision FROM key_revision').all();
  const [row] = rows;
  if (row === undefined || rows.length > 1 || Number(row.revision) < 0) {
    throw new DamageError('it is damaged (table key_revision does not hold one revision)');
  }
}

function createKeyDatabase(file: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  createPrivateFile(temporary);
  try {
    const db = new DatabaseSync(temporary);
    try {
      inTransaction(db, () => createSchema(db));
    } finally {
      db.close();
    }
    // where another process was faster, its store is used
    publishFile(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function schemaVersion(db: DatabaseSync): unknown {
  return db.prepare('PRAGMA user_version').get()?.user_version;
}

function createSchema(db: DatabaseSync): void {
  db.exec(`
    CREATE TABLE keys (
      id TEXT PRIMARY KEY,
      hash TEXT NOT NULL UNIQUE,
      label TEXT NOT NULL,
      max_records INTEGER NOT NULL,
      per_minute TEXT,
      origins TEXT NOT NULL,
      cidrs TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER,
      revoked_at INTEGER,
      last_used_at INTEGER,
      revision INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX keys_by_revision ON keys (revision);
    CREATE TABLE key_revision (revision INTEGER NOT NULL) STRICT;
    INSERT INTO key_revision VALUES (1);
    PRAGMA user_version = ${SCHEMA_VERSION};
  `);
}

function refuseUnknown(version: unknown): void {
  // a store is created whole, so an empty file was emptied by something else
  if (version === 0) throw new DamageError('it is empty or no key store');
  if (version !== 1 && version !== SCHEMA_VERSION) {
    throw new Error(`it has schema version ${version}, this program reads versions up to ${SCHEMA_VERSION}`);
  }
}

/** Version 2 added the revision of each row, so that a change of one key does not make readers load all of them. */
function upgradeSchema(db: DatabaseSync): void {
  // another process may have been faster
  if (schemaVersion(db) === SCHEMA_VERSION) return;
  db.exec(`
    ALTER TABLE keys ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX keys_by_revision ON keys (revision);
    PRAGMA user_version = ${SCHEMA_VERSION};
  `);
}
