/** Checks whether the service can use Redis, how its servers are set up, and the keys in it. */

import { readKeyCopy } from '../../access/keys/key-copy.ts';
import { NOTHING_SEEN } from '../../access/keys/keys-in-memory.ts';
import { CLUSTER_GROUPS } from '../../access/limits/limits.ts';
import type { RedisConnection } from '../../access/redis/redis-connection.ts';
import { type RedisNode, type RedisSettings, redisAddress } from '../../access/redis/redis-connection.ts';
import { REDIS_WAIT_MS } from '../../access/redis/redis-guard.ts';
import { errorMessage } from '../../errors/errors.ts';
import { commandName } from '../../program.ts';
import { redisSettings } from '../settings/read-settings.ts';
import { judgeKeys } from './data.ts';
import type { Check, DoctorContext, Level, Verdict, Verdicts } from './examine.ts';
import { CORRECT_SETTING } from './machine.ts';

const CONNECT_WITHIN_MS = 3000;
/** Shorter than one attempt of the connection, so that the reason is the one of the socket. */
const SENTINEL_WITHIN_MS = 1500;
const ROUND_TRIPS = 7;
/** Every limited call waits for a round trip. */
const SLOW_MS = 10;
const MAX_CLOCK_DIFFERENCE_MS = 2000;

export const REDIS_CHECK: Check = { area: 'Redis', examine: checkRedis, remedy: CORRECT_SETTING, isRemote: true };

async function* checkRedis({ settings: flags, state, now }: DoctorContext): Verdicts {
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
    if (settings.mode.kind === 'sentinel') {
      const { name } = settings.mode;
      yield* await Promise.all(settings.nodes.map((node) => checkSentinel(node, name, settings)));
    }
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
    const remedy = `Check --redis, --redis-mode, the password and --redis-ca, and that Redis runs and can be reached from here. If it has lost the keys: ${commandName()} keys copy --from redis-copy --to redis`;
    yield ['problem', `${errorMessage(error)}. ${effect}`, remedy];
  } finally {
    connection.close();
  }
  for (const damage of damages) {
    yield ['problem', damage, `Give its user a new key, and revoke this one: ${commandName()} keys revoke ID`];
  }
}

async function* checkReplies(connection: RedisConnection, settings: RedisSettings): Verdicts {
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
  const remedy = 'Put Redis near the service: in the same data centre, on a machine that is not overloaded.';
  if (ms > REDIS_WAIT_MS)
    yield ['problem', `${message}: too slow, so that each replica limits calls on its own`, remedy];
  else yield ms > SLOW_MS ? ['warning', `${message}, which every call waits for`, remedy] : ['ok', message];
  if (differenceMs <= MAX_CLOCK_DIFFERENCE_MS) return;
  yield [
    'warning',
    `its clock and the one of this machine differ by ${(differenceMs / 1000).toFixed(1)} s`,
    'Keep the clocks of both machines right with NTP (timedatectl set-ntp true).',
  ];
}

/** A name in the slot of the keys. */
function keyName({ prefix }: RedisSettings): string {
  return `${prefix}:{keys}:`;
}

/** Asks a sentinel whether enough of them are there to elect a new `master`. */
async function checkSentinel(node: RedisNode, master: string, settings: RedisSettings): Promise<Verdict> {
  const { RedisConnection } = await import('../../access/redis/redis-connection.ts');
  // the library gives all sentinels the password of the first URL, and no user
  const sentinel = { ...node, database: 0, username: undefined, password: settings.nodes[0]?.password };
  const alone: RedisSettings = { ...settings, mode: { kind: 'standalone' }, nodes: [sentinel], password: undefined };
  const connection = new RedisConnection(alone);
  try {
    await connection.ready(SENTINEL_WITHIN_MS);
    const reply = await connection.send('', ['SENTINEL', 'CKQUORUM', master]); // rejects without a quorum
    return ['ok', `sentinel ${redisAddress(alone)}: ${reply}`];
  } catch (error) {
    const remedy = 'Bring the sentinels back: without a majority of them, no replica replaces a failed master.';
    return ['warning', `sentinel ${redisAddress(alone)}: ${errorMessage(error)}`, remedy];
  } finally {
    connection.close();
  }
}

