/** Jumps of the wall clock by an hour in both directions, with Debian's libfaketime. */
import assert from 'node:assert/strict';
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../../test/support/deadline.ts';
import { outsideProgram } from '../../test/support/outside-programs.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { behaves, type Check, exactly, problemOf, skipped } from '../checks.ts';
import { SteadyLoad } from '../http/steady-load.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { createKey, startService } from '../service.ts';

/** One library for programs with threads, in a folder named for the processor. */
const LIBRARIES = '/usr/lib/*/faketime/libfaketimeMT.so.1';
const HOUR_S = 3600;
const HALF_HOUR_MS = 1_800_000;
const LIMIT = 10;
const WINDOW_S = 60;

export const clockJumps: Scenario = {
  name: 'clock-jumps',
  promise:
    'If the clock jumps by an hour, calls and rate limits go on as before, and keys expire by the time that the clock shows.',
  run: runJumps,
};

async function runJumps(run: FaultRun): Promise<readonly Check[]> {
  const { skip } = outsideProgram('faketime');
  if (skip !== false) return [skipped('jumps of the clock', skip)];
  const [library] = globSync(LIBRARIES);
  if (library === undefined) return [skipped('jumps of the clock', `there is no ${LIBRARIES}`)];
  const clock = createClock(run, library);
  const service = await startService(run, { env: clock.env, args: ['--log-level', 'warn'] });
  const steady = await createKey(run, service);
  const expires = new Date(Date.now() + HALF_HOUR_MS).toISOString();
  const expiring = await createKey(run, service, ['--expires', expires]);
  const limited = await createKey(run, service, ['--per-minute', String(LIMIT)]);
  for (let i = 0; i < LIMIT; i++) await statusOf(service, limited.key);
  const keys = { limited: limited.key, expiring: expiring.key };
  const load = new SteadyLoad(service, steady.key, run.scale);
  run.after(() => load.stop());
  await assertState(service, keys, 200);
  const checks: Check[] = [];
  for (const { seconds, title, status } of JUMPS) {
    const problem = await problemOf(async () => {
      await clock.jumpTo(service, seconds);
      await assertState(service, keys, status);
    });
    checks.push(
      behaves(
        title,
        `a blocked address stays blocked, and a key that expires in 30 minutes ${status === 200 ? 'works' : 'is refused'}`,
        problem,
      ),
    );
  }
  await load.stop();
  checks.push(exactly('calls that failed meanwhile', load.failures, 0));
  checks.push(exactly('threads that failed', service.log().split('a thread exited').length - 1, 0));
  return checks;
}

/** From the real time. */
const JUMPS = [
  { seconds: HOUR_S, title: 'one hour forward', status: 403 },
  { seconds: -HOUR_S, title: 'two hours back, to one hour before the real time', status: 200 },
];

function createClock(run: FaultRun, library: string) {
  const file = join(temporaryFolder(run), 'faketime');
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  set(0);
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1', // no jump changes this clock
    },
    /** Returns when the service shows the new time. */
    async jumpTo(service: RunningService, seconds: number): Promise<void> {
      set(seconds);
      await waitUntil(`the clock of the service is ${seconds} s ahead`, async () => {
        const { headers } = await service.call('/healthz', { method: 'GET' });
        return Math.abs(Date.parse(String(headers.date)) - Date.now() - seconds * 1000) < 60_000;
      });
    },
  };
}

interface Keys {
  /** Its limit is used up. */
  readonly limited: string;
  readonly expiring: string;
}

async function assertState(service: RunningService, keys: Keys, expiringStatus: number): Promise<void> {
  const { status, headers } = await service.call('/api/1/query', { form: { query: 'par' }, key: keys.limited });
  assert.equal(status, 429, `a blocked address got ${status}`);
  assert.ok(Number(headers['retry-after']) <= WINDOW_S, `a blocked address must wait ${headers['retry-after']} s`);
  const found = await statusOf(service, keys.expiring);
  assert.equal(found, expiringStatus, `the key that expires got ${found}`);
}

async function statusOf(service: RunningService, key: string): Promise<number> {
  return (await service.call('/api/1/query', { form: { query: 'par' }, key })).status;
}
