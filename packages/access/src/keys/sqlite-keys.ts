/**
 * The key store of one machine: a SQLite file, used by the main thread and the command line. It also has
 * today's calls, so that a restart does not reset the quotas of keys.
 */

import { rmSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { errorReason } from 'toponym-files/errors/errors';
import { createPrivateFile, flushFile, publishFile } from 'toponym-files/replace-file';
import type { DayCount } from '../limits/quota-table.ts';
import {
  createKey,
  type KeyRecord,
  MAX_PER_DAY,
  type NewKey,
  type NewKeyFields,
  type StoredKey,
} from './key-record.ts';
import {
  type AuditAction,
  type AuditEntry,
  type CopyReport,
  DamageError,
  type KeyStore,
  KeyStoreError,
  type KeyUses,
  MAX_AUDIT_ENTRIES,
  operatorName,
  parseAuditEntry,
  parseKeyRow,
  toKeyRow,
} from './key-store.ts';
import { hashKey, isWellFormedKey } from './key-text.ts';
import {
  checkKeyDatabase,
  createKeyDatabaseInMemory,
  inTransaction,
  isDamage,
  openKeyDatabase,
  openKeyDatabaseUntouched,
  tryInTransaction,
  withKeyStoreErrors,
} from './sqlite-file.ts';

const ALL_KEYS = 'SELECT * FROM keys ORDER BY created_at, id';
/** Latest day that a Date can hold. */
const MAX_DAY = 100_000_000;

/** Opens or creates the store. Must be called before `openKeyReader`. */
export function openSqliteKeys(file: string): SqliteKeys {
  return withKeyStoreErrors(file, () => new SqliteKeys(file, openKeyDatabase(file)));
}

/** Creates an empty store in memory. `name` is for messages. */
export function createSqliteKeysInMemory(name: string): SqliteKeys {
  return new SqliteKeys(name, createKeyDatabaseInMemory());
}

/**
 * Reads all keys of a store and verifies them, to report on it. It changes nothing, also beside a running
 * service. Throws KeyStoreError if the store cannot be used.
 */
export function inspectKeys(file: string): KeyRecord[] {
  return withKeyStoreErrors(file, () => {
    using db = openKeyDatabaseUntouched(file);
    return readVerified(db);
  });
}

export class SqliteKeys implements KeyStore {
  readonly #file: string;
  readonly #db: DatabaseSync;

  constructor(file: string, db: DatabaseSync) {
    this.#file = file;
    this.#db = db;
  }

  get location(): string {
    return this.#file;
  }

  find(keyText: string): KeyRecord | undefined {
    if (!isWellFormedKey(keyText)) return undefined;
    return this.#readOne('SELECT * FROM keys WHERE hash = ?', hashKey(keyText));
  }

  create(fields: NewKeyFields, nowMs: number): NewKey {
    const created = createKey(fields, nowMs);
    this.#change(() => this.#insert('create', created, nowMs));
    return created;
  }

  createFirst(fields: NewKeyFields, nowMs: number, save: (key: string) => void): string | undefined {
    const created = createKey(fields, nowMs);
    let isFirst = false;
    // the transaction excludes other writers, so the store stays empty until the key is inserted
    this.#change(() => {
      isFirst = this.isEmpty();
      if (!isFirst) return;
      this.#insert('create first', created, nowMs);
      save(created.key);
    });
    return isFirst ? created.key : undefined;
  }

  list(): KeyRecord[] {
    return this.stored().map(({ record }) => record);
  }

  stored(): StoredKey[] {
    return this.#convertErrors(() => this.#db.prepare(ALL_KEYS).all().map(parseKeyRow));
  }

  copyFrom(keys: readonly StoredKey[], nowMs: number): CopyReport {
    const report = { added: 0, revoked: 0 };
    this.#change(() => {
      for (const key of keys) {
        const { id, revokedAt } = key.record;
        if (this.#get('SELECT id FROM keys WHERE id = ?', id) === undefined) {
          this.#insert('copy', key, nowMs);
          report.added++;
        } else if (revokedAt !== undefined && this.#markRevoked(id, revokedAt, nowMs)) {
          report.revoked++;
        }
      }
    });
    return report;
  }

  isEmpty(): boolean {
    return this.#convertErrors(() => this.#get('SELECT id FROM keys LIMIT 1') === undefined);
  }

  revoke(id: string, nowMs: number): KeyRecord | undefined {
    this.#change(() => this.#markRevoked(id, nowMs, nowMs));
    return this.#readOne('SELECT * FROM keys WHERE id = ?', id);
  }

  /**
   * Writes when keys were last used, never over later times, and the calls that `countOf` returns by key id.
   * Returns false at once if the store is locked.
   */
  writeUses(uses: KeyUses, countOf: (keyId: string) => DayCount | undefined = () => undefined): boolean {
    return this.#convertErrors(() =>
      tryInTransaction(this.#db, () => {
        const update = this.#db.prepare('UPDATE keys SET last_used_at = max(ifnull(last_used_at, 0), ?) WHERE id = ?');
        for (const [id, usedAtMs] of uses) update.run(Math.floor(usedAtMs), id);
        this.#writeQuotaCounts(countOf);
      }),
    );
  }

  /** The last count of every key that has a quota. An unused key has 0 calls on day 0. */
  quotaCounts(): DayCount[] {
    return this.#convertErrors(() => {
      const sql = `SELECT keys.id, ifnull(day, 0) AS day, ifnull(calls, 0) AS calls
        FROM keys LEFT JOIN quota_counts ON key_id = keys.id WHERE per_day IS NOT NULL`;
      return this.#db.prepare(sql).all().map(parseDayCount);
    });
  }

  auditLog(): AuditEntry[] {
    return this.#convertErrors(() =>
      this.#db.prepare('SELECT * FROM key_changes ORDER BY number').all().map(parseAuditEntry),
    );
  }

  /** Throws KeyStoreError if any part of the store is damaged. */
  verify(): void {
    this.#convertErrors(() => readVerified(this.#db));
    this.quotaCounts();
  }

  /** Writes a verified copy, readable by its owner only. Throws KeyStoreError if `file` exists. */
  backUp(file: string): { readonly keys: number } {
    return this.#convertErrors(() => ({ keys: copyKeyDatabase(this.#db, file) }));
  }

  close(): void {
    this.#db.close();
  }

  #change(change: () => void): void {
    this.#convertErrors(() => inTransaction(this.#db, change));
  }

  #insert(action: AuditAction, stored: StoredKey, nowMs: number): void {
    const row = { ...toKeyRow(stored), revision: this.#nextRevision() };
    const columns = Object.keys(row);
    const values = columns.map((column) => `:${column}`);
    this.#db.prepare(`INSERT INTO keys (${columns.join(', ')}) VALUES (${values.join(', ')})`).run(row);
    this.#record(action, stored.record.id, nowMs);
  }

  /** Returns whether the key was not yet revoked. */
  #markRevoked(id: string, revokedAt: number, nowMs: number): boolean {
    const { changes } = this.#db
      .prepare('UPDATE keys SET revoked_at = ?, revision = ? WHERE id = ? AND revoked_at IS NULL')
      .run(Math.floor(revokedAt), this.#nextRevision(), id);
    if (changes > 0) this.#record('revoke', id, nowMs);
    return changes > 0;
  }

  /** Adds an entry to the audit log, in the transaction of the change itself. */
  #record(action: AuditAction, id: string, nowMs: number): void {
    const insert = this.#db.prepare(
      'INSERT INTO key_changes (at, action, key_id, label, who) SELECT ?, ?, id, label, ? FROM keys WHERE id = ?',
    );
    const { lastInsertRowid } = insert.run(Math.floor(nowMs), action, operatorName(), id);
    const trim = this.#db.prepare('DELETE FROM key_changes WHERE number <= ?');
    trim.run(Number(lastInsertRowid) - MAX_AUDIT_ENTRIES);
  }

  /** Writes changed counts. Another service may have counted more calls of the same day. */
  #writeQuotaCounts(countOf: (keyId: string) => DayCount | undefined): void {
    const write = this.#db.prepare(
      'INSERT INTO quota_counts (key_id, day, calls) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET day = ?2, calls = ?3',
    );
    for (const { keyId, day, calls } of this.quotaCounts()) {
      const count = countOf(keyId);
      if (count === undefined || (count.day === day && count.calls <= calls)) continue;
      write.run(keyId, count.day, count.calls);
    }
  }

  #readOne(sql: string, parameter: string): KeyRecord | undefined {
    return this.#convertErrors(() => {
      const row = this.#get(sql, parameter);
      return row === undefined ? undefined : parseKeyRow(row).record;
    });
  }

  #get(sql: string, ...parameters: SQLInputValue[]) {
    return this.#db.prepare(sql).get(...parameters);
  }

  /** Increments the revision, by which key readers find changed rows. */
  #nextRevision(): number {
    return Number(this.#get('UPDATE key_revision SET revision = revision + 1 RETURNING revision')?.revision);
  }

  #convertErrors<T>(action: () => T): T {
    return withKeyStoreErrors(this.#file, action);
  }
}

