/** The key store that the flags of a command name: SQLite in the state folder, or Redis. */
import { type KeyStore, KeyStoreError } from 'toponym-access/keys/key-store';
import { RedisKeys } from 'toponym-access/keys/redis-keys';
import { openSqliteKeys } from 'toponym-access/keys/sqlite-keys';
import { RedisConnection } from 'toponym-access/redis/redis-connection';
import type { RedisSettings } from 'toponym-access/redis/redis-settings';
import { errorMessage } from 'toponym-files/errors/errors';
import { pathExists } from 'toponym-files/regular-file';
import { openStateFolder, type StateFolder, stateFolderAt } from 'toponym-server/serve/state-folder';
import { NotFoundError, noteError } from '../print/output.ts';
import { readSettings, redisSettings } from '../settings/read-settings.ts';

const CONNECT_WITHIN_MS = 5_000;

/** Where the keys are, and the limit of those that have none of their own. */
export interface KeyPlace {
  readonly redis: RedisSettings | undefined;
  readonly state: StateFolder;
  readonly callsPerMinute: number;
}

export function keyPlaceOf(flags: object): KeyPlace {
  const settings = readSettings(flags);
  const { callsPerMinute } = settings;
  return { redis: redisSettings(settings), state: stateFolderAt(settings.state), callsPerMinute };
}

export function nameOf({ redis, state }: KeyPlace, store: KeyStore): string {
  return redis === undefined ? state.path : store.location;
}

/** True even for a link without a target: opening the store then fails with a clear message. */
export function hasStore({ redis, state }: KeyPlace): boolean {
  return redis !== undefined || pathExists(state.keysPath);
}

/** Throws if there is no key store, because a mistyped path must not create one. */
export function requireStore(place: KeyPlace): void {
  if (hasStore(place)) return;
  const { path } = place.state;
  throw new NotFoundError(`there is no key store in ${path}: name the state folder of the service with --state.`);
}

/** Creates a missing SQLite store. */
export async function withStore<T>({ redis, state }: KeyPlace, use: (store: KeyStore) => T | Promise<T>): Promise<T> {
  if (redis !== undefined) return await useAndClose(await openRedisStore(redis), use);
  openStateFolder(state.path);
  return await useAndClose(openSqliteKeys(state.keysPath), use);
}

async function openRedisStore(settings: RedisSettings): Promise<KeyStore> {
  const connection = new RedisConnection(settings);
  try {
    await connection.ready(CONNECT_WITHIN_MS);
  } catch (error) {
    connection.close();
    throw new KeyStoreError(errorMessage(error), { cause: error });
  }
  return new RedisKeys(connection, noteError); // a key that cannot be read stops nothing
}

export async function useAndClose<S extends KeyStore, T>(store: S, use: (store: S) => T | Promise<T>): Promise<T> {
  try {
    return await use(store);
  } finally {
    store.close();
  }
}
