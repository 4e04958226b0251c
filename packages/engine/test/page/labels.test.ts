import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEngine, aPlace, aQuery, type PlaceSketch } from '../../../../test/support/an-engine.ts';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import type { SearchResult } from '../../src/engine.ts';
import type { Place } from '../../src/place/place.ts';

const inTexas = { country: 'US', admin1: 'US.TX' };
const inNewYork = { country: 'US', admin1: 'US.NY', lat: 40.7, lng: -74 };

/** Labels of the places by themselves, in the order given. */
async function labelsOf(places: readonly Place[], language?: string): Promise<(string | undefined)[]> {
  const engine = await anEngine(places);
  return places.map(({ id }) => engine.get(id, language)?.label);
}

/** The labels on the page for a query, sorted. */
async function pageOf(text: string, places: readonly Place[]): Promise<string[]> {
  return sortedLabels((await anEngine(places)).search(aQuery(text)));
}

function sortedLabels({ hits }: SearchResult): string[] {
  return hits.map(({ label }) => label).sort();
}

test('a label names the first-level division in countries where people do, and always the country', async () => {
  const labels = await labelsOf([
    aPlace({ name: 'Paris', ...inTexas }),
    aPlace({ name: 'Paris', admin1: 'FR.11' }),
    aPlace({ name: 'Bergdorf', country: 'DE' }),
  ]);
  assert.deepEqual(labels, ['Paris, Texas, United States', 'Paris, France', 'Bergdorf, Germany']);
});

test('a division with the name of the place is left out', async () => {
  const labels = await labelsOf([
    aPlace({ name: 'New York', ...inNewYork }),
    aPlace({ name: 'Nèw-York', ...inNewYork }),
    aPlace({ name: 'New York Mills', ...inNewYork }),
  ]);
  assert.deepEqual(labels, [
    'New York, United States',
    'Nèw-York, United States',
    'New York Mills, New York, United States',
  ]);
});

test('a suburban area shows its city, in the language of the response', async () => {
  const french = { value: 'Londres', kind: 'alternate', language: 'fr' } as const;
  const inLondon = { country: 'GB', lat: 51.5, lng: -0.1 };
  const places = [
    aPlace({ name: 'Chelsea', type: 'suburban area', ...inLondon }),
    aPlace({ name: 'Harlem', type: 'suburban area', ...inNewYork }),
    aPlace({ name: 'New York City', population: 8_000_000, ...inNewYork }),
    aPlace({ name: 'London', population: 9_000_000, alternateNames: [french], ...inLondon }),
  ];
  const [chelsea, harlem] = await labelsOf(places);
  assert.deepEqual(
    [chelsea, harlem],
    ['Chelsea, London, United Kingdom', 'Harlem, New York City, New York, United States'],
  );
  assert.equal((await labelsOf(places, 'fr'))[0], 'Chelsea, Londres, Royaume-Uni');
});

test('a suburban area with the name of its city, and a division with that of the city, are named once', async () => {
  const [old, east] = await labelsOf([
    aPlace({ name: 'Texas', type: 'suburban area', ...inTexas }),
    aPlace({ name: 'East Side', type: 'suburban area', ...inTexas }),
    aPlace({ name: 'Texas', population: 100_000, ...inTexas }),
  ]);
  assert.deepEqual([old, east], ['Texas, United States', 'East Side, Texas, United States']);
});

test('a suburban area with the name of its city gets another label than the city', async () => {
  const labels = await pageOf('bergen', [
    aPlace({ name: 'Bergen', type: 'suburban area', lat: 48.08 }),
    aPlace({ name: 'Bergen', population: 3_000_000, lat: 48.0 }),
  ]);
  assert.equal(labels.length, 2);
  assert.equal(new Set(labels).size, 2, String(labels));
});

test('places of the same name get divisions only as far as needed to differ', async () => {
  const labels = await pageOf('ham', [
    aPlace({ name: 'Ham', admin1: 'FR.11', lat: 49 }),
    aPlace({ name: 'Ham', lat: 47 }),
    aPlace({ name: 'Ham', country: 'DE' }),
    aPlace({ name: 'Ham', country: 'US', admin1: 'US.IL', admin2: 'US.IL.167' }),
    aPlace({ name: 'Ham', country: 'US', admin1: 'US.IL', lat: 40 }),
    aPlace({ name: 'Ham', ...inTexas }),
    aPlace({ name: 'Hamlet', ...inTexas }),
  ]);
  assert.deepEqual(labels, [
    'Ham, France',
    'Ham, Germany',
    'Ham, Illinois, United States',
    'Ham, Sangamon County, Illinois, United States',
    'Ham, Texas, United States',
    'Ham, Île-de-France, France',
    'Hamlet, Texas, United States',
  ]);
});

