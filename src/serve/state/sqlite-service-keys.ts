/** The main thread's connection to the key store of this machine. */
import { statSync } from 'node:fs';
import type { KeyUses } from '../../access/keys/key-store.ts';
import { createKeyText } from '../../access/keys/key-text.ts';
import type { QuotaTable } from '../../access/limits/quota-table.ts';
import { openSqliteKeys, type SqliteKeys } from '../../access/sqlite/sqlite-keys.ts';
import { errorMessage } from '../../errors/error-message.ts';
import type { Logger } from '../log.ts';
import { ensureFirstKey, type FirstKey } from './first-key.ts';
import { addUsesTo } from './key-uses.ts';
import type { ServiceKeys, WorkerKeys } from './service-keys.ts';
import type { StateFolder } from './state-folder.ts';

const FLUSH_INTERVAL_MS = 5_000;
const NOT_WRITTEN = "when keys were last used, and today's calls, could not be written";

export class SqliteServiceKeys implements ServiceKeys {
  readonly #store: SqliteKeys;
  readonly #state: StateFolder;
  readonly #quotas: QuotaTable;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  readonly #uses = new Map<string, number>(); // key id to time of last use
  readonly #openedFileId: string; // from `fileIdOf`
  /** `changes` of the quotas that are in the store. */
  #writtenChanges = 0;
  #isReplacementLogged = false;
  #isClosed = false;

  /** Creates a missing store. Throws KeyStoreError if the store is damaged. Fills in `quotas`. */
  constructor(state: StateFolder, quotas: QuotaTable, log: Logger) {
    this.#state = state;
    this.#quotas = quotas;
    this.#log = log;
    this.#store = openSqliteKeys(state.keysPath);
    this.#openedFileId = fileIdOf(state.keysPath);
    this.#timer = setInterval(() => this.flush(), FLUSH_INTERVAL_MS).unref();
    try {
      this.#store.verify();
      for (const count of this.#store.quotaCounts()) quotas.restore(count, Date.now());
      this.#writtenChanges = quotas.changes;
    } catch (error) {
      this.#closeStore();
      throw error;
    }
  }

  forWorker(): WorkerKeys {
    return { kind: 'sqlite', path: this.#state.keysPath };
  }

  async ensureFirstKey(nowMs: number): Promise<FirstKey> {
    return await ensureFirstKey(this.#store, this.#state.firstKeyPath, nowMs);
  }

  pageKey(): string {
    return createKeyText();
  }

  addUses(uses: KeyUses): void {
    addUsesTo(this.#uses, uses);
  }

  /** Writes times of use and calls of today, if there are new ones. Returns whether it could. */
  flush(): boolean {
    this.#reportIfReplaced();
    const { changes } = this.#quotas;
    if (this.#uses.size === 0 && changes === this.#writtenChanges) return true;
    try {
      const isWritten = this.#store.writeUses(this.#uses, (keyId) => this.#quotas.read(keyId));
      if (!isWritten) return false; // the store is locked
      this.#uses.clear();
      this.#writtenChanges = changes;
    } catch (error) {
      this.#log.warn({ reason: errorMessage(error) }, NOT_WRITTEN);
    }
    return true;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    if (!this.flush()) this.#log.warn({ reason: 'the key store is locked' }, NOT_WRITTEN);
    this.#closeStore();
  }

  #closeStore(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#store.close();
  }

  /** A SQLite connection stays with the file it opened, even if that file is replaced. */
  #reportIfReplaced(): void {
    if (this.#isReplacementLogged || fileIdOf(this.#state.keysPath) === this.#openedFileId) return;
    this.#isReplacementLogged = true;
    this.#log.error({ file: this.#state.keysPath }, 'the key store was replaced or removed: restart the service');
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
