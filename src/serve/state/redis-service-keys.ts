/**
 * The main thread's connection to the keys in Redis. It keeps a copy of them in the state folder, so
 * that the service can start while Redis is gone. A Redis that returns from a crash with its last
 * snapshot gets back the revocations that it has lost.
 */
import { hkdfSync } from 'node:crypto';
import { type KeyRow, parseKeyRows } from '../../access/keys/key-row.ts';
import type { KeyUses } from '../../access/keys/key-store.ts';
import { KeyStoreError, LOST_REVOCATIONS } from '../../access/keys/key-store-errors.ts';
import { createKeyText } from '../../access/keys/key-text.ts';
import {
  idsOf,
  type KeyChanges,
  KeysInMemory,
  lostRevocations,
  NOTHING_SEEN,
} from '../../access/keys/keys-in-memory.ts';
import { RedisConnection } from '../../access/redis/redis-connection.ts';
import { createSecret, RedisKeys } from '../../access/redis/redis-keys.ts';
import type { RedisSettings } from '../../access/redis/redis-settings.ts';
import { errorMessage } from '../../errors/errors.ts';
import type { Logger } from '../log.ts';
import { ensureFirstKey, type FirstKey, findFirstKey } from './first-key.ts';
import { readKeyCopy, writeKeyCopy } from './key-copy.ts';
import { addUsesTo } from './key-uses.ts';
import type { ServiceKeys, WorkerKeys } from './service-keys.ts';
import type { StateFolder } from './state-folder.ts';

const CONNECT_WITHIN_MS = 5_000;
/** With a copy of the keys, a start need not wait for Redis. */
const CONNECT_WITH_COPY_WITHIN_MS = 1_500;
const REFRESH_INTERVAL_MS = 1_000;
/** A connection that takes longer is replaced. */
const REVISION_WITHIN_MS = 2_000;
const READ_WITHIN_MS = 30_000;
const FLUSH_INTERVAL_MS = 5_000;
/** A stopping service does not wait longer for Redis. */
const LAST_FLUSH_MS = 500;

/** Throws KeyStoreError if the keys in Redis cannot be used and there is no copy of them. */
export async function openRedisServiceKeys(
  settings: RedisSettings,
  state: StateFolder,
  log: Logger,
): Promise<ServiceKeys> {
  const connection = new RedisConnection(settings);
  const store = new RedisKeys(connection, settings, (problem) => log.warn(problem));
  const copy = readKeyCopy(state.redisKeysPath, settings);
  const keys = new RedisServiceKeys({ settings, state, log, connection, store }, copy);
  try {
    await connection.ready(copy === undefined ? CONNECT_WITHIN_MS : CONNECT_WITH_COPY_WITHIN_MS);
    await keys.readFirst();
  } catch (error) {
    if (copy === undefined) {
      connection.close();
      const advice = 'A first start needs Redis, to read the keys';
      throw new KeyStoreError(`${errorMessage(error)}. ${advice}.`, { cause: error });
    }
    log.error({ reason: errorMessage(error) }, 'the keys in Redis cannot be used: those of the last run are in use');
  }
  keys.startTimers();
  return keys;
}

interface RedisServiceKeysOptions {
  readonly settings: RedisSettings;
  readonly state: StateFolder;
  readonly log: Logger;
  readonly connection: RedisConnection;
  readonly store: RedisKeys;
}

