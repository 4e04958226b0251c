import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anIndex, aPlace } from '../../../../test/support/an-engine.ts';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import { openIndex } from '../../src/index-file/open-index.ts';
import { distanceMeters, METERS_PER_DEGREE } from '../../src/place/sphere.ts';
import { createFilter } from '../../src/rank/place-filter.ts';

const random = seededRandom(1);
const randomPoint = () => ({ lat: random(180e7) / 1e7 - 90, lng: random(360e7) / 1e7 - 180 });
const index = openIndex(await anIndex(Array.from({ length: 300 }, () => aPlace(randomPoint()))));

test('places in one of the circles are accepted', () => {
  const unfiltered = createFilter(index, {});
  for (let i = 0; i < 50; i++) {
    const circles = Array.from({ length: 1 + (i % 3) }, () => {
      return { place: -1, ...randomPoint(), radiusMeters: random(60) * METERS_PER_DEGREE };
    });
    const filter = unfiltered.within({ regionGroups: [], cities: circles });
    for (let place = 0; place < index.metadata.places; place++) {
      const [lat, lng] = [index.placeLatE7[place]! / 1e7, index.placeLngE7[place]! / 1e7];
      const expected = circles.some(
        (circle) => distanceMeters(circle.lat, circle.lng, lat, lng) <= circle.radiusMeters,
      );
      assert.equal(filter.accepts(place), expected);
    }
  }
  assert.equal(unfiltered.isActive, false);
});

test('a place on the edge of a circle, due north of its centre, is accepted', () => {
  for (let place = 0; place < index.metadata.places; place++) {
    const [lat, lng] = [index.placeLatE7[place]! / 1e7, index.placeLngE7[place]! / 1e7];
    const cities = [{ place: place - 1, lat: lat - 1, lng, radiusMeters: distanceMeters(lat - 1, lng, lat, lng) }];
    assert.ok(createFilter(index, {}).within({ regionGroups: [], cities }).accepts(place));
  }
});

test('a city and more important places are no parts of it', () => {
  const [lat, lng] = [0, 0];
  const filter = createFilter(index, {}).within({
    regionGroups: [],
    cities: [{ place: 5, lat, lng, radiusMeters: 180 * METERS_PER_DEGREE }],
  });
  assert.deepEqual(
    [4, 5, 6].map((place) => filter.accepts(place)),
    [false, false, true],
  );
});
