/**
 * Key lookup for a worker thread, in an in-memory copy of the keys. `data_version` shows, once per
 * tick of the event loop, whether another connection has written. If the store becomes unreadable,
 * the keys read last stay valid: a failed disk must not make the service refuse calls.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { openKeyDatabaseForReading } from './key-database.ts';
import type { KeyRecord } from './key-record.ts';
import { toKeyStoreError } from './key-store-errors.ts';
import { KeysInMemory } from './keys-in-memory.ts';

/** Throws KeyStoreError if the first read fails. `onProblem` gets later errors and invalid rows. */
export function openKeyReader(file: string, onProblem: (error: Error) => void): KeyReader {
  try {
    return new KeyReader(file, openKeyDatabaseForReading(file), onProblem);
  } catch (cause) {
    throw toKeyStoreError(file, cause);
  }
}

export class KeyReader {
  readonly #db: DatabaseSync;
  readonly #onProblem: (cause: unknown) => void;
  readonly #dataVersionQuery: StatementSync;
  readonly #keys: KeysInMemory;
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
    this.#keys = new KeysInMemory(db);
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
    const problem = this.#keys.refresh();
    this.#seenDataVersion = dataVersion;
    if (problem !== undefined) this.#onProblem(problem);
  }
}
