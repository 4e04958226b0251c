/**
 * The main thread's connection to the key store. Workers only read the store and report when keys
 * were used. Open this connection before the workers start, and close it after they have ended.
 */
import { statSync } from 'node:fs';
import type { KeyStore, KeyUses } from '../../access/keys/key-store.ts';
import { openSqliteKeys } from '../../access/sqlite/sqlite-keys.ts';
import { errorMessage } from '../../errors/error-message.ts';
import type { Logger } from '../log.ts';

const FLUSH_INTERVAL_MS = 5_000;

export class ServiceKeys {
  readonly store: KeyStore;
  readonly #path: string;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  readonly #uses = new Map<string, number>(); // key id to time of last use
  readonly #openedFileId: string; // from `fileIdOf`
  #isReplacementLogged = false;
  #isClosed = false;

  /** Creates a missing store. Throws KeyStoreError if the store is damaged. */
  constructor(path: string, log: Logger) {
    this.#path = path;
    this.#log = log;
    this.store = openSqliteKeys(path);
    this.#openedFileId = fileIdOf(path);
    this.#timer = setInterval(() => this.flush(), FLUSH_INTERVAL_MS).unref();
    try {
      this.store.verify();
    } catch (error) {
      this.#closeStore();
      throw error;
    }
  }

  addUses(uses: KeyUses): void {
    for (const [id, usedAt] of uses) this.#uses.set(id, Math.max(usedAt, this.#uses.get(id) ?? 0));
  }

  flush(): void {
    this.#reportIfReplaced();
    try {
      const isWritten = this.store.writeUses(this.#uses); // false if the store is locked
      if (isWritten) this.#uses.clear();
    } catch (error) {
      this.#log.warn({ reason: errorMessage(error) }, 'the times at which keys were last used were not written');
    }
  }

  /** May be called twice. */
  close(): void {
    if (this.#isClosed) return;
    this.flush();
    if (this.#uses.size > 0)
      this.#log.warn({ keys: this.#uses.size }, 'the times at which keys were last used were not written');
    this.#closeStore();
  }

  #closeStore(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.store.close();
  }

  /** A SQLite connection stays with the file it opened, even if that file is replaced. */
  #reportIfReplaced(): void {
    if (this.#isReplacementLogged || fileIdOf(this.#path) === this.#openedFileId) return;
    this.#isReplacementLogged = true;
    this.#log.error({ file: this.#path }, 'the key store was replaced or removed: restart the service');
  }
}

/** Empty if stat fails. Must not open the file: closing it would drop SQLite's locks. */
function fileIdOf(path: string): string {
  try {
    const { dev, ino } = statSync(path);
    return `${dev} ${ino}`;
  } catch {
    return '';
  }
}
