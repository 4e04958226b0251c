import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEngine, aPlace, aQuery, idsOf } from '../../../../test/support/an-engine.ts';

const texan = { country: 'US', admin1: 'US.TX' };
const RUSSIAN_NAME = { value: 'Хьюстон', kind: 'alternate', language: 'ru' } as const;
const places = [
  aPlace({ id: 'G1', name: 'Houston', population: 2_300_000, ...texan, alternateNames: [RUSSIAN_NAME] }),
  aPlace({ id: 'G2', name: 'Dallas', population: 1_300_000, ...texan }),
  aPlace({ id: 'G3', name: 'Deer Park', type: 'town', population: 30_000, ...texan }),
  aPlace({ id: 'G4', name: 'Chicago', population: 2_700_000, country: 'US', admin1: 'US.IL' }),
  aPlace({ id: 'G5', name: 'Paris', population: 2_100_000, country: 'FR' }),
  aPlace({ id: 'G6', name: 'France', population: 900, country: 'CA' }),
  aPlace({ id: 'G7', name: 'New York', population: 8_800_000, country: 'US', admin1: 'US.NY' }),
  aPlace({ id: 'G8', name: 'Buffalo', population: 278_000, country: 'US', admin1: 'US.NY' }),
];
const engine = await anEngine(places);

test('a region alone gives its main places, the most important first', () => {
  const result = engine.search(aQuery('texas'));
  assert.deepEqual(idsOf(result), ['G1', 'G2', 'G3']);
  assert.deepEqual(result.matchedRegion, { name: 'Texas', code: 'US.TX', level: 1 });
});

test('a hit that was found by its region alone has no highlight and no matched name, in any language', () => {
  for (const language of [undefined, 'de', 'ru']) {
    const [hit] = engine.search(aQuery('texas', { language })).hits;
    assert.deepEqual(hit?.highlight, { ranges: [], matchLevel: 'none', matchedWords: [] });
    assert.equal(hit?.matchedName, undefined);
  }
});

test('a place that was found by its region alone is shown in the language of the response', async () => {
  const russian = { value: 'Киев', kind: 'alternate', language: 'ru' } as const;
  const kyiv = aPlace({ id: 'G1', name: 'Київ', population: 2_800_000, country: 'FR', alternateNames: [russian] });
  const [hit] = (await anEngine([kyiv])).search(aQuery('france', { language: 'ru' })).hits;
  assert.equal(hit?.record.name, 'Киев');
});

test('an important place of that name comes before the places of the region', () => {
  const result = engine.search(aQuery('new york'));
  assert.deepEqual(idsOf(result), ['G7', 'G8']);
  assert.deepEqual(result.matchedRegion, { name: 'New York', code: 'US.NY', level: 1 });
});

test('a hamlet of that name comes after the main places of a country', () => {
  const result = engine.search(aQuery('france', { language: 'de' }));
  assert.deepEqual(idsOf(result), ['G5', 'G6']);
  assert.deepEqual(result.matchedRegion, { name: 'Frankreich', code: 'FR', level: 0 });
});

test('a country or first-level division comes first, also before a single letter', () => {
  assert.deepEqual(idsOf(engine.search(aQuery('texas d'))), ['G2', 'G3']);
  assert.equal(engine.search(aQuery('texas d')).matchedRegion, undefined);
});

test('a second-level division comes first only before three letters or more', async () => {
  const inSangamon = { country: 'US', admin1: 'US.IL', admin2: 'US.IL.167' };
  const springfield = aPlace({ id: 'G1', name: 'Springfield', ...inSangamon });
  const counties = await anEngine([springfield]);
  assert.deepEqual(idsOf(counties.search(aQuery('sangamon spr'))), ['G1']);
  const [hit] = counties.search(aQuery('sangamon s', { explain: true })).hits;
  assert.notEqual(hit?.ranking?.stage, 'withRegion');
});

test('of two regions, the smaller one is matched', () => {
  for (const text of ['texas usa', 'usa texas']) {
    const result = engine.search(aQuery(text));
    assert.deepEqual(idsOf(result), ['G1', 'G2', 'G3'], text);
    assert.equal(result.matchedRegion?.code, 'US.TX');
  }
});

test('filters apply to the places of a region', () => {
  assert.deepEqual(idsOf(engine.search(aQuery('texas', { types: ['town'] }))), ['G3']);
  assert.deepEqual(idsOf(engine.search(aQuery('texas', { countries: ['FR'] }))), []);
});

test('a code of two letters is not a region alone', () => {
  assert.equal(engine.search(aQuery('tx')).matchedRegion, undefined);
});

test('after the first five places of a region, other matches come first', async () => {
  const cities = Array.from({ length: 8 }, (_, i) =>
    aPlace({ id: `G${10 + i}`, name: `City${i}`, population: 2_000_000 - i, country: 'CA' }),
  );
  const canada = aPlace({ id: 'G30', name: 'Canada Bay', population: 90_000, country: 'FR' });
  const ids = idsOf((await anEngine([...cities, canada])).search(aQuery('canada')));
  assert.equal(ids.indexOf('G30'), 5);
  assert.equal(ids.length, 9);
});
