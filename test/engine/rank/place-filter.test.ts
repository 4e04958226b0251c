import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlaceFilter } from '../../../src/engine/rank/place-filter.ts';
import { openIndex } from '../../../src/index-file/open-index.ts';
import { distanceMeters, METERS_PER_DEGREE } from '../../../src/place/sphere.ts';
import { anIndex, aPlace } from '../../support/an-engine.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const random = seededRandom(1);
const randomPoint = () => ({ lat: random(180e7) / 1e7 - 90, lng: random(360e7) / 1e7 - 180 });
const index = openIndex(await anIndex(Array.from({ length: 300 }, () => aPlace(randomPoint()))));

test('places in one of the required circles are accepted', () => {
  const filter = new PlaceFilter(index);
  for (let i = 0; i < 50; i++) {
    const circles = Array.from({ length: 1 + (i % 3) }, () => {
      return { ...randomPoint(), radiusMeters: random(60) * METERS_PER_DEGREE };
    });
    filter.requireCircles(circles);
    for (let place = 0; place < index.metadata.places; place++) {
      const [lat, lng] = [index.placeLatE7[place]! / 1e7, index.placeLngE7[place]! / 1e7];
      const expected = circles.some(
        (circle) => distanceMeters(circle.lat, circle.lng, lat, lng) <= circle.radiusMeters,
      );
      assert.equal(filter.accepts(place), expected);
    }
    filter.clearRequirements();
    assert.ok(filter.acceptsAll);
  }
});

test('a place on the edge of a circle, due north of its centre, is accepted', () => {
  const filter = new PlaceFilter(index);
  for (let place = 0; place < index.metadata.places; place++) {
    const [lat, lng] = [index.placeLatE7[place]! / 1e7, index.placeLngE7[place]! / 1e7];
    filter.requireCircles([{ lat: lat - 1, lng, radiusMeters: distanceMeters(lat - 1, lng, lat, lng) }]);
    assert.ok(filter.accepts(place));
  }
});