/** Throws DamageError if the file, its revision or a row is damaged. */
function readVerified(db: DatabaseSync): KeyRecord[] {
  checkKeyDatabase(db);
  return db
    .prepare(ALL_KEYS)
    .all()
    .map((row) => parseKeyRow(row).record);
}

function parseDayCount({ id, day, calls }: Readonly<Record<string, unknown>>): DayCount {
  const isValid = Math.abs(Number(day)) <= MAX_DAY && Number(calls) >= 0 && Number(calls) <= MAX_PER_DAY;
  if (!isValid) throw new DamageError(`the calls of key ${String(id)} cannot be read`);
  return { keyId: String(id), day: Number(day), calls: Number(calls) };
}

/** Writes a consistent and verified snapshot to `file`, which must not exist. Returns the number of keys. */
function copyKeyDatabase(db: DatabaseSync, file: string): number {
  let temporary: string | undefined;
  try {
    temporary = createPrivateFile(file); // SQLite writes into an empty file and keeps its permissions
    db.prepare('VACUUM INTO ?').run(temporary);
    const keyCount = verifyCopy(temporary);
    flushFile(temporary);
    const isPublished = publishFile(temporary, file);
    if (!isPublished) throw new Error('the file exists');
    return keyCount;
  } catch (error) {
    if (isDamage(error)) throw error; // the caller's message for a damaged store fits better
    throw new KeyStoreError(`the backup ${file} cannot be written: ${errorReason(error)}`, { cause: error });
  } finally {
    if (temporary !== undefined) rmSync(temporary, { force: true });
  }
}

function verifyCopy(file: string): number {
  using copy = new DatabaseSync(file, { readOnly: true });
  return readVerified(copy).length;
}
