/**
 * The embedded key store: one SQLite file, opened by every thread of the service and by the command line at once.
 * Each connection keeps the keys in memory and asks SQLite whether another connection wrote (`PRAGMA data_version`), so a
 * revocation made anywhere holds from the next call on. Asking takes longer than all else that lets a call in, so a server
 * asks once a turn of its event loop: of calls that arrive together, those that a turn has already begun to read are let in,
 * and none after it.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { checkKeyFields, type KeyRecord, type NewKeyFields } from './key-record.ts';
import { type KeyStore, KeyStoreError } from './key-store.ts';
import { createKeyText, hashKey, isWellFormedKey } from './key-text.ts';

const SCHEMA_VERSION = 1;
const BUSY_TIMEOUT_MS = 5000;
/** Keys are found by the first digits of their hash, then compared whole in constant time. */
const BUCKET_DIGITS = 8;

interface Entry {
  /** The bytes of its hex digits. */
  readonly hash: Buffer;
  readonly record: KeyRecord;
}

export interface KeyStoreSettings {
  /** How often lookups ask for what others wrote. */
  readonly asks?: 'each lookup' | 'each turn';
}

export function openSqliteKeys(file: string, { asks = 'each lookup' }: KeyStoreSettings = {}): KeyStore {
  try {
    return new SqliteKeys(file, asks === 'each turn');
  } catch (cause) {
    throw storeError(file, cause);
  }
}