/** Checks the cluster, and every server that counts calls or has keys. */
async function* checkServers(connection: RedisConnection, settings: RedisSettings): Verdicts {
  const isCluster = settings.mode.kind === 'cluster';
  if (isCluster) yield judgeCluster(await ask(connection, keyName(settings), ['CLUSTER', 'INFO']));
  const groups = isCluster ? CLUSTER_GROUPS : 0;
  const limits = Array.from({ length: groups }, (_, n) => `${settings.prefix}:{limits${n}}:`);
  const examined = new Set<string | undefined>();
  for (const name of [keyName(settings), ...limits]) {
    const reply = await ask(connection, name, ['INFO']);
    const info = parseInfo(reply);
    if (examined.has(info.run_id)) continue;
    examined.add(info.run_id);
    if (info.run_id === undefined) yield ['warning', `the server could not be examined: ${reply}`, 'Allow INFO.'];
    else yield* judgeServer(info, await ask(connection, name, ['CONFIG', 'GET', 'save']));
  }
}

/** Returns the reason if the server refuses the command, which the service itself does not need. */
async function ask(connection: RedisConnection, name: string, command: readonly string[]): Promise<string> {
  const reply = await connection.send(name, command).catch(errorMessage);
  // a list or a map, depending on the protocol: of CONFIG GET, the last value is the one of the setting
  return String(typeof reply === 'object' ? Object.values(reply ?? {}).at(-1) : reply);
}

/** Values by name, such as `role` and `maxmemory_policy`. */
type RedisInfo = Readonly<Record<string, string | undefined>>;

function parseInfo(text: string): RedisInfo {
  return Object.fromEntries([...text.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name, value]) => [name, value]));
}

/** `reply` is the one to CLUSTER INFO. */
export function judgeCluster(reply: string): Verdict {
  const { cluster_state: state, cluster_slots_ok: slots, cluster_size: size } = parseInfo(reply);
  if (state === undefined) return ['warning', `the cluster could not be examined: ${reply}`, 'Allow CLUSTER INFO.'];
  return [
    state === 'ok' ? 'ok' : 'problem',
    `cluster state ${state}, ${slots} of 16384 slots served, ${size} masters`,
    'Bring the failed masters back, or let their replicas take over (CLUSTER FAILOVER).',
  ];
}

const MIN_MAJOR_VERSION = 7;
const NEARLY_FULL = 0.9;

/** `saves` are the times of snapshots, such as `3600 1`; empty for none. Managed servers hide them. */
export function judgeServer(info: RedisInfo, saves: string): Verdict[] {
  const version = info.valkey_version ?? info.redis_version ?? 'unknown';
  const max = Number(info.maxmemory);
  const evicts = max > 0 && info.maxmemory_policy !== 'noeviction';
  const used = max > 0 && !evicts ? Number(info.used_memory) / max : 0;
  const failed = ['rdb_last_bgsave_status', 'aof_last_write_status'].find((name) => (info[name] ?? 'ok') !== 'ok');
  const faults: readonly [isBad: boolean, level: Level, meaning: string, remedy: string][] = [
    [
      !(Number.parseInt(version, 10) >= MIN_MAJOR_VERSION),
      'problem',
      'this version is too old',
      `Upgrade to Redis ${MIN_MAJOR_VERSION} or newer, or to Valkey.`,
    ],
    [
      info.role === 'slave',
      'problem',
      'it is a replica and cannot be written',
      `Name its master ${info.master_host}:${info.master_port} with --redis, or use --redis-mode sentinel:NAME or cluster, which find it.`,
    ],
    [
      evicts,
      'problem',
      `maxmemory-policy ${info.maxmemory_policy}`,
      'Set maxmemory-policy noeviction. Otherwise logs of calls may be deleted, so that blocked clients call again, and keys may be lost.',
    ],
    [
      used >= NEARLY_FULL,
      used >= 1 ? 'problem' : 'warning',
      `${Math.round(100 * used)}% of its memory (maxmemory ${max} bytes) is in use`,
      'Raise maxmemory: when it is reached, each replica of the service limits calls on its own.',
    ],
    [
      failed !== undefined, // Redis refuses to write until it succeeds
      'problem',
      `it could not write its data to disk (${failed})`,
      'Check the disk and the log of Redis.',
    ],
    [
      info.aof_enabled !== '1',
      'warning',
      saves === ''
        ? 'its data is only in memory (no appendonly, no save)'
        : 'it writes only snapshots (no appendonly), so that a crash loses the last changes',
      'Set appendonly yes: Redis has your keys, and a restart must not lose keys or undo revocations.',
    ],
  ];
  const server = `${info.valkey_version ? 'Valkey' : 'Redis'} ${version} on port ${info.tcp_port}`;
  const found = faults.filter(([isBad]) => isBad);
  if (found.length === 0) return [['ok', `${server}: ${info.role}, writable, keeps its data`]];
  return found.map(([, level, meaning, remedy]) => [level, `${server}: ${meaning}`, remedy]);
}
