import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlaceSet } from '../../src/engine/place-set.ts';
import { seededRandom } from '../support/seeded-random.ts';

test('it holds what was added since it was cleared, as a Set does, however much', () => {
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
