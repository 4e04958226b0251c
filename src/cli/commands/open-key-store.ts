/** Opens the key store that the settings name: Redis, or the SQLite file of a state folder. */

import { type KeyStore, KeyStoreError } from '../../access/keys/key-store.ts';
import { RedisKeys } from '../../access/keys/redis-keys.ts';
import { openSqliteKeys } from '../../access/keys/sqlite-keys.ts';
import type { RedisSettings } from '../../access/redis/redis-connection.ts';
import { RedisConnection } from '../../access/redis/redis-connection.ts';
import { errorMessage } from '../../errors/errors.ts';
import { pathExists } from '../../files/regular-file.ts';
import { openStateFolder, type StateFolder, stateFolderAt } from '../../serve/state-folder.ts';
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

/** Creates a missing SQLite store. */
export async function openKeyStore({ redis, state }: KeyPlace): Promise<KeyStore> {
  if (redis !== undefined) return await openRedisKeyStore(redis);
  openStateFolder(state.path);
  return openSqliteKeys(state.keysPath);
}

/** Throws if there is no key store, because a mistyped path must not create one. */
export function requireKeyStore({ redis, state }: KeyPlace): void {
  if (redis !== undefined || hasSqliteKeys(state)) return;
  throw new NotFoundError(`there is no key store in ${state.path}: name the state folder of the service with --state.`);
}

/** True even for a link without a target: opening the store then fails with a clear message. */
export function hasSqliteKeys({ keysPath }: StateFolder): boolean {
  return pathExists(keysPath);
}

async function openRedisKeyStore(settings: RedisSettings): Promise<KeyStore> {
  const connection = new RedisConnection(settings);
  try {
    await connection.ready(CONNECT_WITHIN_MS);
  } catch (error) {
    connection.close();
    throw new KeyStoreError(errorMessage(error), { cause: error });
  }
  return new RedisKeys(connection, noteError); // a key that cannot be read stops nothing
}
