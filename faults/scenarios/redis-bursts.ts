/** Two replicas count bursts of calls over new TLS connections, whose handshakes keep the threads busy. */
import { spawn } from 'node:child_process';
import { Agent } from 'node:https';
import { formatCount } from '../../bench/report.ts';
import { waitUntil } from '../../test/support/deadline.ts';
import { decidedLocally, type RedisServer, startRedis, startRedisCluster } from '../../test/support/redis.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import { atMost, type Check, exactly, figure, formatMs, ifAlone } from '../checks.ts';
import { burst } from '../http/burst.ts';
import { sentCall } from '../http/sent-call.ts';
import { withoutRedis } from '../redis/replicas.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { runCommand, startService } from '../service.ts';

const PAUSES = { full: 50, short: 1 };
const MAX_ADDED_MS = 50;
const BURSTS = { full: 10, short: 1 };
const SIZES = { full: [70, 200, 1_000], short: [200] };
const MAX_ACCEPTED = 60;
/** Other programs on the machine, each of which uses a core. */
const BUSY_PROGRAMS = { full: [0, 2], short: [0] };
const COUNTERS = [
  { name: 'limit', flags: ['--per-minute', String(MAX_ACCEPTED)] },
  { name: 'quota', flags: ['--per-minute', 'unlimited', '--per-day', String(MAX_ACCEPTED)] },
];

export const redisBursts: Scenario = {
  name: 'redis-bursts',
  promise:
    'Two replicas count bursts of calls over new TLS connections in Redis: of each burst, a limit or quota of 60 accepts 60 calls, on a busy machine too.',
  run: runBursts,
};

async function runBursts(run: FaultRun): Promise<readonly Check[]> {
  const missing = withoutRedis();
  if (missing !== undefined) return missing;
  const redis = await startRedis(run);
  const redisFlags = ['--redis', redis.url];
  const checks = [...(await runKinds(run, 'one Redis', redisFlags)), await pauseRedis(run, redis)];
  const cluster = await startRedisCluster(run);
  return [...checks, ...(await runKinds(run, 'a cluster', ['--redis', cluster.urls, '--redis-mode', 'cluster']))];
}

async function runKinds(run: FaultRun, store: string, redisFlags: readonly string[]): Promise<Check[]> {
  const { scale } = run;
  const kinds = BUSY_PROGRAMS[scale].flatMap((busy) => COUNTERS.map((counter) => ({ busy, counter })));
  // before the replicas start, so that both know all keys
  const keys: string[][] = [];
  const bursts = BURSTS[scale] * SIZES[scale].length;
  for (const { counter } of kinds) keys.push(await createKeys(run, [...counter.flags, ...redisFlags], bursts));
  const args = [...redisFlags, '--log-level', 'warn'];
  const services = [await startService(run, { args }), await startService(run, { args })];
  const checks: Check[] = [];
  for (const [i, { busy, counter }] of kinds.entries()) {
    const name = `${store}, ${counter.name}${busy > 0 ? ` (${busy} busy programs beside it)` : ''}`;
    const stopPrograms = keepBusy(run, busy);
    checks.push(...(await runKind(run, { name, services, keys: keys[i] ?? [] })));
    stopPrograms();
  }
  return checks;
}

/** Measures what a Redis that is really gone adds to a call. */
async function pauseRedis(run: FaultRun, redis: RedisServer): Promise<Check> {
  const redisFlags = ['--redis', redis.url];
  const service = await startService(run, { args: [...redisFlags, '--log-level', 'warn', '--threads', '1'] });
  const [key = ''] = await createKeys(run, ['--per-minute', '10000', '--per-day', '10000', ...redisFlags], 1);
  const agent = new Agent({ keepAlive: true });
  run.after(() => agent.destroy());
  const callMs = async () => {
    const startedMs = performance.now();
    await sentCall(service, key, agent);
    return performance.now() - startedMs;
  };
  const isUsed = async () => (await service.call('/readyz', { method: 'GET' })).json().notice === undefined;
  const added: number[] = [];
  for (let i = 0; i < PAUSES[run.scale]; i++) {
    await waitUntil('Redis is used', async () => (await callMs()) >= 0 && (await isUsed()));
    const usualMs = await callMs();
    redis.signal('SIGSTOP');
    added.push((await callMs()) - usualMs);
    redis.signal('SIGCONT');
  }
  const check = atMost(
    'Redis is paused: added to the next call, of a key with a limit and a quota',
    Math.max(...added),
    MAX_ADDED_MS,
    formatMs,
  );
  return ifAlone(run.scale, check);
}

interface Kind {
  readonly name: string;
  readonly services: readonly RunningService[];
  /** One for each burst. */
  readonly keys: readonly string[];
}

async function runKind(run: FaultRun, { name, services, keys }: Kind): Promise<Check[]> {
  const { scale } = run;
  const before = await decidedLocally(services);
  let wrong = 0;
  let overloaded = 0;
  for (const [i, size] of SIZES[scale].entries()) {
    const accepted: number[] = [];
    for (const key of keys.slice(i * BURSTS[scale], (i + 1) * BURSTS[scale])) {
      const counts = await burst(services, key, size);
      accepted.push(counts.get(200) ?? 0);
      overloaded += counts.get(503) ?? 0;
    }
    wrong += accepted.filter((count) => count !== MAX_ACCEPTED).length;
    run.print(`${name}, bursts of ${size} calls: ${accepted.join(', ')} accepted`);
  }
  const local = (await decidedLocally(services)) - before;
  const sizes = SIZES[scale].map(formatCount).join(', ');
  return [
    // beside other tests Redis may be late, and a replica may have too little time
    ...(scale === 'full' || (local === 0 && overloaded === 0)
      ? [exactly(`bursts of ${sizes} calls without 60 accepted, of ${keys.length}: ${name}`, wrong, 0)]
      : []),
    figure(`calls decided by a replica alone: ${name}`, formatCount(local)),
  ];
}

async function createKeys(run: FaultRun, flags: readonly string[], count: number): Promise<string[]> {
  const keys: string[] = [];
  while (keys.length < count) {
    const { stdout } = await runCommand(run, ['keys', 'create', '--label', 'burst', '--json', ...flags]);
    const { key } = JSON.parse(stdout) as { readonly key: string };
    run.keySearch.addKey(key);
    keys.push(key);
  }
  return keys;
}

/** Starts programs that use a core each. Returns a function that ends them. */
function keepBusy(run: FaultRun, count: number): () => void {
  const programs = Array.from({ length: count }, () => spawn('yes', { stdio: 'ignore' }));
  const stop = () => {
    for (const program of programs) program.kill('SIGKILL');
  };
  run.after(stop);
  return stop;
}
