import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLACE_TYPES } from '../../src/place/place.ts';
import { settlementRadiusMeters } from '../../src/place/settlement-radius.ts';

test('the radius grows more slowly than the population, and to 60 km at most', () => {
  const radii = [1000, 100_000, 1_000_000, 25_000_000, 900_000_000].map((population) =>
    Math.round(settlementRadiusMeters('village', population)),
  );
  assert.deepEqual(radii, [631, 3981, 10_000, 36_239, 60_000]);
});

test('a place of unknown or small population has the minimum radius of its type', () => {
  const radii = PLACE_TYPES.map((type) => settlementRadiusMeters(type, 0));
  assert.deepEqual(radii, [2000, 1000, 500, 500, 500, 500]);
  assert.equal(settlementRadiusMeters('city', 0), 2000);
  assert.equal(settlementRadiusMeters('village', 100), 500);
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
