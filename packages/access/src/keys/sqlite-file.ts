/**
 * The SQLite file of the key store: creation, opening, schema upgrades and checks for damage.
 *
 * Only SQLite may open the file: when a process closes any descriptor of a file, POSIX drops all
 * locks that the process holds on that file. So a new store is created under another name.
 */

import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { errorMessage } from 'toponym-files/errors/errors';
import { pathExists } from 'toponym-files/regular-file';
import { createPrivateFile, publishFile } from 'toponym-files/replace-file';
import { DamageError, KeyStoreError } from './key-store.ts';

const SCHEMA_VERSION = 4;
const EARLIER_VERSIONS = [1, 2, 3];
const BUSY_TIMEOUT_MS = 5000;

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOT_A_DATABASE = 26;

/** Calls made with a key on a UTC day, which is a number of days since 1970. */
const CREATE_QUOTA_COUNTS = `
  CREATE TABLE quota_counts (key_id TEXT PRIMARY KEY, day INTEGER NOT NULL, calls INTEGER NOT NULL) STRICT;
`;

const CREATE_AUDIT_LOG = `
  CREATE TABLE key_changes (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    action TEXT NOT NULL,
    key_id TEXT NOT NULL,
    label TEXT NOT NULL,
    who TEXT NOT NULL
  ) STRICT;
`;

/** Opens the store for reading and writing. Creates a missing store and upgrades an older one. */
export function openKeyDatabase(file: string): DatabaseSync {
  if (!pathExists(file)) createKeyDatabase(file);
  // SQLite would create the missing target of a link
  if (!existsSync(file)) throw new Error('the link points to a file that does not exist (is its volume mounted?)');
  return withKnownSchema(new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS }), (db) => {
    // FULL: a commit is on disk when it returns, so a power failure cannot undo a revocation
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    if (schemaVersion(db) !== SCHEMA_VERSION) inTransaction(db, () => upgradeSchema(db));
  });
}

/** Creates a store in memory, to write it to a file as a backup. */
export function createKeyDatabaseInMemory(): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  createSchema(db);
  return db;
}

/** Opens a store for reading; `openKeyDatabase` must have created or upgraded it. */
export function openKeyDatabaseForReading(file: string): DatabaseSync {
  return new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, readOnly: true });
}

/**
 * Opens a store of any version without changing a file, to inspect it. SQLite would leave a new log
 * beside a store that has none.
 */
export function openKeyDatabaseUntouched(file: string): DatabaseSync {
  if (existsSync(`${file}-wal`)) return withKnownSchema(openKeyDatabaseForReading(file));
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  return withKnownSchema(new DatabaseSync(url, { readOnly: true }));
}

/** Closes the database if its version is unknown or `prepare` throws. */
function withKnownSchema(db: DatabaseSync, prepare: (db: DatabaseSync) => void = () => {}): DatabaseSync {
  try {
    refuseUnknownVersion(schemaVersion(db));
    prepare(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Runs `change` in a transaction, and rolls back if `change` throws. */
export function inTransaction(db: DatabaseSync, change: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    change();
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK'); // after some errors, SQLite has already rolled back
    throw error;
  }
}

/** As `inTransaction`, but never waits: returns false if another connection holds a lock. */
export function tryInTransaction(db: DatabaseSync, change: () => void): boolean {
  db.exec('PRAGMA busy_timeout = 0');
  try {
    inTransaction(db, change);
    return true;
  } catch (error) {
    if (sqliteCode(error) === SQLITE_BUSY) return false;
    throw error;
  } finally {
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

/**
 * Throws DamageError if SQLite finds damaged pages or indexes, or unless `key_revision` has exactly one
 * row, with a revision of at least 0.
 */
export function checkKeyDatabase(db: DatabaseSync): void {
  const finding = db.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
  if (finding !== 'ok') throw new DamageError(String(finding).replaceAll('\n', ' '));
  const rows = db.prepare('SELECT revision FROM key_revision').all();
  const [row] = rows;
  if (row === undefined || rows.length > 1 || Number(row.revision) < 0) {
    throw new DamageError('table key_revision does not hold one revision');
  }
}

/** Runs `action`, and turns its errors into errors of the key store. */
export function withKeyStoreErrors<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw toKeyStoreError(file, cause);
  }
}

export function toKeyStoreError(file: string, cause: unknown): KeyStoreError {
  if (cause instanceof KeyStoreError) return cause;
  const reason = errorMessage(cause);
  const message = isDamage(cause)
    ? `key store ${file} is damaged: ${reason}. Restore it from a backup, or move it away to start with new keys.`
    : `key store ${file} cannot be used: ${reason}`;
  return new KeyStoreError(message, { cause });
}

export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return error instanceof DamageError || code === SQLITE_CORRUPT || code === SQLITE_NOT_A_DATABASE;
}

/** The primary result code, such as SQLITE_BUSY for the extended code SQLITE_BUSY_RECOVERY. */
function sqliteCode(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}

function createKeyDatabase(file: string): void {
  const temporary = createPrivateFile(file);
  try {
    const db = new DatabaseSync(temporary);
    try {
      db.exec('PRAGMA journal_mode = WAL'); // here, because two processes that do so at once do not wait for each other
      inTransaction(db, () => createSchema(db));
    } finally {
      db.close();
    }
    publishFile(temporary, file); // does nothing if another process has created the store
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
      per_day INTEGER,
      batch INTEGER,
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
    ${CREATE_QUOTA_COUNTS}
    ${CREATE_AUDIT_LOG}
    PRAGMA user_version = ${SCHEMA_VERSION};
  `);
}

function refuseUnknownVersion(version: unknown): void {
  // 0 is SQLite's default
  if (version === 0) throw new DamageError('the file is empty or not a key store');
  if (!EARLIER_VERSIONS.includes(Number(version)) && version !== SCHEMA_VERSION) {
    throw new Error(`its schema version is ${version}; this program reads versions up to ${SCHEMA_VERSION}`);
  }
}

/** Version 2 added a revision of each key, version 3 quotas and the audit log, version 4 batches. */
function upgradeSchema(db: DatabaseSync): void {
  const version = schemaVersion(db);
  // another process may have upgraded the schema in the meantime
  if (version === SCHEMA_VERSION) return;
  if (version === 1) {
    db.exec(`
      ALTER TABLE keys ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX keys_by_revision ON keys (revision);
    `);
  }
  if (version !== 3) {
    db.exec(`
      ALTER TABLE keys ADD COLUMN per_day INTEGER;
      ${CREATE_QUOTA_COUNTS}
      ${CREATE_AUDIT_LOG}
    `);
  }
  db.exec(`
    ALTER TABLE keys ADD COLUMN batch INTEGER;
    PRAGMA user_version = ${SCHEMA_VERSION};
  `);
}
