import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { type CountedCall, RedisCounter } from '../../src/limits/redis-counter.ts';
import { defineScript, type RedisConnection } from '../../src/redis/redis-connection.ts';
import { NoReplyError, RedisGuard } from '../../src/redis/redis-guard.ts';

/** For three calls. The last number of each is in microseconds. */
const REPLY = ['', 1, 1, 7000, 1, 2, 7000, 0, 5, 7000];

/** A counter on a Redis that answers with `run`, probes too. Calls named `bad` cannot be settled. */
function aCounter(t: TestContext, run: () => Promise<unknown>) {
  const guard = new RedisGuard({ probe: run, renew: () => {}, onChange: () => {} });
  t.after(() => guard.close());
  const connection = { run, guard: () => guard } as unknown as RedisConnection;
  const counter = new RedisCounter({ connection, script: defineScript(''), namePrefixes: ['test:'] });
  const outcomes: string[] = [];
  const haveWaited: boolean[] = [];
  const add = (name: string) => {
    const settle: CountedCall['settle'] = (shared, gaveUpOnRedis) => {
      if (name === 'bad') throw new Error('made to fail');
      outcomes.push(shared === undefined ? 'local' : `${shared.accepted}`);
      haveWaited.push(gaveUpOnRedis);
    };
    counter.add({ name, limit: 5, args: ['5'], settle, fail: ({ message }) => outcomes.push(message) });
  };
  return { counter, guard, outcomes, haveWaited, add };
}

test('a call whose decision throws fails alone', async (t) => {
  const { outcomes, add } = aCounter(t, () => Promise.resolve(REPLY));
  for (const call of ['a', 'bad', 'c']) add(call);
  await nextTick();
  assert.deepEqual(outcomes, ['true', 'made to fail', 'false']);
});

test('after a reply that makes no sense, each call is decided locally', async (t) => {
  const { guard, outcomes, add } = aCounter(t, () => Promise.resolve(null));
  for (const call of ['a', 'b']) add(call);
  await nextTick();
  assert.deepEqual(outcomes, ['local', 'local']);
  assert.notEqual(guard.problem, '');
});

test('a call that has waited in vain is told so, unlike those after it that do not wait', async (t) => {
  const { haveWaited, add } = aCounter(t, () => Promise.reject(new NoReplyError('gone')));
  for (let i = 0; i < 2; i++) {
    add('a');
    await nextTick();
  }
  assert.deepEqual(haveWaited, [true, false]);
});

test('round trips are the ticks whose calls were sent to Redis', async (t) => {
  let isDown = false;
  const run = () => (isDown ? Promise.reject(new NoReplyError('gone')) : Promise.resolve(REPLY));
  const { counter, add } = aCounter(t, run);
  const tick = async () => {
    for (let i = 0; i < 3; i++) add('a');
    await nextTick();
  };
  await tick();
  await tick();
  assert.deepEqual(counter.counts, { roundTrips: 2, decidedLocally: 0 });
  isDown = true;
  for (let i = 0; i < 10; i++) await tick();
  assert.deepEqual(counter.counts, { roundTrips: 3, decidedLocally: 30 });
});
