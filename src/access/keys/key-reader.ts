/**
 * How a thread that answers calls looks keys up: in memory, following the store. SQLite is asked whether another connection
 * wrote (`PRAGMA data_version`) once per turn of the event loop, because asking costs more than all else that lets a call in.
 * A revocation made anywhere therefore holds from the next turn on.
 *
 * The connection cannot write and never waits for a lock. If the store can no longer be read, the keys last read stay
 * valid: a service must not refuse everybody because a disk failed.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { openKeyDatabaseForReading } from './key-database.ts';
import type { KeyRecord } from './key-record.ts';
import { keyStoreError } from './key-store-errors.ts';
import { KnownKeys } from './known-keys.ts';

export interface KeyReader {
  find(keyText: string): KeyRecord | undefined;
  close(): void;
}

/** `onProblem` is told once when the store, or a row of it, becomes unreadable. */
export function openKeyReader(file: string, onProblem: (error: Error) => void): KeyReader {
  try {
    return new SqliteKeyReader(file, openKeyDatabaseForReading(file), onProblem);
  } catch (cause) {
    throw keyStoreError(file, cause);
  }
}

class SqliteKeyReader implements KeyReader {
  readonly #db: DatabaseSync;
  readonly #onProblem: (cause: unknown) => void;
  readonly #dataVersion: StatementSync;
  readonly #known: KnownKeys;
  #seenDataVersion: unknown;
  #hasAskedThisTurn = false;
  #isUnreadable = false;
  readonly #endTurn = () => {
    this.#hasAskedThisTurn = false;
  };

  constructor(file: string, db: DatabaseSync, onProblem: (error: Error) => void) {
    this.#db = db;
    this.#onProblem = (cause) => onProblem(keyStoreError(file, cause));
    this.#dataVersion = db.prepare('PRAGMA data_version');
    this.#known = new KnownKeys(db);
    this.#refresh();
    db.exec('PRAGMA busy_timeout = 0');
  }

  find(keyText: string): KeyRecord | undefined {
    if (!this.#hasAskedThisTurn) {
      this.#ask();
      this.#hasAskedThisTurn = true;
      // runs once the sockets of this turn are read
      setImmediate(this.#endTurn);
    }
    return this.#known.find(keyText);
  }

  close(): void {
    this.#db.close();
  }

  #ask(): void {
    try {
      this.#refresh();
      this.#isUnreadable = false;
    } catch (error) {
      if (!this.#isUnreadable) this.#onProblem(error);
      this.#isUnreadable = true;
    }
  }

  /** Uses of keys are written too and change `data_version`, but only created and revoked keys change the revision. */
  #refresh(): void {
    const dataVersion = this.#dataVersion.get()?.data_version;
    if (dataVersion === this.#seenDataVersion) return;
    const problem = this.#known.refresh();
    this.#seenDataVersion = dataVersion;
    if (problem !== undefined) this.#onProblem(problem);
  }
}
