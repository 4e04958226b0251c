import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IdSet } from '../../src/collections/id-set.ts';
import { seededRandom } from '../support/seeded-random.ts';

test('an id set knows the same ids as a Set', () => {
  const random = seededRandom(5);
  const ids = new IdSet();
  const plain = new Set<number>();
  for (let round = 0; round < 20_000; round++) {
    const id = random(2) === 0 ? random(10_000) : random(64) * 2 ** 34 + random(100);
    assert.equal(ids.add(id), !plain.has(id));
    plain.add(id);
  }
});

test('ids at the edges of a page are distinct', () => {
  const ids = new IdSet();
  const edges = [0, 7, 8, 65_535, 65_536, 65_543, 2 ** 40 - 1];
  assert.deepEqual(
    [...edges, ...edges].map((id) => ids.add(id)),
    [...edges.map(() => true), ...edges.map(() => false)],
  );
});