class RedisServiceKeys implements ServiceKeys {
  readonly #options: RedisServiceKeysOptions;
  readonly #uses = new Map<string, number>(); // key id to time of last use
  #timers: readonly NodeJS.Timeout[] = [];
  /** As read last, with all revocations that were read before. */
  #keys: KeyChanges;
  /** Revoked keys that are not revoked in Redis. */
  #lostRevocations: readonly KeyRow[] = [];
  #isSecretShared = false;
  #refreshing: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: RedisServiceKeysOptions, copy: KeyChanges | undefined) {
    this.#options = options;
    this.#keys = copy ?? { revision: NOTHING_SEEN, isComplete: true, rows: [] };
  }

  /** Reads the keys. Rejects if that fails. */
  async readFirst(): Promise<void> {
    this.#accept(await this.#options.store.readChanges(NOTHING_SEEN, idsOf(this.#keys)));
    await this.#repairStore().catch(() => {}); // the next refresh tries again
    this.#writeCopy();
  }

  startTimers(): void {
    this.#timers = [
      setInterval(() => void this.#refresh(), REFRESH_INTERVAL_MS).unref(),
      setInterval(() => void this.#flush(), FLUSH_INTERVAL_MS).unref(),
    ];
  }

  forWorker(): WorkerKeys {
    return { kind: 'redis', settings: this.#options.settings, firstKeys: this.#keys };
  }

  async ensureFirstKey(nowMs: number): Promise<FirstKey> {
    const { store, state } = this.#options;
    if (this.#keys.rows.length > 0) {
      const keys = new KeysInMemory();
      keys.apply(this.#keys);
      return await findFirstKey(keys, state.firstKeyPath, nowMs);
    }
    const firstKey = await ensureFirstKey(store, state.firstKeyPath, nowMs);
    await this.#refreshing; // may have begun before
    await this.#refresh();
    return firstKey;
  }

  pageKey(): string {
    const { secret } = this.#keys;
    if (secret === undefined) return createKeyText();
    return createKeyText((length) => new Uint8Array(hkdfSync('sha256', secret, '', 'the key of the page', length)));
  }

  addUses(uses: KeyUses): void {
    addUsesTo(this.#uses, uses);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    await within(LAST_FLUSH_MS, this.#flush());
    this.#options.store.close();
  }

  /** Does nothing but wait while another refresh runs. Never rejects: workers report problems. */
  #refresh(): Promise<void> {
    this.#refreshing ??= this.#readIfChanged()
      .catch(() => {}) // the next refresh tries again
      .finally(() => {
        this.#refreshing = undefined;
      });
    return this.#refreshing;
  }

  async #readIfChanged(): Promise<void> {
    const { store, connection } = this.#options;
    const revision = await within(REVISION_WITHIN_MS, store.revision());
    if (revision === undefined) return connection.renew();
    if (revision !== this.#keys.revision) {
      const keys = await within(READ_WITHIN_MS, store.readChanges(NOTHING_SEEN, idsOf(this.#keys)));
      if (keys === undefined) return connection.renew();
      this.#accept(keys);
      this.#writeCopy();
    }
    await this.#repairStore();
  }

  #accept(read: KeyChanges): void {
    const lost = lostRevocations(this.#keys, read);
    const lostIds = idsOf({ ...read, rows: lost });
    if (lost.length > 0) this.#options.log.warn({ keys: [...lostIds] }, LOST_REVOCATIONS);
    const rows = [...read.rows.filter(({ id }) => !lostIds.has(String(id))), ...lost];
    this.#keys = { ...read, rows, secret: read.secret ?? this.#keys.secret };
    this.#lostRevocations = lost;
    this.#isSecretShared = read.secret !== undefined;
  }

  /** Writes to Redis what it has lost or never had. */
  async #repairStore(): Promise<void> {
    const { store } = this.#options;
    if (!this.#isSecretShared) {
      const secret = await store.shareSecret(this.#keys.secret ?? createSecret());
      this.#keys = { ...this.#keys, secret };
      this.#isSecretShared = true;
    }
    if (this.#lostRevocations.length === 0) return;
    await store.copyFrom(
      parseKeyRows(this.#lostRevocations, () => {}),
      Date.now(),
    );
    this.#lostRevocations = [];
  }

  async #flush(): Promise<void> {
    const uses = new Map(this.#uses);
    this.#uses.clear();
    try {
      await this.#options.store.writeUses(uses);
    } catch {
      this.addUses(uses); // for the next time
    }
  }

  #writeCopy(): void {
    const { state, settings, log } = this.#options;
    if (this.#keys.rows.length === 0) return; // the first key is not created yet
    try {
      writeKeyCopy(state.redisKeysPath, settings, this.#keys);
    } catch (error) {
      log.warn({ reason: errorMessage(error) }, 'the copy of the keys in Redis was not written');
    }
  }
}

/** Returns undefined if `work` has not ended in time. Replies that arrive while this thread is busy are in time. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => setImmediate(() => resolve(undefined)), ms).unref();
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
