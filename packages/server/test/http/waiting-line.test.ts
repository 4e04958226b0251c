import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Waiting, WaitingLine } from '../../src/http/waiting-line.ts';

function aLine() {
  let nowMs = 0;
  const items = new WaitingLine<Waiting & { readonly number: number }>(() => nowMs);
  const line = {
    push: (number: number, sinceMs = nowMs) => items.push({ number, sinceMs }),
    take: () => items.take()?.number,
    takeOverdue: () => items.takeOverdue().map(({ number }) => number),
    get length() {
      return items.length;
    },
  };
  const wait = (ms: number) => {
    nowMs += ms;
  };
  return { line, wait };
}

test('items are served in the order in which they came', () => {
  const { line, wait } = aLine();
  for (let i = 0; i < 3000; i++) line.push(i);
  wait(500);
  assert.deepEqual(line.takeOverdue(), []);
  const served = Array.from({ length: 3000 }, () => line.take());
  assert.deepEqual(
    served,
    Array.from({ length: 3000 }, (_, i) => i),
  );
  assert.equal(line.take(), undefined);
  assert.equal(line.length, 0);
});

test('while the oldest has waited too long, the newest are served and a few of the oldest are given up', () => {
  const { line, wait } = aLine();
  for (let i = 0; i < 10; i++) line.push(i);
  wait(501);
  line.push(10);
  assert.deepEqual(line.takeOverdue(), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.equal(line.take(), 10);
  assert.deepEqual(line.takeOverdue(), [8, 9]);
  assert.deepEqual(line.takeOverdue(), []);
  line.push(11);
  line.push(12);
  assert.equal(line.take(), 11, 'first come, first served again');
  assert.equal(line.length, 1);
});

test('an item that has waited before is served, and given up, by the time of its whole wait', () => {
  const { line, wait } = aLine();
  wait(1000);
  line.push(1);
  line.push(2);
  line.push(0, 600);
  wait(150);
  assert.deepEqual(line.takeOverdue(), [0]);
  assert.equal(line.take(), 1);
  line.push(0, 900);
  assert.equal(line.take(), 0);
});
