/** Every filter of a query holds wherever places are found, counted or taken from the cache. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEngine, aPlace, aQuery, idsOf } from '../../../test/support/an-engine.ts';
import type { Filters, SearchQuery } from '../src/engine.ts';

const RIGHT = 'G1';
const WRONG = 'G2';
const rightPlace = aPlace({ id: RIGHT, name: 'Ham', type: 'village', country: 'FR', population: 500, lat: 47, lng: 2 });
const wrongPlace = aPlace({
  id: WRONG,
  name: 'Ham',
  type: 'city',
  country: 'DE',
  population: 900_000,
  lat: 50,
  lng: 9,
});

/** Each with values that leave out the second place, which is the better match. The type asks for a row for each filter. */
const FILTERS: Readonly<Record<keyof Filters, Partial<SearchQuery>>> = {
  types: { types: ['village'] },
  countries: { countries: ['FR'] },
  radiusMeters: { around: { lat: 47, lng: 2 }, radiusMeters: 100_000 },
  box: { box: { south: 46, west: 1, north: 48, east: 3 } },
};

for (const [name, filter] of Object.entries(FILTERS)) {
  test(`the filter ${name} leaves out places from searches, from browsing, and from counts`, async () => {
    const engine = await anEngine([rightPlace, wrongPlace]);
    for (const text of ['ham', '']) {
      assert.deepEqual(idsOf(engine.search(aQuery(text))), [WRONG, RIGHT], text);
      const { hits, total, isTotalExact } = engine.search(aQuery(text, { ...filter, explain: true }));
      const found = hits.map(({ objectID, ranking }) => ({ objectID, filters: ranking?.filters }));
      assert.deepEqual(found, [{ objectID: RIGHT, filters: 1 }], text);
      assert.deepEqual({ total, isTotalExact }, { total: 1, isTotalExact: true }, text);
      assert.deepEqual(idsOf(engine.search(aQuery(text, filter))), [RIGHT], text);
    }
  });

  test(`the filter ${name} leaves out places from a search for coordinates, and from its total`, async () => {
    const engine = await anEngine([rightPlace, wrongPlace]);
    const atWrongPlace = engine.search(aQuery('50.01, 9.01', filter));
    assert.ok(!idsOf(atWrongPlace).includes(WRONG));
    assert.equal(atWrongPlace.total, atWrongPlace.hits.length);
    assert.deepEqual(idsOf(engine.search(aQuery('47.01, 2.01', filter))), [RIGHT]);
  });
}
