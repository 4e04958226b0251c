/** Two replicas count calls together in a Redis Cluster of six servers. */
import { formatCount } from '../../bench/report.ts';
import { decidedLocally, startRedisCluster } from '../../test/support/redis.ts';
import { exactly, figure } from '../checks.ts';
import { noErrors, startReplicas, withoutRedis } from '../redis/replicas.ts';
import type { FaultRun, Scenario } from '../scenario.ts';

const CALLS = { full: 100_000, short: 1_000 };
const ADDRESSES = { full: 500, short: 8 };
const CALLS_PER_SECOND = { full: 1_100, short: 500 };

export const redisLimits: Scenario = {
  name: 'redis-limits',
  promise:
    'Two replicas on a Redis Cluster apply one limit: no window has more than 60 calls, and no call is refused wrongly.',
  run: runLimits,
};

async function runLimits(run: FaultRun) {
  const missing = withoutRedis();
  if (missing !== undefined) return missing;
  const { scale } = run;
  const cluster = await startRedisCluster(run);
  const load = { addresses: ADDRESSES[scale], callsPerSecond: CALLS_PER_SECOND[scale] };
  const { calls, services } = await startReplicas(run, ['--redis', cluster.urls, '--redis-mode', 'cluster'], load);
  let printed = 0;
  await calls.runUntil(() => {
    if (calls.sent >= printed + CALLS[scale] / 5) {
      printed = calls.sent;
      run.print(`${formatCount(calls.sent)} calls`);
    }
    return calls.sent >= CALLS[scale];
  });
  const local = await decidedLocally(services);
  return [
    figure(
      'calls',
      `${formatCount(calls.sent)} of ${load.addresses} addresses, ${formatCount(calls.acceptedCount)} accepted`,
    ),
    // beside other tests Redis may be late, and then each replica decides on its own
    figure('calls that a replica decided on its own, because Redis was late', formatCount(local)),
    ...(scale === 'full' || local === 0
      ? [exactly('addresses with a window of more than 60 accepted calls', calls.overLimit(), 0)]
      : []),
    // a replica that has too little time may have counted a call before it sends 503
    ...(scale === 'full' || calls.overloaded === 0
      ? [exactly('calls refused wrongly', calls.wrongfulRefusals(), 0)]
      : []),
    noErrors(scale, calls),
  ];
}
