/** The key store of one machine: a SQLite file, used by the main thread and the command line. */
import type { DatabaseSync } from 'node:sqlite';
import { type AuditAction, type AuditEntry, operatorName } from '../keys/audit-entry.ts';
import type { KeyRecord, NewKeyFields } from '../keys/key-record.ts';
import { parseKeyRow, type StoredKey, toKeyRow } from '../keys/key-row.ts';
import type { CopyReport, KeyStore, KeyUses } from '../keys/key-store.ts';
import { hashKey, isWellFormedKey } from '../keys/key-text.ts';
import { createKey, type NewKey, toStoredKey } from '../keys/new-key.ts';
import type { DayCount } from '../limits/quota-table.ts';
import { addAuditEntry, readAuditLog } from './audit-log.ts';
import { copyKeyDatabase } from './key-backup.ts';
import {
  checkIntegrity,
  checkRevision,
  createKeyDatabaseInMemory,
  inTransaction,
  openKeyDatabase,
  tryInTransaction,
} from './key-database.ts';
import { readQuotaCounts, writeQuotaCounts } from './quota-counts.ts';
import { toKeyStoreError } from './sqlite-errors.ts';

/** Opens or creates the store. Must be called before `openKeyReader`. */
export function openSqliteKeys(file: string): SqliteKeys {
  try {
    return new SqliteKeys(file, openKeyDatabase(file));
  } catch (cause) {
    throw toKeyStoreError(file, cause);
  }
}

/** Creates an empty store in memory. `name` is for messages. */
export function createSqliteKeysInMemory(name: string): SqliteKeys {
  return new SqliteKeys(name, createKeyDatabaseInMemory());
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
    this.#convertErrors(() =>
      inTransaction(this.#db, () => {
        this.#insert(toStoredKey(created));
        this.#record('create', created.record, nowMs);
      }),
    );
    return created;
  }

  createFirst(fields: NewKeyFields, nowMs: number, save: (key: string) => void): string | undefined {
    const created = createKey(fields, nowMs);
    let isFirst = false;
    // the transaction excludes other writers, so the store stays empty until the key is inserted
    this.#convertErrors(() =>
      inTransaction(this.#db, () => {
        isFirst = this.isEmpty();
        if (!isFirst) return;
        this.#insert(toStoredKey(created));
        this.#record('create first', created.record, nowMs);
        save(created.key);
      }),
    );
    return isFirst ? created.key : undefined;
  }

  list(): KeyRecord[] {
    return this.stored().map(({ record }) => record);
  }

  stored(): StoredKey[] {
    return this.#convertErrors(() => {
      const rows = this.#db.prepare('SELECT * FROM keys ORDER BY created_at, id').all();
      return rows.map(parseKeyRow);
    });
  }

  copyFrom(keys: readonly StoredKey[], nowMs: number): CopyReport {
    const report = { added: 0, revoked: 0 };
    this.#convertErrors(() =>
      inTransaction(this.#db, () => {
        for (const key of keys) {
          const { id, revokedAt } = key.record;
          const isHere = this.#db.prepare('SELECT id FROM keys WHERE id = ?').get(id) !== undefined;
          if (!isHere) {
            this.#insert(key);
            this.#record('copy', key.record, nowMs);
            report.added++;
          } else if (revokedAt !== undefined && this.#markRevoked(id, revokedAt)) {
            this.#record('revoke', key.record, nowMs);
            report.revoked++;
          }
        }
      }),
    );
    return report;
  }

  isEmpty(): boolean {
    return this.#convertErrors(() => this.#db.prepare('SELECT id FROM keys LIMIT 1').get() === undefined);
  }

  revoke(id: string, nowMs: number): KeyRecord | undefined {
    this.#convertErrors(() =>
      inTransaction(this.#db, () => {
        if (!this.#markRevoked(id, nowMs)) return;
        const label = String(this.#db.prepare('SELECT label FROM keys WHERE id = ?').get(id)?.label);
        this.#record('revoke', { id, label }, nowMs);
      }),
    );
    return this.#readOne('SELECT * FROM keys WHERE id = ?', id);
  }

  /**
   * Writes times of use, never over later ones, and the calls that `countOf` returns by key id.
   * Returns false at once if the store is locked.
   */
  writeUses(uses: KeyUses, countOf: (keyId: string) => DayCount | undefined = () => undefined): boolean {
    return this.#convertErrors(() =>
      tryInTransaction(this.#db, () => {
        const update = this.#db.prepare('UPDATE keys SET last_used_at = max(ifnull(last_used_at, 0), ?) WHERE id = ?');
        for (const [id, usedAtMs] of uses) update.run(Math.floor(usedAtMs), id);
        writeQuotaCounts(this.#db, countOf);
      }),
    );
  }

  /** The last count of every key that has a quota. */
  quotaCounts(): DayCount[] {
    return this.#convertErrors(() => readQuotaCounts(this.#db));
  }

  auditLog(): AuditEntry[] {
    return this.#convertErrors(() => readAuditLog(this.#db));
  }

  /** Throws KeyStoreError if any part of the store is damaged. */
  verify(): void {
    this.#convertErrors(() => {
      checkIntegrity(this.#db);
      checkRevision(this.#db);
    });
    this.list(); // throws if a row cannot be parsed
    this.quotaCounts();
  }

  /** Writes a verified copy, readable by its owner only. Throws KeyStoreError if `file` exists. */
  backUp(file: string): { readonly keys: number } {
    return this.#convertErrors(() => ({ keys: copyKeyDatabase(this.#db, file) }));
  }

  close(): void {
    this.#db.close();
  }

  #insert(stored: StoredKey): void {
    const row = { ...toKeyRow(stored), revision: this.#nextRevision() };
    const columns = Object.keys(row);
    const values = columns.map((column) => `:${column}`);
    this.#db.prepare(`INSERT INTO keys (${columns.join(', ')}) VALUES (${values.join(', ')})`).run(row);
  }

  /** Returns whether the key was not yet revoked. */
  #markRevoked(id: string, nowMs: number): boolean {
    const { changes } = this.#db
      .prepare('UPDATE keys SET revoked_at = ?, revision = ? WHERE id = ? AND revoked_at IS NULL')
      .run(Math.floor(nowMs), this.#nextRevision(), id);
    return changes > 0;
  }

  #record(action: AuditAction, { id, label }: Pick<KeyRecord, 'id' | 'label'>, nowMs: number): void {
    addAuditEntry(this.#db, { at: Math.floor(nowMs), action, keyId: id, label, who: operatorName() });
  }

  #readOne(sql: string, parameter: string): KeyRecord | undefined {
    return this.#convertErrors(() => {
      const row = this.#db.prepare(sql).get(parameter);
      return row === undefined ? undefined : parseKeyRow(row).record;
    });
  }

  /** Increments the revision, by which key readers find changed rows. */
  #nextRevision(): number {
    const update = this.#db.prepare('UPDATE key_revision SET revision = revision + 1 RETURNING revision');
    return Number(update.get()?.revision);
  }

  #convertErrors<T>(action: () => T): T {
    try {
      return action();
    } catch (cause) {
      throw toKeyStoreError(this.#file, cause);
    }
  }
}
