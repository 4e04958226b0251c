import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Turn } from '../../src/http/turn.ts';
import { anApp } from './an-app.ts';
import { PARIS, tinyEngine } from './tiny-engine.ts';

test('what comes in one turn is made first, all of it, and then sent in the order it came', async () => {
  const log: string[] = [];
  const turn = new Turn<string, string>(
    (item) => {
      log.push(`make ${item}`);
      return item.toUpperCase();
    },
    (item, made) => log.push(`send ${item} as ${made}`),
  );
  turn.add('a');
  turn.add('b');
  assert.deepEqual(log, []);
  await nextTurn();
  assert.deepEqual(log, ['make a', 'make b', 'send a as A', 'send b as B']);
});

test('what comes while a turn ends waits for the next', async () => {
  const sent: number[][] = [[]];
  const turn = new Turn<number, number>(
    (item) => {
      if (item < 3) turn.add(item + 1);
      return item;
    },
    (item) => sent.at(-1)?.push(item),
  );
  turn.add(1);
  for (let i = 0; i < 3; i++) {
    await nextTurn();
    sent.push([]);
  }
  assert.deepEqual(sent, [[1], [2], [3], []]);
});

test('a request that fails leaves the others of its turn answered', async (t) => {
  const engine = tinyEngine([PARIS]);
  let calls = 0;
  const { post } = anApp(t, {
    engine: () => {
      calls++;
      if (calls === 2) throw new Error('out of order');
      return engine;
    },
  });
  const answers = await Promise.all([
    post('query', 'query=paris'),
    post('query', 'query=paris'),
    post('query', 'page=1'),
    post('query', 'query=paris'),
  ]);
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [200, 500, 400, 200],
  );
});
