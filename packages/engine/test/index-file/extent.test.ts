import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEngine, anIndex, aPlace } from '../../../../test/support/an-engine.ts';
import { openIndex } from '../../src/index-file/open-index.ts';
import { readExtent } from '../../src/index-file/packed-record.ts';
import { boxAround } from '../../src/place/bounding-box.ts';
import { settlementRadiusMeters } from '../../src/place/settlement-radius.ts';

test('every place has its own extent, or none', async () => {
  const places = Array.from({ length: 50 }, (_, i) =>
    aPlace({
      name: `Place ${i}`,
      population: 1000 - i,
      ...(i % 3 === 0 ? {} : { box: { south: 46, west: -i, north: 48, east: 2 + i / 1e7 } }),
    }),
  );
  const index = openIndex(await anIndex(places));
  assert.deepEqual(
    places.map((_, place) => readExtent(index, place)), // the most populous place has number 0
    places.map(({ box }) => box),
  );
});

test('places without extents need no table, and their box is estimated from the population', async () => {
  const place = aPlace({ id: 'G1', type: 'town', population: 20_000 });
  const { extentPlace, extentE7 } = openIndex(await anIndex([place]));
  assert.deepEqual([extentPlace.length, extentE7.length], [0, 0]);
  const engine = await anEngine([place]);
  const radiusMeters = settlementRadiusMeters('town', 20_000);
  assert.deepEqual(engine.get('G1')?.record.box, boxAround({ lat: 47, lng: 2, radiusMeters }));
});