test('places with the same divisions get the nearest larger town', async () => {
  const village = (lat: number) => aPlace({ name: 'Ham', lat, population: 900 });
  const labels = await pageOf('ham', [
    village(45),
    village(48),
    aPlace({ name: 'Northtown', lat: 48.2, population: 12_000 }),
    aPlace({ name: 'Southtown', lat: 44.5, population: 12_000 }),
    aPlace({ name: 'Hamlet', lat: 45.1, population: 9000 }),
    aPlace({ name: 'Foreign', lat: 45.1, population: 12_000, country: 'DE' }),
    aPlace({ name: 'Suburb', lat: 45.1, population: 12_000, type: 'suburban area' }),
  ]);
  assert.deepEqual(labels, ['Ham (Northtown), France', 'Ham (Southtown), France', 'Hamlet, France']);
});

test('the nearest larger town has more people and another name', async () => {
  const labels = await pageOf('ham', [
    aPlace({ name: 'Ham', lat: 45, population: 20_000 }),
    aPlace({ name: 'Ham', lat: 48, population: 30_000 }),
    aPlace({ name: 'Smaller', lat: 45.1, population: 15_000 }),
    aPlace({ name: 'Larger', lat: 45.5, population: 25_000 }),
    aPlace({ name: 'Largest', lat: 49, population: 35_000 }),
  ]);
  assert.deepEqual(labels, ['Ham (Larger), France', 'Ham (Largest), France']);
});

test('places near the same town, or near none, get coordinates', async () => {
  const villages = [aPlace({ name: 'Ham', lat: 47.2 }), aPlace({ name: 'Ham', lat: 47.4, lng: 2.12345 })];
  const expected = ['Ham (47.200, 2.000), France', 'Ham (47.400, 2.123), France'];
  assert.deepEqual(await pageOf('ham', villages), expected);
  const town = aPlace({ name: 'Town', lat: 47.3, population: 20_000 });
  assert.deepEqual(await pageOf('ham', [...villages, town]), expected);
});

test('a record by id and a nearest place have the label that the place has by itself', async () => {
  const place = aPlace({ id: 'G1', name: 'Paris', ...inTexas });
  const engine = await anEngine([place]);
  const { hits } = engine.reverse({ at: place, limit: 1 });
  assert.deepEqual([engine.get('G1')?.label, hits[0]?.label], Array(2).fill('Paris, Texas, United States'));
});

test('no two hits share a label, and every label contains the label without its additions', async () => {
  const random = seededRandom(7);
  const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
  const regions: readonly PlaceSketch[] = [
    { country: 'FR' },
    { country: 'FR', admin1: 'FR.11' },
    { country: 'US', admin1: 'US.IL' },
    { country: 'US', admin1: 'US.IL', admin2: 'US.IL.167' },
    { country: 'US', admin1: 'US.NY' },
  ];
  const places = Array.from({ length: 400 }, (_, i) =>
    aPlace({
      name: pick(['Ham', 'Hamm', 'New York', 'Illinois', 'Ham, Illinois']),
      type: pick(['town', 'village', 'suburban area'] as const),
      lat: 40 + random(400) / 100,
      lng: i / 200,
      population: pick([500, 20_000, 100_000]),
      ...pick(regions),
    }),
  );
  const engine = await anEngine(places);
  const queries = ['ham', 'new york', 'illinois', 'ham illinois'].map((text) => engine.search(aQuery(text)));
  const reverses = places.slice(0, 100).map((at) => engine.reverse({ at, limit: 20 }));
  for (const { hits } of [...queries, ...reverses]) {
    assert.equal(new Set(hits.map(({ label }) => label)).size, hits.length);
    for (const { objectID, label } of hits) {
      const parts = label.replace(/ \([^)]*\)/, '').split(', ');
      const missing = engine
        .get(objectID)
        ?.label.split(', ')
        .filter((part) => !parts.includes(part));
      assert.deepEqual(missing, []);
    }
  }
});
