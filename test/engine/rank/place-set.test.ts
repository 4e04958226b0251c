import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlaceSet } from '../../../src/engine/rank/place-set.ts';
import { seededRandom } from '../../support/seeded-random.ts';

test('a place set holds the same places as a Set, at any size, and is empty after clear', () => {
  const random = seededRandom(7);
  const places = new PlaceSet();
  for (const size of [10, 5000, 100, 20_000]) {
    places.clear();
    const expected = new Set<number>();
    for (let i = 0; i < size; i++) {
      const place = random(size);
      assert.equal(places.add(place), !expected.has(place));
      expected.add(place);
    }
  }
});

test('a new set can be used without clearing it first', () => {
  const places = new PlaceSet();
  assert.equal(places.add(0), true);
  assert.equal(places.add(0), false);
  assert.equal(places.add(5), true);
});

test('places of earlier searches never reappear, however often the set is cleared', () => {
  const places = new PlaceSet();
  // the generation number of a slot has 16 bits: this wraps it twice
  for (let clears = 0; clears < 140_000; clears++) {
    places.clear();
    const place = clears % 3;
    assert.equal(places.add(place), true, `after ${clears} clears`);
    assert.equal(places.add(place), false, `after ${clears} clears`);
  }
});
