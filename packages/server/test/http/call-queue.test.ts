import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { CallQueue } from '../../src/http/call-queue.ts';
import { anApp, appEngine } from './an-app.ts';

interface TestCall {
  readonly name: string;
  readonly connection: object;
  /** How long computing its response takes, on the test's clock. */
  readonly takesMs: number;
  readonly sinceMs: number;
}

/** A queue that logs what it does, on a clock that only computing moves. */
function aQueue() {
  const log: string[] = [];
  let nowMs = 0;
  const queue = new CallQueue<TestCall, string>({
    connectionOf: ({ connection }) => connection,
    compute: ({ name, takesMs }) => {
      nowMs += takesMs;
      log.push(`compute ${name}`);
      return name;
    },
    giveUp: ({ name }) => {
      log.push(`give up ${name}`);
      return '';
    },
    send: ({ name }) => log.push(`send ${name}`),
    now: () => nowMs,
  });
  const add = (name: string, connection: object = {}, takesMs = 0) =>
    queue.add({ name, connection, takesMs, sinceMs: nowMs });
  const sent = () => log.filter((line) => line.startsWith('send ')).map((line) => line.slice('send '.length));
  const wait = (ms: number) => {
    nowMs += ms;
  };
  return { add, log, sent, wait };
}

test('calls of one tick are all computed before their responses are sent, in order', async () => {
  const { add, log } = aQueue();
  add('a');
  add('b');
  assert.deepEqual(log, []);
  await nextTick();
  assert.deepEqual(log, ['compute a', 'compute b', 'send a', 'send b']);
});

test('slow calls yield to the event loop, and the rest is answered in order, tick by tick', async () => {
  const { add, sent } = aQueue();
  for (const name of ['a', 'b', 'c']) add(name, {}, 20);
  await nextTick();
  assert.deepEqual(sent(), ['a']);
  add('d');
  await nextTick();
  assert.deepEqual(sent(), ['a', 'b']);
  await nextTick();
  await nextTick();
  assert.deepEqual(sent(), ['a', 'b', 'c', 'd']);
});

test('a connection with slow calls gets one response per tick, after everybody else', async () => {
  const { add, sent } = aQueue();
  const slow = {};
  for (let i = 1; i <= 4; i++) add(`slow ${i}`, slow, 20);
  await nextTick();
  assert.deepEqual(sent(), ['slow 1']);
  add('quick 1');
  add('quick 2');
  await nextTick();
  assert.deepEqual(sent(), ['slow 1', 'quick 1', 'quick 2', 'slow 2']);
  add('quick 3');
  await nextTick();
  assert.deepEqual(sent().slice(4), ['quick 3', 'slow 3']);
  await nextTick();
  assert.deepEqual(sent().slice(6), ['slow 4']);
});

test("a connection's calls have normal priority again a second after a slow one", async () => {
  const { add, sent, wait } = aQueue();
  const connection = {};
  add('slow', connection, 20);
  await nextTick();
  wait(2000);
  add('before', connection);
  add('after');
  await nextTick();
  assert.deepEqual(sent(), ['slow', 'before', 'after']);
});

test('a hundred calls of one tick are all answered', async () => {
  const { add, sent } = aQueue();
  const names = Array.from({ length: 100 }, (_, i) => `call ${i}`);
  for (const name of names) add(name);
  await nextTick();
  assert.deepEqual(sent(), names);
});

test('a call that fails does not affect the others of its batch', async (t) => {
  let calls = 0;
  const { post } = anApp(t, {
    engine: () => {
      calls++;
      if (calls === 2) throw new Error('out of order');
      return appEngine;
    },
  });
  const responses = await Promise.all([
    post('query', 'query=paris'),
    post('query', 'query=paris'),
    post('query', 'query=paris'),
    post('query', 'page=1'),
  ]);
  assert.deepEqual(responses.map(({ statusCode }) => statusCode).sort(), [200, 200, 400, 500]);
});

test('calls that have waited too long are given up, a few per tick, and the newest are answered', async () => {
  const { add, log, sent, wait } = aQueue();
  add('slow', {}, 600);
  for (let i = 0; i < 20; i++) add(`old ${i}`);
  await nextTick();
  add('new');
  wait(1);
  await nextTick();
  const givenUp = log.filter((line) => line.startsWith('give up '));
  assert.deepEqual(
    givenUp,
    Array.from({ length: 8 }, (_, i) => `give up old ${i}`),
  );
  assert.deepEqual(sent().slice(0, 11), ['slow', ...Array.from({ length: 8 }, (_, i) => `old ${i}`), 'new', 'old 19']);
});

test('a call of a slow connection is given up as soon as a call of any other', async () => {
  const { add, log, sent } = aQueue();
  const slow = {};
  add('slow', slow, 20);
  await nextTick();
  for (let i = 0; i < 6; i++) add(`other ${i}`, {}, 60);
  for (let i = 0; i < 6; i++) add(`deferred ${i}`, slow, 60);
  while (sent().length < 13) await nextTick();
  const givenUp = log.filter((line) => line.startsWith('give up '));
  assert.deepEqual(givenUp, ['give up deferred 3', 'give up deferred 4', 'give up deferred 5']);
});
