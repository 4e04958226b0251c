import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { NoReplyError, RedisGuard, RedisWait } from '../../src/redis/redis-guard.ts';

/** Longer than any pause between two probes, and the time limit of a probe. */
const NEXT_PROBE_MS = 2_100;

/** A guard on a clock that `wait` moves. `probe` is what its probes do. */
function aGuard({ mock }: TestContext) {
  mock.timers.enable({ apis: ['setTimeout'] });
  const clock = { nowMs: 0, activeMs: 0 };
  mock.method(performance, 'now', () => clock.nowMs);
  mock.method(performance, 'eventLoopUtilization', () => ({ idle: 0, active: clock.activeMs, utilization: 0 }));
  const seen = { probes: 0, renewals: 0, problems: [] as string[] };
  const server: { probe: () => Promise<unknown> } = { probe: () => never() };
  const guard = new RedisGuard({
    probe: () => {
      seen.probes++;
      return server.probe();
    },
    renew: () => {
      seen.renewals++;
    },
    onChange: () => seen.problems.push(guard.problem),
  });
  const wait = async (ms: number) => {
    // steps, because a timer may start another
    for (let waitedMs = 0; waitedMs < ms; waitedMs += 5) {
      clock.nowMs += 5;
      mock.timers.tick(5);
      await nextTick();
    }
  };
  return { guard, seen, server, wait, clock };
}

function never(): Promise<never> {
  return new Promise(() => {});
}

function afterMs(ms: number): Promise<string> {
  return new Promise((resolve) => setTimeout(() => resolve('reply'), ms));
}

test('a reply in time is returned; after 40 ms without a reply, Redis is not asked again', async (context) => {
  const { guard, seen, wait } = aGuard(context);
  const attempts = [guard.attempt(() => afterMs(35)), guard.attempt(never)];
  await wait(45);
  assert.deepEqual(await Promise.all(attempts), ['reply', undefined]);
  assert.deepEqual(seen.problems, ['no reply within 40 ms']);
  assert.equal(await guard.attempt(() => assert.fail('Redis was asked')), undefined);
});

test('a turn of the event loop that lasts long uses up only a part of the wait', async (context) => {
  const { guard, seen } = aGuard(context);
  const busyTurn = async () => {
    context.mock.timers.tick(60);
    await nextTick();
  };
  const inThreeTurns = async () => {
    for (let turn = 0; turn < 3; turn++) await nextTick();
    return 'reply';
  };
  const attempts = [guard.attempt(inThreeTurns), guard.attempt(never)];
  for (let turn = 0; turn < 4; turn++) await busyTurn();
  assert.deepEqual(await Promise.all(attempts), ['reply', undefined]);
  assert.deepEqual(seen.problems, ['no reply within 40 ms']);
});

test('a wait that is stopped in its last tick does not end', async ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  mock.method(performance, 'eventLoopUtilization', () => ({ active: 0 }));
  const ended: string[] = [];
  const waits = ['complete', 'stopped'].map((name) => {
    const wait = new RedisWait();
    void wait.over.then(() => ended.push(name));
    return wait;
  });
  for (let step = 0; step < 4; step++) {
    mock.timers.tick(10);
    if (step === 3) waits[1]?.stop();
    await nextTick();
  }
  assert.deepEqual(ended, ['complete']);
});

test('steps in which this thread is busy do not count, up to 300 ms', async (context) => {
  const { guard, seen, clock } = aGuard(context);
  clock.activeMs = 25;
  const busyStep = async () => {
    clock.nowMs += 30;
    context.mock.timers.tick(30);
    await nextTick();
  };
  const attempt = guard.attempt(never);
  for (let step = 0; step < 12; step++) await busyStep();
  assert.deepEqual(seen.problems, []);
  await busyStep();
  assert.equal(await attempt, undefined);
  assert.deepEqual(seen.problems, ['no reply within 40 ms']);
});

test('after one late reply, Redis is asked again at once', async (context) => {
  const { guard, seen, wait } = aGuard(context);
  for (let i = 0; i < 3; i++) {
    const late = guard.attempt(() => afterMs(45));
    await wait(50);
    assert.equal(await late, undefined);
    const early = guard.attempt(() => afterMs(5));
    await wait(5);
    assert.equal(await early, 'reply');
  }
  assert.deepEqual(seen, {
    probes: 0,
    renewals: 0,
    problems: Array.from({ length: 3 }, () => ['no reply within 40 ms', '']).flat(),
  });
});

test('a server that is always late is probed ever less often, and does not come and go', async (context) => {
  const { guard, seen, server, wait } = aGuard(context);
  server.probe = () => afterMs(45);
  for (let i = 0; i < 2000; i++) {
    void guard.attempt(() => afterMs(45));
    await wait(5);
  }
  assert.deepEqual(seen.problems, ['no reply within 40 ms', '', 'no reply within 40 ms']);
  assert.ok(seen.probes >= 6 && seen.probes <= 15, `${seen.probes} probes in 10 s`);
  assert.ok(seen.renewals <= 3, `${seen.renewals} renewals in 10 s`);
});

test('the connection is replaced after every fourth probe without a reply', async (context) => {
  const { guard, seen, server, wait } = aGuard(context);
  server.probe = () => Promise.reject(new NoReplyError('the connection is closed'));
  void guard.attempt(() => Promise.reject(new NoReplyError('the connection was closed')));
  await nextTick();
  const renewals: number[] = [];
  while (seen.probes < 12) {
    await wait(5);
    if (seen.renewals > renewals.length) renewals.push(seen.probes);
  }
  assert.deepEqual(renewals, [4, 8, 12]);
  assert.equal(guard.problem, 'the connection is closed');
  server.probe = () => Promise.resolve();
  await wait(NEXT_PROBE_MS);
  assert.deepEqual(seen.problems, ['the connection was closed', '']);
  assert.equal(guard.isInUse, true);
});

test('a server that replies with errors is still asked, and its connection is kept', async (context) => {
  const { guard, seen, server, wait } = aGuard(context);
  server.probe = () => Promise.reject(new Error('OOM'));
  assert.equal(await guard.attempt(() => Promise.reject(new Error('ERR'))), undefined);
  guard.report('OOM');
  await wait(10 * NEXT_PROBE_MS);
  assert.equal(await guard.attempt(() => Promise.resolve('reply')), 'reply');
  assert.ok(seen.probes >= 10);
  assert.equal(seen.renewals, 0);
  assert.deepEqual(seen.problems, ['ERR']);
  server.probe = () => Promise.resolve();
  await wait(NEXT_PROBE_MS);
  assert.deepEqual(seen.problems, ['ERR', '']);
});

test('after a time without replies, an error reply to a probe lets Redis be asked again', async (context) => {
  const { guard, server, wait } = aGuard(context);
  server.probe = () => Promise.reject(new Error('OOM'));
  void guard.attempt(never);
  await wait(45);
  assert.equal(guard.isInUse, false);
  await wait(NEXT_PROBE_MS);
  assert.equal(guard.isInUse, true);
  assert.equal(guard.problem, 'OOM');
});

test('a closed guard neither reports nor probes', async (context) => {
  const { guard, seen, server, wait } = aGuard(context);
  void guard.attempt(() => afterMs(45));
  await wait(40);
  server.probe = () => Promise.resolve();
  guard.close();
  guard.report('closed');
  await wait(NEXT_PROBE_MS);
  assert.deepEqual(seen, { probes: 0, renewals: 0, problems: ['no reply within 40 ms'] });
});
