/**
 * The main thread's connection to the key store. It is opened before any other thread reads the store and closed after
 * the last one, and it alone writes: when keys were last used, as the threads that answer report it. Writing never waits
 * for a lock, and what cannot be written now is kept for the next time.
 */
import { statSync } from 'node:fs';
import type { KeyStore, KeyUses } from '../../access/keys/key-store.ts';
import { openSqliteKeys } from '../../access/keys/sqlite-keys.ts';
import type { Logger } from '../log.ts';
import { errorMessage } from '../../errors/error-message.ts';

// threads report every five seconds too, so a use is on the disk after ten
const WRITE_USES_MS = 5_000;

export class ServiceKeys {
  readonly store: KeyStore;
  readonly #path: string;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  readonly #uses = new Map<string, number>();
  readonly #fileId: string;
  #isReplaced = false;
  #isClosed = false;

  /** Throws KeyStoreError if the store is damaged. */
  constructor(path: string, log: Logger) {
    this.#path = path;
    this.#log = log;
    this.store = openSqliteKeys(path);
    this.#fileId = fileIdOf(path);
    this.#timer = setInterval(() => this.flush(), WRITE_USES_MS).unref();
    try {
      this.store.verify();
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  addUses(uses: KeyUses): void {
    for (const [id, usedAt] of uses) this.#uses.set(id, Math.max(usedAt, this.#uses.get(id) ?? 0));
  }

  flush(): void {
    this.#warnIfReplaced();
    try {
      if (this.store.writeUses(this.#uses)) this.#uses.clear();
    } catch (error) {
      // a missing time of use is no reason to stop
      this.#log.warn({ reason: errorMessage(error) }, 'times of last use of keys were not written');
    }
  }

  /** May be called twice: a second signal stops a service that is draining. */
  close(): void {
    if (this.#isClosed) return;
    this.flush();
    if (this.#uses.size > 0) this.#log.warn({ keys: this.#uses.size }, 'times of last use of keys were not written');
    this.#end();
  }

  #end(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.store.close();
  }

  /** Every connection goes on reading the file it has opened, so a file put in its place has no effect. */
  #warnIfReplaced(): void {
    if (this.#isReplaced || fileIdOf(this.#path) === this.#fileId) return;
    this.#isReplaced = true;
    this.#log.error({ file: this.#path }, 'the key store was replaced or removed: restart the service to use it');
  }
}

/** Empty if there is no such file, or it cannot be looked at. Never opens the file: see key-database.ts. */
function fileIdOf(path: string): string {
  try {
    const { dev, ino } = statSync(path);
    return `${dev} ${ino}`;
  } catch {
    return '';
  }
}
