/** What the INFO command of a Redis server says about its set-up. */
import { ok, problem, type Verdict, warning } from './finding.ts';

/** Values by name, such as `role` and `maxmemory_policy`. */
export type RedisInfo = ReadonlyMap<string, string>;

const MIN_MAJOR_VERSION = 7;
const NEARLY_FULL = 0.9;

export function parseInfo(text: string): RedisInfo {
  return new Map([...text.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]));
}

/** `savePoints` are the times of snapshots; empty for none, undefined if unknown. */
export function judgeServer(info: RedisInfo, savePoints: string | undefined): Verdict[] {
  const version = info.get('valkey_version') ?? info.get('redis_version') ?? 'unknown';
  const server = `${info.has('valkey_version') ? 'Valkey' : 'Redis'} ${version} on port ${info.get('tcp_port')}`;
  const faults = [judgeRole(info), judgeMemory(info), judgeWrites(info), judgePersistence(info, savePoints)];
  const verdicts = [judgeVersion(version), ...faults].filter((verdict) => verdict !== undefined);
  if (verdicts.length === 0) return [ok(`${server}: ${info.get('role')}, writable, keeps its data`)];
  return verdicts.map((verdict) => ({ ...verdict, message: `${server}: ${verdict.message}` }));
}

type Fault = Verdict | undefined;

function judgeVersion(version: string): Fault {
  if (Number.parseInt(version, 10) >= MIN_MAJOR_VERSION) return undefined;
  return problem('this version is too old', `Upgrade to Redis ${MIN_MAJOR_VERSION} or newer, or to Valkey.`);
}

function judgeRole(info: RedisInfo): Fault {
  if (info.get('role') !== 'slave') return undefined;
  const master = `${info.get('master_host')}:${info.get('master_port')}`;
  const advice = `Name its master ${master} with --redis, or use --redis-mode sentinel:NAME or cluster, which find it.`;
  return problem('it is a replica and cannot be written', advice);
}

function judgeMemory(info: RedisInfo): Fault {
  const policy = info.get('maxmemory_policy');
  const max = Number(info.get('maxmemory'));
  if (max > 0 && policy !== 'noeviction') {
    const advice =
      'Set maxmemory-policy noeviction. Otherwise logs of calls may be deleted, so that blocked clients call again, and keys may be lost.';
    return problem(`maxmemory-policy ${policy}`, advice);
  }
  const used = Number(info.get('used_memory'));
  if (max === 0 || used < NEARLY_FULL * max) return undefined;
  const message = `${Math.round((100 * used) / max)}% of its memory (maxmemory ${max} bytes) is in use`;
  const advice = 'Raise maxmemory: when it is reached, each replica of the service limits calls on its own.';
  return used >= max ? problem(message, advice) : warning(message, advice);
}

/** After a failed snapshot or log, Redis refuses to write. */
function judgeWrites(info: RedisInfo): Fault {
  const failed = ['rdb_last_bgsave_status', 'aof_last_write_status'].find((name) => (info.get(name) ?? 'ok') !== 'ok');
  if (failed === undefined) return undefined;
  return problem(`it could not write its data to disk (${failed})`, 'Check the disk and the log of Redis.');
}

function judgePersistence(info: RedisInfo, savePoints: string | undefined): Fault {
  if (info.get('aof_enabled') === '1') return undefined;
  const advice = 'Set appendonly yes: Redis has your keys, and a restart must not lose keys or undo revocations.';
  if (savePoints === '') return warning('its data are only in memory (no appendonly, no save)', advice);
  return warning('it writes only snapshots (no appendonly), so that a crash loses the last changes', advice);
}
