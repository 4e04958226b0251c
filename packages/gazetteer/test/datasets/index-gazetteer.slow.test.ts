/** An index built from the places of an index has the same bytes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIndex } from 'toponym-engine/index-file/open-index';
import { openEngine } from 'toponym-engine/open-engine';
import type { Gazetteer, Place } from 'toponym-engine/place/place';
import { aGazetteer, aPlace } from '../../../../test/support/an-engine.ts';
import { embeddedBytes } from '../../../../test/support/embedded-engine.ts';
import { buildIndex } from '../../src/build/build-index.ts';
import { indexGazetteer } from '../../src/datasets/index-gazetteer.ts';
import { filterPlaces } from '../../src/sources/filter.ts';
import { createCountries } from '../../src/sources/regions/countries.ts';

async function bytesOf(gazetteer: Gazetteer): Promise<ArrayBuffer> {
  return new Uint8Array(Buffer.concat((await buildIndex(gazetteer)).chunks)).buffer;
}

async function assertSameAgain(bytes: ArrayBuffer): Promise<void> {
  const again = await bytesOf(indexGazetteer(openIndex(bytes)));
  assert.ok(Buffer.from(bytes).equals(Buffer.from(again)));
}

test('of places of every country', async () => {
  const places = filterPlaces(indexGazetteer(openIndex(embeddedBytes)), { minPopulation: 30_000 });
  const bytes = await bytesOf(places);
  assert.ok(openIndex(bytes).metadata.places > 10_000);
  await assertSameAgain(bytes);
});

test('of merged places with extents, airports, ids of other data, retired ids and every kind of name', async () => {
  const names: Place['names'] = [
    { value: 'Zürich', kind: 'main' },
    { value: 'Zurich', kind: 'alternate', language: 'en' },
    { value: 'Turicum', kind: 'historic' },
    { value: 'ZRH', kind: 'code' },
    { value: '8000', kind: 'postcode' },
    { value: 'su li shi', kind: 'romanized', isUnranked: true },
  ];
  const zurich = aPlace({ id: 'G1', country: 'DE', population: 400_000, adminRank: 4, externalIds: ['wd:Q72'] });
  const bytes = await bytesOf({
    ...aGazetteer([
      {
        ...zurich,
        names,
        box: { south: 46.9, west: 1.9, north: 47.1, east: 2.1 },
        edgeAirports: [{ lat: 47, lng: 2 }],
      },
      aPlace({ id: 'N5', name: 'Zürich', country: 'DE', externalIds: ['wd:Q72'] }),
      aPlace({ id: 'N6', name: 'Springfield', country: 'US', admin1: 'US.IL', admin2: 'US.IL.167' }),
      aPlace({ id: 'L7', name: 'Quarter', type: 'suburban area', country: 'DE', lat: 47.01, population: 0 }),
    ]),
    countries: createCountries(),
  });
  await assertSameAgain(bytes);
  const again = openEngine(await bytesOf(indexGazetteer(openIndex(bytes))));
  assert.equal(again.get('N5')?.supersededBy, 'G1');
  assert.equal(again.get('L7')?.record.city, 'Zürich');
});
