/** Checks of the API keys, in SQLite or in Redis, and of Redis itself. The texts of keys are not stored. */

import { readKeyCopy } from '../../access/keys/key-copy.ts';
import type { KeyRecord } from '../../access/keys/key-record.ts';
import { NOTHING_SEEN } from '../../access/keys/keys-in-memory.ts';
import { inspectKeys } from '../../access/keys/sqlite-keys.ts';
import { CLUSTER_GROUPS } from '../../access/limits/limits.ts';
import type { RedisConnection } from '../../access/redis/redis-connection.ts';
import { REDIS_WAIT_MS } from '../../access/redis/redis-guard.ts';
import { type RedisSettings, redisAddress } from '../../access/redis/redis-settings.ts';
import { errorMessage } from '../../errors/errors.ts';
import { commandName } from '../../program.ts';
import { hasSqliteKeys } from '../commands/open-key-store.ts';
import { redisSettings } from '../settings/read-settings.ts';
import { DAY_MS, type DoctorContext, formatDay, ok, problem, type Verdict, warning } from './check.ts';

const EXPIRY_WARNING_DAYS = 14;

export function* checkKeys({ settings, state, now }: DoctorContext): Generator<Verdict> {
  if (settings.redis !== undefined) return; // the check of Redis has them
  if (!hasSqliteKeys(state)) return yield ok('none yet: the first start creates one');
  yield* judgeKeys(inspectKeys(state.keysPath), state.keysPath, now);
}

/** `location` is where the keys are. */
function* judgeKeys(records: readonly KeyRecord[], location: string, now: Date): Generator<Verdict> {
  if (records.length === 0) return yield ok(`${location}: no keys yet, the first start creates one`);
  const stateOf = ({ revokedAt, expiresAt = Number.POSITIVE_INFINITY }: KeyRecord) =>
    revokedAt !== undefined ? 'revoked' : expiresAt <= now.getTime() ? 'expired' : 'valid';
  const { valid = [], expired = [], revoked = [] } = Object.groupBy(records, stateOf);
  const unused = valid.filter(({ lastUsedAt }) => lastUsedAt === undefined);
  const message = `${location}: ${valid.length} valid ${valid.length === 1 ? 'key' : 'keys'} (${unused.length} never used), ${expired.length} expired, ${revoked.length} revoked`;
  const command = `${commandName()} keys create --label NAME`;
  if (valid.length > 0) yield ok(message);
  else yield problem(`${message}. Every call is refused`, `Create a key: ${command}`);
  for (const { id, label, expiresAt = Number.POSITIVE_INFINITY } of valid) {
    if (expiresAt >= now.getTime() + EXPIRY_WARNING_DAYS * DAY_MS) continue;
    const advice = `Create a new key and give it to the users of the old one: ${command}`;
    yield warning(`key ${id} (${label}) ends on ${formatDay(new Date(expiresAt))}`, advice);
  }
}

const CONNECT_WITHIN_MS = 3000;
const ROUND_TRIPS = 7;
/** Every limited call waits for a round trip. */
const SLOW_MS = 10;
const MAX_CLOCK_DIFFERENCE_MS = 2000;

export async function* checkRedis({ settings: flags, state, now }: DoctorContext): AsyncGenerator<Verdict> {
  const settings = redisSettings(flags);
  if (settings === undefined) return;
  // imported only if needed: loading the client library takes 0.2 s
  const { RedisConnection } = await import('../../access/redis/redis-connection.ts');
  const { RedisKeys } = await import('../../access/keys/redis-keys.ts');
  const copy = readKeyCopy(state.redisKeysPath, settings);
  const connection = new RedisConnection(settings);
  const damages: string[] = [];
  try {
    await connection.ready(CONNECT_WITHIN_MS);
    yield* checkReplies(connection, settings);
    yield* checkServers(connection, settings);
    const store = new RedisKeys(connection, (damage) => damages.push(damage));
    const known = new Map(copy?.rows.map(({ id }) => [String(id), true]));
    await store.readChanges(NOTHING_SEEN, known); // throws if Redis has lost the keys
    yield* judgeKeys(await store.list(), store.location, now);
  } catch (error) {
    const effect =
      copy === undefined
        ? 'Without a copy of the keys the service does not start'
        : 'The service starts with its copy of the keys, and limits calls on its own';
    yield problem(
      `${errorMessage(error)}. ${effect}`,
      `Check --redis, --redis-mode, the password and --redis-ca, and that Redis runs and can be reached from here. If it has lost the keys: ${commandName()} keys copy --from redis-copy --to redis`,
    );
  } finally {
    connection.close();
  }
  for (const damage of damages) {
    yield problem(damage, `Give its user a new key, and revoke this one: ${commandName()} keys revoke ID`);
  }
}

