import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import { TopCandidates } from '../../src/rank/top-candidates.ts';

test('the best candidates stay, each place once with its best score, as if all offers were sorted', () => {
  const random = seededRandom(1);
  const top = new TopCandidates(26);
  for (let round = 0; round < 500; round++) {
    const capacity = 1 + random(26);
    top.clear(capacity);
    const best = new Map<number, number>();
    for (let i = random(200); i > 0; i--) {
      // many places share their last bits, and many are offered repeatedly
      const place = random(40) * (random(2) === 0 ? 1 : 256);
      const score = random(30) / 10;
      top.offer(place, score);
      best.set(place, Math.max(best.get(place) ?? 0, score));
    }
    const expected = [...best].sort(([a, x], [b, y]) => y - x || a - b).slice(0, capacity);
    const scores = (candidates: readonly (readonly [number, number])[]) => candidates.map(([, score]) => score);
    const found = Array.from(top.order.subarray(0, top.count), (slot) => [top.place[slot]!, top.score[slot]!] as const);
    assert.deepEqual(scores(found), scores(expected));
    for (const [place, score] of found) assert.equal(best.get(place), score);
    assert.equal(new Set(found.map(([place]) => place)).size, found.length);
  }
});

test('equal scores are ordered by place id, and one equal to the last of a full list does not get in', () => {
  const top = new TopCandidates(2);
  top.clear(2);
  for (const place of [5, 3, 1]) top.offer(place, 1);
  assert.deepEqual(
    Array.from(top.order, (slot) => top.place[slot]),
    [3, 5],
  );
});

test('a place that gets the slot of another is found in it, and the other is gone', () => {
  const top = new TopCandidates(4);
  top.clear(4);
  const slot = top.offer(7, 1);
  top.reassignSlot(slot, 263);
  assert.deepEqual([top.slotOf(263), top.slotOf(7)], [slot, -1]);
  assert.equal(top.offer(263, 0.5), -1);
  assert.notEqual(top.offer(7, 0.5), -1);
});

test('a list whose capacity is lowered keeps its candidates and admits no more than the new capacity', () => {
  const top = new TopCandidates(6);
  top.clear(6);
  for (const place of [1, 2, 3]) top.offer(place, place);
  top.lowerCapacity(4);
  for (const place of [4, 5]) top.offer(place, place);
  assert.deepEqual([top.count, top.threshold], [4, 2]);
  top.lowerCapacity(2);
  assert.equal(top.offer(6, 1.5), -1);
  top.offer(7, 7);
  assert.deepEqual([top.count, top.threshold], [4, 3]);
});
