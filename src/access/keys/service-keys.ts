/**
 * The main thread's side of the keys: it creates the first key, writes times of use, and keeps what must
 * survive a restart. Workers only read keys, and report when keys were used. Open it before the workers
 * start, and close it after they have ended.
 */
import { hkdfSync } from 'node:crypto';
import { statSync } from 'node:fs';
import { errorMessage } from '../../errors/error-message.ts';
import { withTimeLimit } from '../../errors/time-limit.ts';
import type { QuotaTable } from '../limits/quota-table.ts';
import { RedisConnection } from '../redis/redis-connection.ts';
import type { RedisSettings } from '../redis/redis-settings.ts';
import { ensureFirstKey, type FirstKey, findFirstKey } from './first-key.ts';
import { readKeyCopy, writeKeyCopy } from './key-copy.ts';
import { KeyStoreError, type KeyUses } from './key-store.ts';
import { createKeyText } from './key-text.ts';
import { type KeyChanges, NOTHING_SEEN } from './keys-in-memory.ts';
import { type KeyLog, RedisKeyReader } from './redis-key-reader.ts';
import { RedisKeys } from './redis-keys.ts';
import { openSqliteKeys, type SqliteKeys } from './sqlite-keys.ts';

const FLUSH_INTERVAL_MS = 5_000;
const CONNECT_WITHIN_MS = 5_000;
/** With a copy of the keys, a start need not wait for Redis. */
const CONNECT_WITH_COPY_WITHIN_MS = 1_500;
/** A stopping service does not wait longer for Redis. */
const LAST_FLUSH_MS = 500;
const NOT_WRITTEN = "the keys' times of last use and calls of today were not written";

/** Where a worker thread finds the keys. */
export type WorkerKeys =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'redis'; readonly settings: RedisSettings; readonly firstKeys: KeyChanges };

export interface ServiceKeys {
  /** For a thread that starts now. */
  forWorker(): WorkerKeys;
  /** Creates the first key if there is none. */
  ensureFirstKey(nowMs: number): Promise<FirstKey>;
  /** A key for the page at `/`, the same on all machines that share keys. It is not in the store. */
  pageKey(): string;
  addUses(uses: KeyUses): void;
  /** May be called twice. */
  close(): Promise<void>;
}

export interface KeySettings {
  readonly state: KeyPaths;
  /** Undefined for keys and limits of this machine alone. */
  readonly redis?: RedisSettings | undefined;
}

/** Files of the state folder. */
export interface KeyPaths {
  readonly keysPath: string;
  readonly firstKeyPath: string;
  /** Copy of the keys in Redis, so that the service can start while Redis is gone. */
  readonly redisKeysPath: string;
}

/** Throws KeyStoreError if the store cannot be used. Without Redis, restores the calls of today. */
export async function openServiceKeys(
  { state, redis }: KeySettings,
  quotas: QuotaTable,
  log: KeyLog,
): Promise<ServiceKeys> {
  return redis === undefined
    ? new SqliteServiceKeys(state, quotas, log)
    : await openRedisServiceKeys(redis, state, log);
}

/** Times of last use that are not in the key store yet, by key id. */
class UnwrittenUses extends Map<string, number> {
  /** Keeps the later time of each key. */
  add(uses: KeyUses): void {
    for (const [id, usedAt] of uses) this.set(id, Math.max(usedAt, this.get(id) ?? 0));
  }
}

class SqliteServiceKeys implements ServiceKeys {
  readonly #store: SqliteKeys;
  readonly #state: KeyPaths;
  readonly #quotas: QuotaTable;
  readonly #log: KeyLog;
  readonly #timer: NodeJS.Timeout;
  readonly #uses = new UnwrittenUses();
  readonly #openedFileId: string; // from `fileIdOf`
  /** `changes` of the quotas that are in the store. */
  #writtenChanges = 0;
  #isReplacementLogged = false;
  #isClosed = false;

  /** Creates a missing store. Throws KeyStoreError if the store is damaged. Fills in `quotas`. */
  constructor(state: KeyPaths, quotas: QuotaTable, log: KeyLog) {
    this.#state = state;
    this.#quotas = quotas;
    this.#log = log;
    this.#store = openSqliteKeys(state.keysPath);
    this.#openedFileId = fileIdOf(state.keysPath);
    this.#timer = setInterval(() => this.#flush(), FLUSH_INTERVAL_MS).unref();
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
    this.#uses.add(uses);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    if (!this.#flush()) this.#log.warn({ reason: 'the key store is locked' }, NOT_WRITTEN);
    this.#closeStore();
  }