class SqliteKeys implements KeyStore {
  readonly #file: string;
  readonly #db: DatabaseSync;
  readonly #dataVersion: StatementSync;
  readonly #revision: StatementSync;
  readonly #touched = new Map<string, number>();
  #seenDataVersion: unknown;
  #seenRevision: unknown;
  #buckets = new Map<string, Entry[]>();
  /**
   * What was found in the buckets, by the text of the key: so a key is hashed once, and not at every call. Only good keys are
   * in it, so it has a bound. It tells nothing by how long it takes: a text is compared with one whose hash, with a secret
   * seed, is the same.
   */
  readonly #found = new Map<string, KeyRecord>();
  readonly #asksEachTurn: boolean;
  #hasAskedThisTurn = false;
  readonly #endTurn = () => {
    this.#hasAskedThisTurn = false;
  };

  constructor(file: string, asksEachTurn: boolean) {
    this.#file = file;
    this.#asksEachTurn = asksEachTurn;
    this.#db = openDatabase(file);
    this.#dataVersion = this.#db.prepare('PRAGMA data_version');
    this.#revision = this.#db.prepare('SELECT revision FROM key_revision');
    this.#refresh();
  }

  find(keyText: string): KeyRecord | undefined {
    this.#ask();
    const known = this.#found.get(keyText);
    if (known !== undefined) return known;
    if (!isWellFormedKey(keyText)) return undefined;
    const record = this.#findHashed(hashKey(keyText));
    if (record !== undefined) this.#found.set(keyText, record);
    return record;
  }

  create(fields: NewKeyFields, nowMs: number): { record: KeyRecord; key: string } {
    const checked = checkKeyFields(fields);
    const key = createKeyText();
    const id = `k${randomBytes(6).toString('hex')}`;
    const record: KeyRecord = {
      id,
      ...checked,
      createdAt: Math.floor(nowMs),
      revokedAt: undefined,
      lastUsedAt: undefined,
    };
    this.#write(() => {
      this.#db
        .prepare(
          `INSERT INTO keys (id, hash, label, max_records, per_minute, origins, cidrs, created_at, expires_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          id,
          hashKey(key),
          record.label,
          record.maxRecords,
          record.perMinute === undefined ? null : String(record.perMinute),
          JSON.stringify(record.allowedOrigins),
          JSON.stringify(record.allowedCidrs),
          record.createdAt,
          record.expiresAt ?? null,
        );
      this.#bumpRevision();
    });
    return { record, key };
  }

  list(): KeyRecord[] {
    return this.#guard(() => this.#readEntries().map((entry) => entry.record));
  }

  revoke(id: string, nowMs: number): KeyRecord | undefined {
    this.#write(() => {
      this.#db.prepare('UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL').run(Math.floor(nowMs), id);
      this.#bumpRevision();
    });
    return this.list().find((record) => record.id === id);
  }

  touch(id: string, nowMs: number): void {
    this.#touched.set(id, Math.floor(nowMs));
  }

  flush(): void {
    if (this.#touched.size === 0) return;
    const touched = [...this.#touched];
    this.#write(() => {
      const update = this.#db.prepare('UPDATE keys SET last_used_at = max(ifnull(last_used_at, 0), ?) WHERE id = ?');
      for (const [id, nowMs] of touched) update.run(nowMs, id);
    });
    this.#touched.clear();
  }

  close(): void {
    try {
      this.flush();
    } finally {
      this.#db.close();
    }
  }

  #findHashed(hash: string): KeyRecord | undefined {
    const bucket = this.#buckets.get(bucketOf(hash));
    if (bucket === undefined) return undefined;
    const bytes = Buffer.from(hash);
    return bucket.find((entry) => timingSafeEqual(entry.hash, bytes))?.record;
  }

  #ask(): void {
    if (this.#hasAskedThisTurn) return;
    this.#guard(() => this.#refresh());
    if (!this.#asksEachTurn) return;
    this.#hasAskedThisTurn = true;
    // runs once the sockets of this turn are read
    setImmediate(this.#endTurn);
  }

  /** Uses of keys are written too and change `data_version`, but only created and revoked keys change the revision. */
  #refresh(): void {
    const dataVersion = this.#dataVersion.get()?.data_version;
    if (dataVersion === this.#seenDataVersion) return;
    this.#reloadIfRevised();
    this.#seenDataVersion = dataVersion;
  }

  #reloadIfRevised(): void {
    const revision = this.#revision.get()?.revision;
    if (revision === this.#seenRevision) return;
    const buckets = new Map<string, Entry[]>();
    for (const entry of this.#readEntries()) {
      const name = bucketOf(entry.hash.toString());
      buckets.set(name, [...(buckets.get(name) ?? []), entry]);
    }
    this.#buckets = buckets;
    this.#found.clear();
    this.#seenRevision = revision;
  }

  #readEntries(): Entry[] {
    const rows = this.#db.prepare('SELECT * FROM keys ORDER BY created_at, id').all();
    return rows.map(entryOf);
  }

  #bumpRevision(): void {
    this.#db.exec('UPDATE key_revision SET revision = revision + 1');
  }

  #write(change: () => void): void {
    this.#guard(() => {
      inTransaction(this.#db, change);
      this.#reloadIfRevised();
    });
  }

  #guard<T>(action: () => T): T {
    try {
      return action();
    } catch (cause) {
      throw storeError(this.#file, cause);
    }
  }
}

function openDatabase(file: string): DatabaseSync {
  // SQLite would make the file readable by all; its -wal and -shm files take the mode of the main one.
  closeSync(openSync(file, 'a', 0o600));
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    inTransaction(db, () => createSchema(db));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function createSchema(db: DatabaseSync): void {
  const version = db.prepare('PRAGMA user_version').get()?.user_version;
  if (version === SCHEMA_VERSION) return;
  if (version !== 0) {
    throw new Error(`it has schema version ${version}, this program reads version ${SCHEMA_VERSION}`);
  }
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
      last_used_at INTEGER
    ) STRICT;
    CREATE TABLE key_revision (revision INTEGER NOT NULL) STRICT;
    INSERT INTO key_revision VALUES (1);
    PRAGMA user_version = ${SCHEMA_VERSION};
  `);
}

function inTransaction(db: DatabaseSync, change: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    change();
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function entryOf(row: Record<string, unknown>): Entry {
  const perMinute = row.per_minute as string | null;
  const record: KeyRecord = {
    id: row.id as string,
    label: row.label as string,
    maxRecords: row.max_records as number,
    perMinute: perMinute === null ? undefined : perMinute === 'unlimited' ? 'unlimited' : Number(perMinute),
    allowedOrigins: JSON.parse(row.origins as string) as string[],
    allowedCidrs: JSON.parse(row.cidrs as string) as string[],
    createdAt: row.created_at as number,
    expiresAt: (row.expires_at as number | null) ?? undefined,
    revokedAt: (row.revoked_at as number | null) ?? undefined,
    lastUsedAt: (row.last_used_at as number | null) ?? undefined,
  };
  return { hash: Buffer.from(row.hash as string), record };
}

function bucketOf(hash: string): string {
  return hash.slice(0, BUCKET_DIGITS);
}

function storeError(file: string, cause: unknown): KeyStoreError {
  if (cause instanceof KeyStoreError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new KeyStoreError(`key store ${file} cannot be used: ${reason}`, { cause });
}
