import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIndex } from 'toponym-engine/index-file/open-index';
import type { Region } from 'toponym-engine/place/place';
import { aGazetteer, aPlace } from '../../../../test/support/an-engine.ts';
import { buildIndex } from '../../src/build/build-index.ts';
import { openPlaces } from '../../src/build/read-places.ts';

/** Reads back the divisions of an index, which has one place in each division. */
async function readBack(...divisions: Pick<Region, 'key' | 'level' | 'name'>[]): Promise<object[]> {
  const regions = divisions.map((division) => ({ ...division, country: division.key.slice(0, 2), aliases: [] }));
  const places = regions.map(({ key, level, country }) => aPlace({ country, [`admin${level}`]: key }));
  const { chunks } = await buildIndex({ ...aGazetteer(places), regions });
  const { regions: read } = openPlaces(openIndex(new Uint8Array(Buffer.concat(chunks)).buffer));
  return [...read.values()].map(({ key, level, name }) => ({ key, level, name }));
}

test('places keep their airports', async () => {
  const airports = [
    { lat: 25.2528, lng: 55.3644 },
    { lat: -24.8964, lng: -55.1614 },
  ];
  const places = [
    aPlace({ population: 3 }),
    aPlace({ population: 2, edgeAirports: airports }),
    aPlace({ population: 1 }),
  ];
  const { chunks } = await buildIndex(aGazetteer(places));
  const { readPlace } = openPlaces(openIndex(new Uint8Array(Buffer.concat(chunks)).buffer));
  assert.deepEqual(
    [0, 1, 2].map((id) => readPlace(id).edgeAirports),
    [undefined, airports, undefined],
  );
});

test('divisions keep their keys', async () => {
  const divisions = [
    { key: 'US.IL', level: 1, name: 'Illinois' },
    { key: 'US.TX', level: 1, name: 'Texas' },
    { key: 'US.~oz', level: 1, name: 'Oz' },
    { key: 'US.TX.277', level: 2, name: 'Lamar County' },
  ] as const;
  assert.deepEqual(await readBack(...divisions), divisions);
});

test('a division whose key the NDJSON format refuses gets a key from its name', async () => {
  const longKey = `US.${'x'.repeat(200)}`;
  assert.deepEqual(
    await readBack(
      { key: 'US.B', level: 1, name: 'Baja' },
      { key: longKey, level: 1, name: 'St. Long' },
      { key: `${longKey}.1`, level: 2, name: 'Below' },
    ),
    [
      { key: 'US.B', level: 1, name: 'Baja' },
      { key: 'US.~st· long', level: 1, name: 'St. Long' },
      { key: 'US.~st· long.~below', level: 2, name: 'Below' },
    ],
  );
});
