import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Allowance } from '../../../src/access/limits/sliding-log.ts';
import { NoReplyError } from '../../../src/access/redis/no-reply-error.ts';
import { defineScript, type RedisConnection } from '../../../src/access/redis/redis-connection.ts';
import { SharedCounter } from '../../../src/access/redis/shared-counter.ts';

const LOCAL: Allowance = { accepted: true, limit: 5, remaining: 0, resetMs: 0, retryAfterMs: 0 };
/** For three calls. The last number of each is in microseconds. */
const REPLY = ['', 1, 1, 7000, 1, 2, 7000, 0, 5, 7000];

/** A counter on a Redis that answers with `run`. Calls named `bad` cannot be decided. */
function aCounter(run: () => Promise<unknown>) {
  const connection = { run, send: () => Promise.resolve() } as unknown as RedisConnection;
  const counter = new SharedCounter<string>({
    connection,
    script: defineScript(''),
    namePrefixes: ['test:'],
    settle: (call, shared) => {
      if (call === 'bad') throw new Error('made to fail');
      return shared ?? LOCAL;
    },
    onChange: () => {},
  });
  const outcomes: string[] = [];
  const add = (call: string) => {
    const decide = (allowance: Allowance) => outcomes.push(allowance === LOCAL ? 'local' : `${allowance.accepted}`);
    counter.add({ call, name: call, limit: 5, args: ['5'], decide, fail: ({ message }) => outcomes.push(message) });
  };
  return { counter, outcomes, add };
}

test('a call whose decision throws fails alone', async () => {
  const { outcomes, add } = aCounter(() => Promise.resolve(REPLY));
  for (const call of ['a', 'bad', 'c']) add(call);
  await nextTick();
  assert.deepEqual(outcomes, ['true', 'made to fail', 'false']);
});

test('after a reply that makes no sense, each call is decided locally', async (context) => {
  const { counter, outcomes, add } = aCounter(() => Promise.resolve(null));
  context.after(() => counter.close());
  for (const call of ['a', 'b']) add(call);
  await nextTick();
  assert.deepEqual(outcomes, ['local', 'local']);
  assert.notEqual(counter.problem, '');
});

test('a call that has waited in vain is told so, unlike those after it that do not wait', async (context) => {
  const { counter } = aCounter(() => Promise.reject(new NoReplyError('gone')));
  context.after(() => counter.close());
  const haveWaited: boolean[] = [];
  const decide = (_: Allowance, hasWaitedInVain: boolean) => haveWaited.push(hasWaitedInVain);
  for (let i = 0; i < 2; i++) {
    counter.add({ call: 'a', name: 'a', limit: 5, args: ['5'], decide, fail: assert.fail });
    await nextTick();
  }
  assert.deepEqual(haveWaited, [true, false]);
});

test('round trips are the ticks whose calls were sent to Redis', async (context) => {
  let isDown = false;
  const { counter, add } = aCounter(() => (isDown ? Promise.reject(new NoReplyError('gone')) : Promise.resolve(REPLY)));
  context.after(() => counter.close());
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