  /** Writes times of use and calls of today, if there are new ones. Returns false if the store is locked. */
  #flush(): boolean {
    this.#reportIfReplaced();
    const { changes } = this.#quotas;
    if (this.#uses.size === 0 && changes === this.#writtenChanges) return true;
    try {
      if (!this.#store.writeUses(this.#uses, (keyId) => this.#quotas.read(keyId))) return false;
      this.#uses.clear();
      this.#writtenChanges = changes;
    } catch (error) {
      this.#log.warn({ reason: errorMessage(error) }, NOT_WRITTEN);
    }
    return true;
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

/** Throws KeyStoreError if the keys in Redis cannot be used and there is no copy of them. */
async function openRedisServiceKeys(settings: RedisSettings, state: KeyPaths, log: KeyLog): Promise<ServiceKeys> {
  const connection = new RedisConnection(settings);
  const store = new RedisKeys(connection, (problem) => log.warn({}, problem));
  const copy = readKeyCopy(state.redisKeysPath, settings);
  const keys = new RedisServiceKeys(store, { state, log, copy });
  try {
    await connection.ready(copy === undefined ? CONNECT_WITHIN_MS : CONNECT_WITH_COPY_WITHIN_MS);
    await keys.readFirst();
  } catch (error) {
    if (copy === undefined) {
      await keys.close();
      const advice = 'A first start needs Redis, to read the keys';
      throw new KeyStoreError(`${errorMessage(error)}. ${advice}.`, { cause: error });
    }
    log.error({ reason: errorMessage(error) }, 'the keys in Redis cannot be used: those of the last run are in use');
  }
  return keys;
}

interface RedisServiceKeysOptions {
  readonly state: KeyPaths;
  readonly log: KeyLog;
  readonly copy: KeyChanges | undefined;
}

class RedisServiceKeys implements ServiceKeys {
  readonly #store: RedisKeys;
  readonly #state: KeyPaths;
  readonly #log: KeyLog;
  readonly #reader: RedisKeyReader;
  readonly #timer: NodeJS.Timeout;
  readonly #uses = new UnwrittenUses();
  #isClosed = false;

  constructor(store: RedisKeys, { state, log, copy }: RedisServiceKeysOptions) {
    this.#store = store;
    this.#state = state;
    this.#log = log;
    const firstKeys = copy ?? { revision: NOTHING_SEEN, isComplete: true, rows: [] };
    this.#reader = new RedisKeyReader({ store, firstKeys, readsAll: true, log, onRead: () => this.#writeCopy() });
    this.#timer = setInterval(() => void this.#flush(), FLUSH_INTERVAL_MS).unref();
  }

  /** Rejects if the keys cannot be read. */
  async readFirst(): Promise<void> {
    await this.#reader.read();
    await this.#reader.repairStore().catch(() => {}); // the next refresh tries again
  }

  forWorker(): WorkerKeys {
    return { kind: 'redis', settings: this.#store.connection.settings, firstKeys: this.#reader.keys };
  }

  async ensureFirstKey(nowMs: number): Promise<FirstKey> {
    const { firstKeyPath } = this.#state;
    if (this.#reader.keys.rows.length > 0) return await findFirstKey(this.#reader, firstKeyPath, nowMs);
    const firstKey = await ensureFirstKey(this.#store, firstKeyPath, nowMs);
    await this.#reader.read().catch(() => {}); // the next refresh tries again
    return firstKey;
  }

  pageKey(): string {
    const { secret } = this.#reader;
    return createKeyText((length) => new Uint8Array(hkdfSync('sha256', secret, '', 'the key of the page', length)));
  }

  addUses(uses: KeyUses): void {
    this.#uses.add(uses);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#reader.close();
    await withTimeLimit(this.#flush(), LAST_FLUSH_MS, () => new Error('Redis is late')).catch(() => {});
    this.#store.close();
  }

  async #flush(): Promise<void> {
    const uses = new Map(this.#uses);
    this.#uses.clear();
    await this.#store.writeUses(uses).catch(() => this.#uses.add(uses)); // for the next time
  }

  #writeCopy(): void {
    const { keys } = this.#reader;
    if (keys.rows.length === 0) return; // the first key is not created yet
    try {
      writeKeyCopy(this.#state.redisKeysPath, this.#store.connection.settings, keys);
    } catch (error) {
      this.#log.warn({ reason: errorMessage(error) }, 'the copy of the keys in Redis was not written');
    }
  }
}
