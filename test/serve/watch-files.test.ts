import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLook } from '../../src/serve/watch-files.ts';

test('a file that changes is told once, after it has settled', () => {
  const states = ['1', '1', '2', '3', '3', '3', '', '', '4', '4', '4'];
  let at = 0;
  const look = createLook(['file'], () => states[at] ?? '4');
  const told: number[] = [];
  for (at = 1; at < states.length; at++) if (look()) told.push(at);
  assert.deepEqual(told, [4, 9]);
});

test('several files are watched apart', () => {
  const states = new Map([
    ['a', '1'],
    ['b', '1'],
  ]);
  const look = createLook(['a', 'b'], (path) => states.get(path) ?? '');
  states.set('b', '2');
  assert.deepEqual([look(), look(), look()], [false, true, false]);
});
