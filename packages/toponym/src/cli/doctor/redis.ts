/** Checks whether the service can use Redis, and the keys there. */

import { readKeyCopy } from 'toponym-access/keys/key-copy';
import { NOTHING_SEEN } from 'toponym-access/keys/keys-in-memory';
import { errorMessage } from 'toponym-files/errors/errors';
import { commandName } from 'toponym-files/program';
import { redisSettings } from '../settings/read-settings.ts';
import { type Check, CORRECT_SETTING, type DoctorContext, type Verdicts } from './check.ts';
import { judgeKeys } from './data.ts';

const CONNECT_WITHIN_MS = 3000;

export const REDIS_CHECK: Check = { area: 'Redis', examine: checkRedis, remedy: CORRECT_SETTING };

async function* checkRedis({ settings: flags, state, now }: DoctorContext): Verdicts {
  const settings = redisSettings(flags);
  if (settings === undefined) return;
  // imported only if needed: loading the client library takes 0.2 s
  const { RedisConnection } = await import('toponym-access/redis/redis-connection');
  const { RedisKeys } = await import('toponym-access/keys/redis-keys');
  const copy = readKeyCopy(state.redisKeysPath, settings);
  const connection = new RedisConnection(settings);
  const damages: string[] = [];
  try {
    await connection.ready(CONNECT_WITHIN_MS);
    const store = new RedisKeys(connection, (damage) => damages.push(damage));
    const known = new Map(copy?.rows.map(({ id }) => [String(id), true]));
    await store.readChanges(NOTHING_SEEN, known); // throws if Redis has lost the keys
    yield* judgeKeys(await store.list(), store.location, now);
  } catch (error) {
    const effect =
      copy === undefined
        ? 'Without a copy of the keys the service does not start'
        : 'The service starts with its copy of the keys, and limits calls on its own';
    const remedy = `Check --redis, --redis-mode, the password and --redis-ca, and that Redis runs and can be reached from here. If it has lost the keys: ${commandName()} keys copy --from redis-copy --to redis`;
    yield ['problem', `${errorMessage(error)}. ${effect}`, remedy];
  } finally {
    connection.close();
  }
  for (const damage of damages) {
    yield ['problem', damage, `Give its user a new key, and revoke this one: ${commandName()} keys revoke ID`];
  }
}
