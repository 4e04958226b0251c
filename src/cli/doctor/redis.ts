/** Redis: whether the service can use it, how fast it answers, and how it is set up. */

import { readKeyCopy } from '../../access/keys/key-copy.ts';
import { NOTHING_SEEN } from '../../access/keys/keys-in-memory.ts';
import { CLUSTER_GROUPS } from '../../access/limits/limits.ts';
import type { RedisConnection } from '../../access/redis/redis-connection.ts';
import { type RedisSettings, redisAddress } from '../../access/redis/redis-settings.ts';
import { commandName } from '../../command-name.ts';
import { errorMessage } from '../../errors/error-message.ts';
import { withTimeLimit } from '../../errors/time-limit.ts';
import type { DoctorContext } from './check.ts';
import { ok, problem, type Verdict, warning } from './finding.ts';
import { judgeKeys } from './keys.ts';
import { judgeServer, parseInfo } from './redis-info.ts';
import { checkSentinels } from './redis-sentinels.ts';

const CONNECT_WITHIN_MS = 3000;
const REPLY_WITHIN_MS = 1000;
const PINGS = 7;
/** Every limited call waits for a round trip. */
const SLOW_MS = 10;
/** The service does not wait longer, and counts on its own. */
const TOO_SLOW_MS = 40;
const MAX_CLOCK_DIFFERENCE_MS = 2000;

export async function checkRedis(context: DoctorContext): Promise<Verdict[]> {
  const { redis: settings } = context;
  if (settings === undefined) return [];
  // imported only if needed: loading the client library takes 0.2 s
  const { RedisConnection } = await import('../../access/redis/redis-connection.ts');
  const connection = new RedisConnection(settings);
  try {
    await connection.ready(CONNECT_WITHIN_MS);
    return await examineRedis({ connection, settings, context });
  } catch (error) {
    return [unusable(errorMessage(error), context)];
  } finally {
    connection.close();
  }
}

interface OpenRedis {
  readonly connection: RedisConnection;
  readonly settings: RedisSettings;
  readonly context: DoctorContext;
}

async function examineRedis(redis: OpenRedis): Promise<Verdict[]> {
  const { settings } = redis;
  return [
    ...(await ifAllowed(async () => [await checkRoundTrip(redis)])),
    await checkTime(redis),
    ...(settings.mode.kind === 'cluster' ? await ifAllowed(async () => [await checkCluster(redis)]) : []),
    ...(settings.mode.kind === 'sentinel' ? await checkSentinels(settings, settings.mode.name) : []),
    ...(await ifAllowed(() => checkServers(redis))),
    ...(await checkSharedKeys(redis)),
  ];
}

/** Returns a warning if Redis does not allow the check, whose commands the service does not use. */
async function ifAllowed(check: () => Promise<Verdict[]>): Promise<Verdict[]> {
  try {
    return await check();
  } catch (error) {
    const reason = errorMessage(error);
    if (!/^(NOPERM|ERR unknown command)/.test(reason)) throw error;
    const advice = 'Allow the user of --redis to run PING, INFO and CLUSTER INFO, or examine the server yourself.';
    return [warning(`the server could not be examined: ${reason}`, advice)];
  }
}

function unusable(reason: string, { state, redis }: DoctorContext): Verdict {
  const hasCopy = redis !== undefined && readKeyCopy(state.redisKeysPath, redis) !== undefined;
  const effect = hasCopy
    ? 'The service starts with its copy of the keys, and limits calls on its own'
    : 'Without a copy of the keys the service does not start';
  const advice =
    'Check --redis, --redis-mode, the password and --redis-ca, and that Redis runs and can be reached from here.';
  return problem(`${reason}. ${effect}`, advice);
}

async function checkRoundTrip(redis: OpenRedis): Promise<Verdict> {
  const times: number[] = [];
  for (let i = 0; i < PINGS; i++) {
    const startedMs = performance.now();
    await ask(redis, keyName(redis), ['PING']);
    times.push(performance.now() - startedMs);
  }
  const ms = times.sort((a, b) => a - b)[PINGS >> 1] ?? 0;
  const message = `${redisAddress(redis.settings)} answers in ${ms.toFixed(1)} ms`;
  const advice = 'Put Redis near the service: in the same data centre, on a machine that is not overloaded.';
  if (ms > TOO_SLOW_MS) return problem(`${message}: too slow, so that each replica limits calls on its own`, advice);
  return ms > SLOW_MS ? warning(`${message}, which every call waits for`, advice) : ok(message);
}

