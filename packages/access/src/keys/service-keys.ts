/**
 * The main thread's side of the keys: it creates the first key, writes when keys were last used, and keeps what
 * must survive a restart. Workers only read keys, and report when keys were used. Open it before the workers
 * start, and close it after they have ended.
 */

import { hkdfSync } from 'node:crypto';
import { statSync } from 'node:fs';
import { errorMessage, withTimeLimit } from 'toponym-files/errors/errors';
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
import { openSqliteKeys } from './sqlite-keys.ts';

const FLUSH_INTERVAL_MS = 5_000;
const CONNECT_WITHIN_MS = 5_000;
/** With a copy of the keys, a start need not wait for Redis. */
const CONNECT_WITH_COPY_WITHIN_MS = 1_500;
/** A stopping service does not wait longer for Redis. */
const LAST_FLUSH_MS = 500;
const NOT_WRITTEN = "the last uses of keys and today's calls were not written";

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
interface KeyPaths {
  readonly keysPath: string;
  readonly firstKeyPath: string;
  /** Copy of the keys in Redis, so that the service can start while Redis is gone. */
  readonly redisKeysPath: string;
}

/** Throws KeyStoreError if the store cannot be used. Without Redis, restores today's calls. */
export async function openServiceKeys(
  { state, redis }: KeySettings,
  quotas: QuotaTable,
  log: KeyLog,
): Promise<ServiceKeys> {
  return redis === undefined
    ? openSqliteServiceKeys(state, quotas, log)
    : await openRedisServiceKeys(redis, state, log);
}

/** Creates a missing store. Throws KeyStoreError if the store is damaged. Fills in `quotas`. */
function openSqliteServiceKeys(state: KeyPaths, quotas: QuotaTable, log: KeyLog): ServiceKeys {
  const { keysPath, firstKeyPath } = state;
  const store = openSqliteKeys(keysPath);
  const openedFileId = fileIdOf(keysPath);
  const unwritten = new Map<string, number>(); // key id to time of last use
  try {
    store.verify();
    for (const count of store.quotaCounts()) quotas.restore(count, Date.now());
  } catch (error) {
    store.close();
    throw error;
  }
  let writtenChanges = quotas.changes;
  let isReplaced = false;
  let isClosed = false;

  /** A SQLite connection stays with the file it opened, even if that file is replaced. */
  const reportIfReplaced = () => {
    if (isReplaced || fileIdOf(keysPath) === openedFileId) return;
    isReplaced = true;
    log.error({ file: keysPath }, 'the key store was replaced or removed: restart the service');
  };
  /** Writes the last uses of keys and today's calls, if there are new ones. Returns false if the store is locked. */
  const flush = (): boolean => {
    reportIfReplaced();
    const { changes } = quotas;
    if (unwritten.size === 0 && changes === writtenChanges) return true;
    try {
      if (!store.writeUses(unwritten, (keyId) => quotas.read(keyId))) return false;
      unwritten.clear();
      writtenChanges = changes;
    } catch (error) {
      log.warn({ reason: errorMessage(error) }, NOT_WRITTEN);
    }
    return true;
  };
  const timer = setInterval(flush, FLUSH_INTERVAL_MS).unref();
  return {
    forWorker: () => ({ kind: 'sqlite', path: keysPath }),
    ensureFirstKey: (nowMs) => ensureFirstKey(store, firstKeyPath, nowMs),
    pageKey: () => createKeyText(),
    addUses: (uses) => addUsesTo(unwritten, uses),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      clearInterval(timer);
      if (!flush()) log.warn({ reason: 'the key store is locked' }, NOT_WRITTEN);
      store.close();
    },
  };
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

/** Adds `uses` to `target`, which keeps the later time of each key. */
function addUsesTo(target: Map<string, number>, uses: KeyUses): void {
  for (const [id, usedAt] of uses) target.set(id, Math.max(usedAt, target.get(id) ?? 0));
}

/** Throws KeyStoreError if the keys in Redis cannot be used and there is no copy of them. */
async function openRedisServiceKeys(settings: RedisSettings, state: KeyPaths, log: KeyLog): Promise<ServiceKeys> {
  const { firstKeyPath, redisKeysPath } = state;
  const connection = new RedisConnection(settings);
  const store = new RedisKeys(connection, (problem) => log.warn({}, problem));
  const unwritten = new Map<string, number>(); // key id to time of last use
  let isClosed = false;

  const writeCopy = () => {
    if (reader.keys.rows.length === 0) return; // the first key is not created yet
    try {
      writeKeyCopy(redisKeysPath, settings, reader.keys);
    } catch (error) {
      log.warn({ reason: errorMessage(error) }, 'the copy of the keys in Redis was not written');
    }
  };
  const flush = async () => {
    const uses = new Map(unwritten);
    unwritten.clear();
    await store.writeUses(uses).catch(() => addUsesTo(unwritten, uses)); // for the next time
  };
  const copy = readKeyCopy(redisKeysPath, settings);
  const firstKeys = copy ?? { revision: NOTHING_SEEN, isComplete: true, rows: [] };
  const reader = new RedisKeyReader({ store, firstKeys, readsAll: true, log, onRead: writeCopy });
  const timer = setInterval(() => void flush(), FLUSH_INTERVAL_MS).unref();
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    clearInterval(timer);
    reader.close();
    await withTimeLimit(flush(), LAST_FLUSH_MS, () => new Error('Redis is late')).catch(() => {});
    store.close();
  };
  try {
    await connection.ready(copy === undefined ? CONNECT_WITHIN_MS : CONNECT_WITH_COPY_WITHIN_MS);
    await reader.read();
    await reader.repairStore().catch(() => {}); // the next refresh tries again
  } catch (error) {
    if (copy === undefined) {
      await close();
      const advice = 'A first start needs Redis, to read the keys';
      throw new KeyStoreError(`${errorMessage(error)}. ${advice}.`, { cause: error });
    }
    log.error({ reason: errorMessage(error) }, 'the keys in Redis cannot be used: those of the last run are in use');
  }
  return {
    forWorker: () => ({ kind: 'redis', settings, firstKeys: reader.keys }),
    ensureFirstKey: async (nowMs) => {
      if (reader.keys.rows.length > 0) return await findFirstKey(reader, firstKeyPath, nowMs);
      const firstKey = await ensureFirstKey(store, firstKeyPath, nowMs);
      await reader.read().catch(() => {}); // the next refresh tries again
      return firstKey;
    },
    pageKey: () => createKeyText((length) => pageKeyBytes(reader.secret, length)),
    addUses: (uses) => addUsesTo(unwritten, uses),
    close,
  };
}

/** The same for all machines that share the secret, which these bytes do not tell. */
function pageKeyBytes(secret: string, length: number): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'the key of the page', length));
}
