/** Checks whether the service can use Redis, whether Redis keeps the keys, and the keys themselves. */

import { readKeyCopy } from 'toponym-access/keys/key-copy';
import { NOTHING_SEEN } from 'toponym-access/keys/keys-in-memory';
import type { RedisConnection } from 'toponym-access/redis/redis-connection';
import type { RedisSettings } from 'toponym-access/redis/redis-settings';
import { errorMessage } from 'toponym-files/errors/errors';
import { commandName } from 'toponym-files/program';
import { redisSettings } from '../settings/read-settings.ts';
import { type Check, CORRECT_SETTING, type DoctorContext, type Verdict, type Verdicts } from './check.ts';
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
    yield* checkServer(connection, settings);
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

/** Checks the server that has the keys. */
async function* checkServer(connection: RedisConnection, { prefix }: RedisSettings): Verdicts {
  const ask = async (...command: string[]) => {
    // the service itself needs neither command, so a server may refuse them
    const reply = await connection.send(`${prefix}:{keys}:`, command).catch(errorMessage);
    // a list or a map, depending on the protocol: of CONFIG GET, the last value is the one of the setting
    return String(typeof reply === 'object' ? Object.values(reply ?? {}).at(-1) : reply);
  };
  const reply = await ask('INFO');
  const info = Object.fromEntries([...reply.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name, value]) => [name, value]));
  if (info.run_id === undefined) yield ['warning', `the server could not be examined: ${reply}`, 'Allow INFO.'];
  else yield* judgeServer(info, await ask('CONFIG', 'GET', 'save'));
}

/**
 * Whether the server can be written and keeps the keys. `info` has values such as `role` and `maxmemory_policy`; `saves`
 * are the times of snapshots, such as `3600 1`; empty for none. Managed servers hide them.
 */
export function judgeServer(info: Readonly<Record<string, string | undefined>>, saves: string): Verdict[] {
  const version = info.valkey_version ?? info.redis_version ?? 'unknown';
  const server = `${info.valkey_version ? 'Valkey' : 'Redis'} ${version} on port ${info.tcp_port}`;
  const verdicts: Verdict[] = [];
  if (info.role === 'slave') {
    verdicts.push([
      'problem',
      `${server}: it is a replica and cannot be written`,
      `Name its master ${info.master_host}:${info.master_port} with --redis, or use --redis-mode sentinel:NAME or cluster, which find it.`,
    ]);
  }
  if (Number(info.maxmemory) > 0 && info.maxmemory_policy !== 'noeviction') {
    verdicts.push([
      'problem',
      `${server}: maxmemory-policy ${info.maxmemory_policy}`,
      'Set maxmemory-policy noeviction. Otherwise logs of calls may be deleted, so that blocked clients call again, and keys may be lost.',
    ]);
  }
  const failed = ['rdb_last_bgsave_status', 'aof_last_write_status'].find((name) => (info[name] ?? 'ok') !== 'ok');
  if (failed !== undefined) {
    verdicts.push([
      'problem', // Redis refuses to write until it succeeds
      `${server}: it could not write its data to disk (${failed})`,
      'Check the disk and the log of Redis.',
    ]);
  }
  if (info.aof_enabled !== '1') {
    verdicts.push([
      'warning',
      saves === ''
        ? `${server}: its data is only in memory (no appendonly, no save)`
        : `${server}: it writes only snapshots (no appendonly), so that a crash loses the last changes`,
      'Set appendonly yes: Redis has your keys, and a restart must not lose keys or undo revocations.',
    ]);
  }
  return verdicts.length > 0 ? verdicts : [['ok', `${server}: ${info.role}, writable, keeps its data`]];
}
