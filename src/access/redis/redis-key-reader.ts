/**
 * Key lookup for a worker thread, in an in-memory copy of the keys in Redis. While Redis does not
 * work, the keys read last stay valid: calls must not fail because Redis does.
 */
import { errorMessage } from '../../errors/errors.ts';
import type { KeyRecord } from '../keys/key-record.ts';
import { type KeyChanges, KeysInMemory } from '../keys/keys-in-memory.ts';
import type { RedisConnection } from './redis-connection.ts';
import { RedisGuard, RedisWait } from './redis-guard.ts';
import { createSecret, type RedisKeys } from './redis-keys.ts';

const REFRESH_INTERVAL_MS = 1000;

export interface RedisKeyReaderOptions {
  readonly store: RedisKeys;
  readonly connection: RedisConnection;
  /** Keys that the main thread has read. */
  readonly firstKeys: KeyChanges;
  /** Gets the errors of invalid rows. */
  readonly onDamage: (error: Error) => void;
  /** Gets the ids of keys whose lost revocations this thread has written back to the store. */
  readonly onRevokedAgain: (ids: readonly string[]) => void;
  /** Called when `problem` becomes empty or not empty. */
  readonly onChange: () => void;
}

export class RedisKeyReader {
  readonly #store: RedisKeys;
  readonly #onDamage: (error: Error) => void;
  readonly #onRevokedAgain: (ids: readonly string[]) => void;
  readonly #keys = new KeysInMemory();
  readonly #ids = new Set<string>();
  readonly #guard: RedisGuard;
  #secret: string;
  readonly #timer: NodeJS.Timeout;
  #reading: Promise<void> | undefined;

  constructor({ store, connection, firstKeys, onDamage, onRevokedAgain, onChange }: RedisKeyReaderOptions) {
    this.#store = store;
    this.#onDamage = onDamage;
    this.#onRevokedAgain = onRevokedAgain;
    this.#guard = new RedisGuard({ probe: () => this.#catchUp(), renew: () => connection.renew(), onChange });
    this.#secret = createSecret();
    this.#apply(firstKeys);
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

  find(keyText: string): KeyRecord | undefined {
    return this.#keys.find(keyText);
  }

  /** Reads changed keys. Resolves in time, perhaps before they are read, and never rejects. */
  async refresh(): Promise<void> {
    const wait = new RedisWait();
    const revision = await this.#guard.attempt(() => this.#store.revision());
    // after a problem, the guard's probe reads the changes
    if (revision !== undefined && revision !== this.#keys.seenRevision && this.problem === '') {
      const reading = this.#readChanges().catch((error) => this.#guard.report(errorMessage(error)));
      await Promise.race([reading, wait.over]);
    }
    wait.stop();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#guard.close();
  }

  /** Resolves when the keys are those of the store, and the store has all revocations. */
  async #catchUp(): Promise<void> {
    if ((await this.#store.revision()) !== this.#keys.seenRevision) await this.#readChanges();
    else await this.#revokeAgain();
  }

  /** Callers at the same time share one read. */
  #readChanges(): Promise<void> {
    this.#reading ??= this.#store
      .readChanges(this.#keys.seenRevision, this.#ids)
      .then((changes) => this.#apply(changes))
      .then(() => this.#revokeAgain())
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  #apply(changes: KeyChanges): void {
    if (changes.isComplete) this.#ids.clear();
    if (changes.secret !== undefined) this.#secret = changes.secret;
    for (const { id } of changes.rows) this.#ids.add(String(id));
    const damage = this.#keys.apply(changes);
    if (damage !== undefined) this.#onDamage(damage);
  }

  async #revokeAgain(): Promise<void> {
    const lost = this.#keys.lostRevocations;
    if (lost.size > 0 && (await this.#store.revokeAgain(lost)) > 0) this.#onRevokedAgain([...lost.keys()]);
  }
}
