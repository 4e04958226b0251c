/**
 * The main thread's side of the keys. Workers only read keys, and report when keys were used. Open
 * it before the workers start, and close it after they have ended.
 */
import type { KeyUses } from '../../access/keys/key-store.ts';
import type { KeyChanges } from '../../access/keys/keys-in-memory.ts';
import type { QuotaTable } from '../../access/limits/quota-table.ts';
import type { RedisSettings } from '../../access/redis/redis-settings.ts';
import type { Logger } from '../log.ts';
import type { FirstKey } from './first-key.ts';
import { SqliteServiceKeys } from './sqlite-service-keys.ts';
import type { StateFolder } from './state-folder.ts';

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
  readonly state: StateFolder;
  /** Undefined for keys and limits of this machine alone. */
  readonly redis?: RedisSettings | undefined;
}

/** Throws KeyStoreError if the store cannot be used. Without Redis, restores the calls of today. */
export async function openServiceKeys(
  { state, redis }: KeySettings,
  quotas: QuotaTable,
  log: Logger,
): Promise<ServiceKeys> {
  if (redis === undefined) return new SqliteServiceKeys(state, quotas, log);
  // imported only if needed: loading the client library takes 0.2 s
  const { openRedisServiceKeys } = await import('./redis-service-keys.ts');
  return await openRedisServiceKeys(redis, state, log);
}
