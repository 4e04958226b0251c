/** The master that sentinels watch is killed, and its replica becomes the master. */
import { formatCount } from '../../bench/report.ts';
import { SENTINEL_MASTER, startSentinels } from '../../test/support/redis.ts';
import { exactly, figure, formatSeconds } from '../checks.ts';
import { callFor, callUntilUsed, noErrors, startReplicas, withoutRedis } from '../redis/replicas.ts';
import type { FaultRun, Scenario } from '../scenario.ts';

const LOAD = { full: { addresses: 500, callsPerSecond: 1_000 }, short: { addresses: 5, callsPerSecond: 200 } };
const QUIET_MS = { full: 5_000, short: 500 };

export const redisFailover: Scenario = {
  name: 'redis-failover',
  promise:
    'When sentinels replace a lost master, clients see no error, each replica holds the limit, and the new master is used.',
  run: runFailover,
};

async function runFailover(run: FaultRun) {
  const missing = withoutRedis();
  if (missing !== undefined) return missing;
  const { master, replica, urls } = await startSentinels(run);
  const flags = ['--redis', urls, '--redis-mode', `sentinel:${SENTINEL_MASTER}`];
  const replicas = await startReplicas(run, flags, LOAD[run.scale]);
  const { calls } = replicas;
  await callFor(calls, QUIET_MS[run.scale]);
  await master.kill();
  await callUntilUsed(replicas, false);
  const outageMs = await callUntilUsed(replicas, true);
  await callFor(calls, QUIET_MS[run.scale]);
  const role = await replica.cli('ROLE');
  return [
    figure('calls', `${formatCount(calls.sent)}, ${formatCount(calls.acceptedCount)} accepted`),
    figure('until all calls are counted by the new master', formatSeconds(outageMs)),
    exactly('new masters', role.startsWith('master') ? 1 : 0, 1),
    noErrors(run.scale, calls),
    exactly('addresses with a window of more than 60 calls accepted by one replica', calls.overLimitOfOneReplica(), 0),
  ];
}