async function* checkReplies(connection: RedisConnection, settings: RedisSettings): AsyncGenerator<Verdict> {
  const roundTrips: number[] = [];
  let differenceMs = 0;
  while (roundTrips.length < ROUND_TRIPS) {
    const startedMs = performance.now();
    const [seconds, microseconds] = (await connection.send(keyName(settings), ['TIME'])) as [string, string];
    roundTrips.push(performance.now() - startedMs);
    differenceMs = Math.abs(Number(seconds) * 1000 + Number(microseconds) / 1000 - Date.now());
  }
  const ms = roundTrips.sort((a, b) => a - b)[ROUND_TRIPS >> 1] ?? 0;
  const message = `${redisAddress(settings)} answers in ${ms.toFixed(1)} ms`;
  const advice = 'Put Redis near the service: in the same data centre, on a machine that is not overloaded.';
  if (ms > REDIS_WAIT_MS) yield problem(`${message}: too slow, so that each replica limits calls on its own`, advice);
  else yield ms > SLOW_MS ? warning(`${message}, which every call waits for`, advice) : ok(message);
  if (differenceMs <= MAX_CLOCK_DIFFERENCE_MS) return;
  yield warning(
    `its clock and the one of this machine differ by ${(differenceMs / 1000).toFixed(1)} s`,
    'Keep the clocks of both machines right with NTP (timedatectl set-ntp true).',
  );
}

/** A name in the slot of the keys. */
function keyName({ prefix }: RedisSettings): string {
  return `${prefix}:{keys}:`;
}

/** Checks every server that counts calls or has keys. */
async function* checkServers(connection: RedisConnection, settings: RedisSettings): AsyncGenerator<Verdict> {
  const groups = settings.mode.kind === 'cluster' ? CLUSTER_GROUPS : 0;
  const limits = Array.from({ length: groups }, (_, n) => `${settings.prefix}:{limits${n}}:`);
  const examined = new Set<string | undefined>();
  for (const name of [keyName(settings), ...limits]) {
    const reply = await connection.send(name, ['INFO']).catch(errorMessage);
    const info = parseInfo(String(reply));
    if (examined.has(info.run_id)) continue;
    examined.add(info.run_id);
    // the service itself does not need INFO
    if (info.run_id === undefined) yield warning(`the server could not be examined: ${reply}`, 'Allow INFO.');
    else yield* judgeServer(info);
  }
}

/** Values by name, such as `role` and `maxmemory_policy`. */
type RedisInfo = Readonly<Record<string, string | undefined>>;

function parseInfo(text: string): RedisInfo {
  return Object.fromEntries([...text.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name, value]) => [name, value]));
}

/** Faults that make the service lose keys or counts. Redis reports others, such as a full disk, as errors. */
export function* judgeServer(info: RedisInfo): Generator<Verdict> {
  const server = `${info.valkey_version ? 'Valkey' : 'Redis'} ${info.valkey_version ?? info.redis_version} on port ${info.tcp_port}`;
  const keepsAll = info.maxmemory === '0' || info.maxmemory_policy === 'noeviction';
  const keepsChanges = info.aof_enabled === '1';
  if (info.role === 'slave') {
    const advice = `Name its master ${info.master_host}:${info.master_port} with --redis, or use --redis-mode sentinel:NAME or cluster, which find it.`;
    yield problem(`${server}: it is a replica and cannot be written`, advice);
  }
  if (!keepsAll) {
    const advice =
      'Set maxmemory-policy noeviction. Otherwise logs of calls may be deleted, so that blocked clients call again, and keys may be lost.';
    yield problem(`${server}: maxmemory-policy ${info.maxmemory_policy}`, advice);
  }
  if (!keepsChanges) {
    const advice = 'Set appendonly yes: Redis has your keys, and a restart must not lose keys or undo revocations.';
    yield warning(`${server}: a crash loses the last changes (no appendonly)`, advice);
  }
  if (info.role !== 'slave' && keepsAll && keepsChanges) yield ok(`${server}: writable, keeps its data`);
}
