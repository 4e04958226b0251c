/** A master of the Redis Cluster is killed, paused and cut off, and returns, while clients call. */

import { formatCount } from '../../bench/report.ts';
import { summarize } from '../../bench/statistics.ts';
import { outsideProgram } from '../../test/support/outside-programs.ts';
import { type RedisCluster, type RedisServer, startRedisCluster } from '../../test/support/redis.ts';
import { atMost, type Check, exactly, figure, formatMs, formatSeconds, ifAlone, skipped } from '../checks.ts';
import { callFor, callUntilUsed, noErrors, type Replicas, startReplicas, withoutRedis } from '../redis/replicas.ts';
import type { FaultRun, Scenario } from '../scenario.ts';

const nft = outsideProgram('nft');

const ADDRESSES = { full: 500, short: 5 };
const CALLS_PER_SECOND = { full: 1_100, short: 200 };
const QUIET_MS = { full: 10_000, short: 500 };
/** How long the fault lasts after the replica of the master has taken over. */
const LONGER_MS = { full: 6_000, short: 500 };
const MAX_ADDED_MS = 50;

interface Fault {
  readonly name: string;
  readonly begin: (master: RedisServer) => unknown;
  readonly end: (master: RedisServer) => unknown;
}

const KILLED: Fault = { name: 'killed', begin: (master) => master.kill(), end: (master) => master.start() };
const PAUSED: Fault = {
  name: 'paused',
  begin: (master) => master.signal('SIGSTOP'),
  end: (master) => master.signal('SIGCONT'),
};
const CUT_OFF: Fault = { name: 'cut off', begin: (master) => master.cutOff(), end: (master) => master.reconnect() };
const FAULTS = { full: [KILLED, PAUSED, CUT_OFF], short: [PAUSED] };

export const redisLostMaster: Scenario = {
  name: 'redis-lost-master',
  promise:
    'While a master of the Redis Cluster is killed, paused or cut off, and when it returns, clients see no error, and each replica holds the limit.',
  run: runLostMaster,
};

async function runLostMaster(run: FaultRun) {
  const missing = withoutRedis();
  if (missing !== undefined) return missing;
  const { scale } = run;
  const cluster = await startRedisCluster(run);
  const load = { addresses: ADDRESSES[scale], callsPerSecond: CALLS_PER_SECOND[scale] };
  const replicas = await startReplicas(run, ['--redis', cluster.urls, '--redis-mode', 'cluster'], load);
  const { calls } = replicas;
  await callFor(calls, QUIET_MS[scale]);
  const quiet = summarize(calls.takeLatencies()).p99;
  const checks: Check[] = [figure('p99 without a fault', formatMs(quiet))];
  for (const fault of FAULTS[scale]) checks.push(...(await runFault(run, fault, { cluster, replicas, quiet })));
  return [
    figure(
      'calls',
      `${formatCount(calls.sent)} of ${load.addresses} addresses, ${formatCount(calls.acceptedCount)} accepted`,
    ),
    ...checks,
    noErrors(scale, calls),
    exactly('addresses with a window of more than 60 calls accepted by one replica', calls.overLimitOfOneReplica(), 0),
  ];
}

interface FaultContext {
  readonly cluster: RedisCluster;
  readonly replicas: Replicas;
  /** The 99th percentile of latencies without a fault. */
  readonly quiet: number;
}

async function runFault(run: FaultRun, fault: Fault, { cluster, replicas, quiet }: FaultContext): Promise<Check[]> {
  const { calls } = replicas;
  if (fault === CUT_OFF && nft.skip !== false) return [skipped('a master is cut off', nft.skip)];
  if (fault === CUT_OFF && process.getuid?.() !== 0) return [skipped('a master is cut off', 'only root can do that')];
  await cluster.untilComplete();
  const master = await cluster.masterOf('toponym:{limits0}:x');
  run.after(() => Promise.resolve(fault.end(master)).catch(() => {}));
  calls.takeLatencies();
  await fault.begin(master);
  await callUntilUsed(replicas, false);
  const outageMs = await callUntilUsed(replicas, true);
  await callFor(calls, LONGER_MS[run.scale]);
  await fault.end(master);
  await callFor(calls, LONGER_MS[run.scale]);
  await callUntilUsed(replicas, true);
  const { p99 } = summarize(calls.takeLatencies());
  run.print(`a master was ${fault.name}: Redis back after ${formatSeconds(outageMs)}, p99 ${formatMs(p99)}`);
  return [
    figure(`a master is ${fault.name}: until all calls are counted in Redis again`, formatSeconds(outageMs)),
    ifAlone(
      run.scale,
      atMost(`a master is ${fault.name}: added to p99`, Math.max(0, p99 - quiet), MAX_ADDED_MS, formatMs),
    ),
  ];
}