async function checkTime(redis: OpenRedis): Promise<Verdict> {
  const sentMs = Date.now();
  const reply = (await ask(redis, keyName(redis), ['TIME'])) as [string, string];
  const hereMs = (sentMs + Date.now()) / 2;
  const thereMs = Number(reply[0]) * 1000 + Number(reply[1]) / 1000;
  const differenceMs = Math.abs(thereMs - hereMs);
  const message = `its clock and the one of this machine differ by ${(differenceMs / 1000).toFixed(1)} s`;
  if (differenceMs <= MAX_CLOCK_DIFFERENCE_MS) return ok(message);
  return warning(message, 'Keep the clocks of both machines right with NTP (timedatectl set-ntp true).');
}

async function checkCluster(redis: OpenRedis): Promise<Verdict> {
  const info = parseInfo(String(await ask(redis, keyName(redis), ['CLUSTER', 'INFO'])));
  const state = info.get('cluster_state');
  const message = `cluster state ${state}, ${info.get('cluster_slots_ok')} of 16384 slots served, ${info.get('cluster_size')} masters`;
  if (state === 'ok') return ok(message);
  return problem(message, 'Bring the failed masters back, or let their replicas take over (CLUSTER FAILOVER).');
}

/** Examines every server that counts calls or has keys. */
async function checkServers(redis: OpenRedis): Promise<Verdict[]> {
  const { prefix, mode } = redis.settings;
  const groups = mode.kind === 'cluster' ? CLUSTER_GROUPS : 0;
  const names = [keyName(redis), ...Array.from({ length: groups }, (_, n) => `${prefix}:{limits${n}}:`)];
  const servers = new Map<string, Verdict[]>();
  for (const name of names) {
    const info = parseInfo(String(await ask(redis, name, ['INFO'])));
    const id = info.get('run_id') ?? '';
    if (!servers.has(id)) servers.set(id, judgeServer(info, await savePoints(redis, name)));
  }
  return [...servers.values()].flat();
}

/** When Redis writes snapshots, such as `3600 1`; undefined if it does not tell. */
async function savePoints(redis: OpenRedis, name: string): Promise<string | undefined> {
  try {
    const reply = (await ask(redis, name, ['CONFIG', 'GET', 'save'])) as string[] | Record<string, string>;
    // a list or a map, depending on the protocol
    return Array.isArray(reply) ? reply[1] : reply.save;
  } catch {
    return undefined; // managed servers do not allow CONFIG
  }
}

async function checkSharedKeys({ connection, settings, context: { now, state } }: OpenRedis): Promise<Verdict[]> {
  const { RedisKeys } = await import('../../access/keys/redis-keys.ts');
  const damages: Verdict[] = [];
  const store = new RedisKeys(connection, (damage) => {
    damages.push(problem(damage, `Give its user a new key, and revoke this one: ${commandName()} keys revoke ID`));
  });
  try {
    const copy = readKeyCopy(state.redisKeysPath, settings);
    const known = new Map(copy?.rows.map(({ id }) => [String(id), true]));
    await store.readChanges(NOTHING_SEEN, known); // throws if Redis has lost the keys
    return [...judgeKeys(await store.list(), store.location, now), ...damages];
  } catch (error) {
    const advice = `Restore the data of Redis, or copy the keys of this machine back: ${commandName()} keys copy --from redis-copy --to redis`;
    return [problem(errorMessage(error), advice)];
  }
}

/** A name in the slot of the keys. */
function keyName({ settings }: OpenRedis): string {
  return `${settings.prefix}:{keys}:`;
}

/** Rejects if there is no reply in time. */
async function ask({ connection }: OpenRedis, name: string, command: readonly string[]): Promise<unknown> {
  const late = () => new Error(`Redis does not reply to ${command.join(' ')} within ${REPLY_WITHIN_MS / 1000} s`);
  return await withTimeLimit(connection.send(name, command), REPLY_WITHIN_MS, late);
}
