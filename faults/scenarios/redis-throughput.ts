/** Calls per second with Redis and without, and the round trips that the calls cost. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { formatCount } from '../../bench/report.ts';
import { overRounds } from '../../bench/statistics.ts';
import { type RedisServer, startRedis } from '../../test/support/redis.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import { atLeast, atMost, exactly, figure, formatPercent, ifAlone } from '../checks.ts';
import { withoutRedis } from '../redis/replicas.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { startService } from '../service.ts';

const CLIENTS = fileURLToPath(new URL('../clients/busy-clients.ts', import.meta.url));
const ROUNDS = { full: 5, short: 1 };
const SECONDS = { full: 5, short: 0.3 };
const CONNECTIONS = { full: 64, short: 16 };
const MIN_SHARE = 0.6;

export const redisThroughput: Scenario = {
  name: 'redis-throughput',
  promise:
    'With Redis, a thread answers at least 60% of the calls that it answers without, because all calls of a tick share one round trip.',
  run: runThroughput,
};

async function runThroughput(run: FaultRun) {
  const missing = withoutRedis();
  if (missing !== undefined) return missing;
  const redis = await startRedis(run);
  const args = ['--threads', '1', '--behind-proxy', '--trusted-proxies', '127.0.0.1', '--log-level', 'warn'];
  const alone = await startService(run, { args });
  const shared = await startService(run, { args: [...args, '--redis', redis.url] });
  await callsPerSecond(run, alone); // both are warm, and Redis knows the scripts
  await callsPerSecond(run, shared);
  const before = await countsOf(redis, shared);
  const startedMs = performance.now();
  const withoutRates: number[] = [];
  const withRates: number[] = [];
  for (let round = 0; round < ROUNDS[run.scale]; round++) {
    withoutRates.push(await callsPerSecond(run, alone));
    withRates.push(await callsPerSecond(run, shared));
    run.print(
      `calls per second: ${formatCount(withoutRates.at(-1) ?? 0)} without, ${formatCount(withRates.at(-1) ?? 0)} with Redis`,
    );
  }
  const after = await countsOf(redis, shared);
  const ticks = after.ticks - before.ticks;
  const [without, withRedis] = [overRounds(withoutRates).median, overRounds(withRates).median];
  return [
    figure('calls per second without Redis, one thread', formatCount(without)),
    figure('calls per second with Redis', formatCount(withRedis)),
    ifAlone(run.scale, atLeast('share', withRedis / without, MIN_SHARE, formatPercent)),
    figure('calls per tick of the event loop', ((after.calls - before.calls) / ticks).toFixed(1)),
    atMost(
      'script calls that Redis counted, beyond one per tick with calls',
      after.scripts - before.scripts - ticks,
      useWrites(performance.now() - startedMs),
      formatCount,
    ),
    ifAlone(
      run.scale,
      atMost('reads of Redis from its connections, per tick', (after.reads - before.reads) / ticks, 1.1, (n) =>
        n.toFixed(2),
      ),
    ),
    ifAlone(run.scale, exactly('calls that Redis did not count', after.local - before.local, 0)),
  ];
}

async function callsPerSecond(run: FaultRun, { ready, key }: RunningService): Promise<number> {
  const { port } = new URL(ready.url);
  const child = spawn(process.execPath, [CLIENTS, port, String(CONNECTIONS[run.scale]), String(SECONDS[run.scale])], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  run.after(() => child.kill('SIGKILL'));
  child.stdin.end(key);
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`the clients ended with exit code ${code}`);
  return Number(output);
}

/** Counters of Redis and of the service. */
async function countsOf(redis: RedisServer, { ready }: RunningService) {
  const metrics = await (await fetch(ready.metricsUrl ?? '')).text();
  const metric = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1]);
  const commands = await redis.cli('INFO', 'commandstats');
  return {
    ticks: metric('toponym_redis_round_trips_total'),
    local: metric('toponym_calls_limited_locally_total'),
    calls: Number(/^toponym_requests_total\{.*query.*status="200".*\} (\d+)$/m.exec(metrics)?.[1]),
    scripts: Number(/cmdstat_evalsha:calls=(\d+)/.exec(commands)?.[1]),
    reads: await redis.counter('total_reads_processed'),
  };
}

/** The times at which keys were used are written every 5 seconds, also by a script. */
function useWrites(ms: number): number {
  return 2 + ms / 5000;
}
