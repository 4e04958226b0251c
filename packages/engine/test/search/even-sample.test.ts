import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import { countEvenly } from '../../src/search/match-counter.ts';

test('if there are few matches, every item is read once and the count is exact', () => {
  for (const length of [1, 2, 3, 4, 7, 64, 1000, 4096]) {
    const read: number[] = [];
    const count = countEvenly(length, (item) => {
      read.push(item);
      return item % 64 === 0;
    });
    assert.deepEqual(count, { total: Math.ceil(length / 64), isExact: true });
    assert.equal(new Set(read).size, length);
    assert.equal(read.length, length);
  }
});

test('if there are many matches, a part of the items is read, from all sides', () => {
  const read: number[] = [];
  const { total, isExact } = countEvenly(100_000, (item) => {
    read.push(item);
    return item < 50_000;
  });
  assert.equal(isExact, false);
  assert.ok(read.length < 1000, `${read.length} items were read`);
  assert.ok(Math.abs(total - 50_000) < 1000, `${total}`);
});

test('estimates are close to the truth for random matches of any share', () => {
  const random = seededRandom(5);
  for (const share of [2, 5, 10, 30, 100]) {
    const items = Array.from({ length: 40_000 }, () => random(share) === 0);
    const truth = items.filter(Boolean).length;
    const { total } = countEvenly(items.length, (item) => items[item]!);
    assert.ok(Math.abs(total - truth) < 0.2 * truth, `${total} instead of ${truth}`);
  }
});

test('no more than 65,536 items are read, however rare matches are', () => {
  let read = 0;
  const count = countEvenly(1_000_000, () => {
    read++;
    return false;
  });
  assert.deepEqual([count, read], [{ total: 0, isExact: false }, 65_536]);
});

test('the more matches are known from elsewhere, the fewer items are read', () => {
  const reads = [0, 100, 10_000].map((knownTotal) => {
    let read = 0;
    const isMatch = (item: number) => {
      read++;
      return item % 10 === 0;
    };
    countEvenly(10_000, isMatch, { knownTotal });
    return read;
  });
  const [none = 0, some = 0, many = 0] = reads;
  assert.ok(many < some && some < none && many < 20, `${reads}`);
});
