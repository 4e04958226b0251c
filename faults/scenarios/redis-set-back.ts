/** Redis crashes and returns with its last snapshot, which lacks a revocation and the calls of a quota. */
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../test/support/deadline.ts';
import { startRedis } from '../../test/support/redis.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import { behaves, exactly } from '../checks.ts';
import { sentCall } from '../http/sent-call.ts';
import { withoutRedis } from '../redis/replicas.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { createKey, runCommand, startService } from '../service.ts';

const ROUNDS = { full: 6, short: 2 };
/** How long clients call after Redis has returned. */
const CALL_MS = { full: 5_000, short: 2_000 };
const PAUSE_MS = 20;
/** In this time all threads read a revocation, or write it back. */
const READ_MS = 2_500;
const QUOTA = 20;

export const redisSetBack: Scenario = {
  name: 'redis-set-back',
  promise:
    'When Redis crashes and returns with its last snapshot, revoked keys stay revoked and used-up quotas stay used up: the replicas give Redis back what it has lost.',
  run: runSetBack,
};

async function runSetBack(run: FaultRun) {
  const missing = withoutRedis();
  if (missing !== undefined) return missing;
  const redis = await startRedis(run);
  const args = ['--redis', redis.url, '--log-level', 'warn'];
  const services = [await startService(run, { args }), await startService(run, { args })];
  let accepted = 0;
  let calls = 0;
  let notRestored = 0;
  for (let round = 0; round < ROUNDS[run.scale]; round++) {
    const leaked = await createKey(run, services[0]!, ['--redis', redis.url]);
    const limited = await createKey(run, services[0]!, ['--redis', redis.url, '--per-day', String(QUOTA)]);
    await untilStatus(services, leaked.key, 200);
    await redis.cli('SAVE');
    await runCommand(run, ['keys', 'revoke', leaked.id, '--redis', redis.url]);
    await untilStatus(services, leaked.key, 403);
    await untilStatus(services, limited.key, 429);
    // in every second round, some threads have not read the revocation when Redis crashes
    const isReadByAll = round % 2 === 0;
    if (isReadByAll) await delay(READ_MS);
    await redis.kill();
    await redis.start();
    if (!isReadByAll) await delay(READ_MS);
    const endMs = performance.now() + CALL_MS[run.scale];
    while (performance.now() < endMs) {
      for (const service of services) {
        for (const { key } of [leaked, limited]) {
          calls++;
          if ((await sentCall(service, key)).status === 200) accepted++;
        }
      }
      await delay(PAUSE_MS);
    }
    const revocation = await redis.cli('HGET', 'toponym:{keys}:revoked', leaked.id);
    const quota = await redis.cli('HGET', `toponym:{quotas}:${limited.id}`, 'calls');
    if (revocation === '' || Number(quota) < QUOTA) notRestored++;
    run.print(`round ${round + 1}: ${calls} calls, ${accepted} accepted; Redis has ${quota} calls of the quota again`);
  }
  const logged = services.filter((service) => service.log().includes('Redis has lost revocations of keys')).length;
  return [
    exactly(`accepted calls of ${calls} with a revoked key or a used-up quota`, accepted, 0),
    exactly('crashes after which Redis did not get back what it had lost', notRestored, 0),
    behaves('the log names the keys', 'a line of a replica', logged > 0 ? undefined : 'no line'),
  ];
}

/** Calls each replica until it answers with this status. */
async function untilStatus(services: readonly RunningService[], key: string, status: number): Promise<void> {
  for (const service of services) {
    await waitUntil(`status ${status}`, async () => (await sentCall(service, key)).status === status);
  }
}
