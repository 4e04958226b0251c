/**
 * In-memory copy of the keys in Redis, for calls in a worker thread and for the main thread. While Redis
 * does not work, the keys read last stay valid: calls must not fail because Redis does. A Redis that
 * returns from a crash with its last snapshot gets back the revocations and the secret that it has lost.
 */
import { errorMessage } from 'toponym-files/errors/errors';
import { type RedisGuard, RedisWait } from '../redis/redis-guard.ts';
import type { KeyRecord } from './key-record.ts';
import { parseKeyRows } from './key-store.ts';
import { type KeyChanges, KeysInMemory, NOTHING_SEEN } from './keys-in-memory.ts';
import { createSecret, type RedisKeys } from './redis-keys.ts';

const REFRESH_INTERVAL_MS = 1000;

/** The part of pino's interface that this folder uses. */
export interface KeyLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

interface RedisKeyReaderOptions {
  readonly store: RedisKeys;
  /** Keys that were read before: by the main thread, or in the last run. */
  readonly firstKeys: KeyChanges;
  /**
   * Reads all keys after every change. A store that has lost a revocation and then changed shows that
   * only to those who read all keys, so one thread must.
   */
  readonly readsAll?: boolean;
  readonly log: KeyLog;
  /** Called after keys have been read. */
  readonly onRead?: () => void;
}

export class RedisKeyReader {
  readonly #options: RedisKeyReaderOptions;
  readonly #keys = new KeysInMemory();
  readonly #guard: RedisGuard;
  #secret = createSecret();
  /** Whether the store had a secret when it was read. */
  #isSecretShared = false;
  /** Whether the store has got back what it had lost when it was read. */
  #isRepaired = false;
  readonly #timer: NodeJS.Timeout;
  #catchingUp: Promise<void> | undefined;

  constructor(options: RedisKeyReaderOptions) {
    this.#options = options;
    this.#guard = options.store.connection.guard(() => this.#probe());
    this.#apply(options.firstKeys);
    this.#timer = setInterval(() => void this.refresh(), REFRESH_INTERVAL_MS).unref();
  }

  /** Why changes of keys are not seen; empty if they are. */
  get problem(): string {
    return this.#guard.problem;
  }

  /** The secret of all machines. One of this thread until the store's has been read. */
  get secret(): string {
    return this.#secret;
  }

  /** All keys, with revocations that the store has lost. */
  get keys(): KeyChanges {
    const { seenRevision: revision, rows } = this.#keys;
    return { revision, isComplete: true, rows: [...rows.values()], secret: this.#secret };
  }

  find(keyText: string): KeyRecord | undefined {
    return this.#keys.find(keyText);
  }

  /** Reads changed keys. Resolves in time, perhaps before they are read, and never rejects. */
  async refresh(): Promise<void> {
    if (this.problem !== '') return; // the guard's probe reads the changes
    const wait = new RedisWait();
    const isCurrent = await this.#guard.attempt(() => this.#isCurrent());
    if (isCurrent === false) await Promise.race([this.#catchUp(), wait.over]);
    wait.stop();
  }

  async read(): Promise<void> {
    const { store, readsAll, onRead } = this.#options;
    const seenRevision = readsAll ? NOTHING_SEEN : this.#keys.seenRevision;
    this.#apply(await store.readChanges(seenRevision, this.#keys.rows));
    onRead?.();
  }

  /** Writes to the store what it has lost, or never had. */
  async repairStore(): Promise<void> {
    const { store, log } = this.#options;
    if (!this.#isSecretShared) this.#secret = await store.shareSecret(this.#secret);
    const lost = parseKeyRows(this.#keys.lostRevocations, () => {});
    const { added, revoked } = await store.copyFrom(lost, Date.now());
    this.#isRepaired = true;
    if (added + revoked === 0) return; // nothing was lost, or another thread was first
    const message = 'Redis has lost revocations of keys: these keys stay revoked, also in Redis';
    log.warn({ keys: lost.map(({ record }) => record.id) }, message);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #isCurrent(): Promise<boolean> {
    return (await this.#options.store.revision()) === this.#keys.seenRevision && this.#isRepaired;
  }

  /** Callers at the same time share one read. Never rejects. */
  #catchUp(): Promise<void> {
    this.#catchingUp ??= this.read()
      .then(() => this.repairStore())
      .catch((error) => this.#guard.report(errorMessage(error)))
      .finally(() => {
        this.#catchingUp = undefined;
      });
    return this.#catchingUp;
  }

  /** Rejects with the present problem until the keys are those of the store. */
  async #probe(): Promise<void> {
    if (await this.#isCurrent()) return;
    void this.#catchUp(); // not awaited: a long read must not look like a Redis that does not reply
    throw new Error(this.problem);
  }

  #apply(changes: KeyChanges): void {
    this.#secret = changes.secret ?? this.#secret;
    this.#isSecretShared = changes.secret !== undefined;
    this.#isRepaired = false;
    const damage = this.#keys.apply(changes);
    // who reads all keys would report the same damage again and again
    if (damage === undefined || this.#options.readsAll) return;
    this.#options.log.error({ reason: damage.message }, 'a key in Redis cannot be read');
  }
}
