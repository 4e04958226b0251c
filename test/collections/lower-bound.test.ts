import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexInSorted, lowerBound } from '../../src/collections/lower-bound.ts';
import { seededRandom } from '../support/seeded-random.ts';

test('binary search finds the same index as a linear search', () => {
  const random = seededRandom(2);
  for (let round = 0; round < 2_000; round++) {
    const sorted = Float64Array.from({ length: random(40) }, () => random(30)).sort();
    const value = random(32) - 1;
    const firstNotBelow = sorted.findIndex((item) => item >= value);
    const expected = firstNotBelow === -1 ? sorted.length : firstNotBelow;
    assert.equal(
      lowerBound(sorted.length, (i) => (sorted[i] as number) < value),
      expected,
    );
    assert.equal(indexInSorted(sorted, value), sorted.indexOf(value));
  }
});

test('an empty range has its lower bound at 0', () => {
  assert.equal(
    lowerBound(0, () => assert.fail('there is nothing to compare')),
    0,
  );
});
