/**
 * Key lookup for a worker thread, in an in-memory copy of the keys. `data_version` shows, once per
 * tick of the event loop, whether another connection has written. If the store becomes unreadable,
 * the keys read last stay valid: a failed disk must not make the service refuse calls.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { KeyRecord } from './key-record.ts';
import { DamageError } from './key-store.ts';
import { type KeyChanges, KeysInMemory, NOTHING_SEEN } from './keys-in-memory.ts';
import { openKeyDatabaseForReading, toKeyStoreError, withKeyStoreErrors } from './sqlite-file.ts';

/** Throws KeyStoreError if the first read fails. `onProblem` gets later errors and invalid rows. */
export function openKeyReader(file: string, onProblem: (error: Error) => void): SqliteKeyReader {
  return withKeyStoreErrors(file, () => new SqliteKeyReader(file, openKeyDatabaseForReading(file), onProblem));
}

class SqliteKeyReader {
  readonly #db: DatabaseSync;
  readonly #onProblem: (cause: unknown) => void;
  readonly #dataVersionQuery: StatementSync;
  readonly #revisionQuery: StatementSync;
  readonly #newerRowsQuery: StatementSync;
  readonly #keys = new KeysInMemory();
  #seenDataVersion: unknown;
  #isCheckedThisTick = false;
  #isUnreadable = false;
  readonly #endTick = () => {
    this.#isCheckedThisTick = false;
  };

  constructor(file: string, db: DatabaseSync, onProblem: (error: Error) => void) {
    this.#db = db;
    this.#onProblem = (cause) => onProblem(toKeyStoreError(file, cause));
    this.#dataVersionQuery = db.prepare('PRAGMA data_version');
    this.#revisionQuery = db.prepare('SELECT revision FROM key_revision');
    this.#newerRowsQuery = db.prepare('SELECT * FROM keys WHERE revision > ?');
    this.#refresh();
    db.exec('PRAGMA busy_timeout = 0');
  }

  find(keyText: string): KeyRecord | undefined {
    if (!this.#isCheckedThisTick) {
      this.#tryRefresh();
      this.#isCheckedThisTick = true;
      setImmediate(this.#endTick);
    }
    return this.#keys.find(keyText);
  }

  close(): void {
    this.#db.close();
  }

  #tryRefresh(): void {
    try {
      this.#refresh();
      this.#isUnreadable = false;
    } catch (error) {
      if (!this.#isUnreadable) this.#onProblem(error);
      this.#isUnreadable = true;
    }
  }

  #refresh(): void {
    const dataVersion = this.#dataVersionQuery.get()?.data_version;
    if (dataVersion === this.#seenDataVersion) return;
    const changes = this.#readChanges();
    this.#seenDataVersion = dataVersion;
    const problem = changes && this.#keys.apply(changes);
    if (problem !== undefined) this.#onProblem(problem);
  }

  /** Returns undefined if no key has changed since the last refresh. */
  #readChanges(): KeyChanges | undefined {
    const { seenRevision } = this.#keys;
    const revision = this.#revisionQuery.get()?.revision;
    if (typeof revision !== 'number') throw new DamageError('table key_revision is empty');
    if (revision === seenRevision) return undefined;
    const isRestored = revision < seenRevision; // from an older backup
    const rows = this.#newerRowsQuery.all(isRestored ? NOTHING_SEEN : seenRevision);
    return { revision, rows, isComplete: isRestored };
  }
}
