import assert from 'node:assert/strict';
import { test } from 'node:test';
import { medianOfThree } from '../../src/collections/median.ts';

test('the median of three numbers is the second of them when sorted', () => {
  for (const a of [1, 2, 3]) {
    for (const b of [1, 2, 3]) {
      for (const c of [1, 2, 3]) assert.equal(medianOfThree(a, b, c), [a, b, c].sort()[1]);
    }
  }
});
