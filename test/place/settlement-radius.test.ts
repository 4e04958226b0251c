import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLACE_TYPES } from '../../src/place/place.ts';
import { settlementRadiusMeters } from '../../src/place/settlement-radius.ts';

test('the radius is that of a disc with 5,000 people per square kilometre', () => {
  assert.equal(Math.round(settlementRadiusMeters('city', 250_000)), 3989);
  assert.equal(Math.round(settlementRadiusMeters('city', 25_000_000)), 39_894);
});

test('a place of unknown or small population has the minimum radius of its type', () => {
  const radii = PLACE_TYPES.map((type) => settlementRadiusMeters(type, undefined));
  assert.deepEqual(radii, [2000, 1000, 500, 250, 250, 500]);
  assert.equal(settlementRadiusMeters('city', 0), 2000);
  assert.equal(settlementRadiusMeters('village', 1000), 500);
});

test('a larger population never has a smaller radius', () => {
  for (const type of PLACE_TYPES) {
    let previous = 0;
    for (let population = 1; population < 1e8; population *= 3) {
      const radius = settlementRadiusMeters(type, population);
      assert.ok(radius >= previous);
      previous = radius;
    }
  }
});
