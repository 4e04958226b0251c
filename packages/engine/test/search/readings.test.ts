import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEngine, aPlace, aQuery, idsOf } from '../../../../test/support/an-engine.ts';
import type { Engine } from '../../src/engine.ts';
import { READINGS } from '../../src/search/readings.ts';

const places = [
  aPlace({ id: 'G1', name: 'Windsor', country: 'US', admin1: 'US.TX', population: 30_000 }),
  aPlace({ id: 'G2', name: 'Bad Homburg vor der Höhe', country: 'DE', population: 50_000 }),
  aPlace({ id: 'G3', name: 'Springfield', country: 'US', admin1: 'US.IL', admin2: 'US.IL.167', population: 116_000 }),
  aPlace({ id: 'G4', name: 'Haag (Rheintal)', country: 'DE', population: 900 }),
  aPlace({
    id: 'G5',
    name: 'Tallinn',
    country: 'FR',
    population: 400_000,
    importance: 0.72,
    lat: 59.44,
    lng: 24.75,
    alternateNames: ['Lindanise', { value: 'TLL', kind: 'code' }],
  }),
  aPlace({ id: 'G7', name: 'Leipzig', country: 'ES', population: 9_000_000, importance: 0.73 }),
  aPlace({ id: 'G8', name: 'Leipsic', country: 'US', population: 3000, alternateNames: ['Leipsig'] }),
  aPlace({ id: 'G6', name: 'Lasnamäe', type: 'suburban area', country: 'FR', population: 9000, lat: 59.44, lng: 24.8 }),
];
const engine = await anEngine(places);

/** For each reading: a query, and the place that it finds. */
const CASES: readonly (readonly [reading: string, text: string, id: string])[] = [
  ['asTyped', 'windsor', 'G1'],
  ['asTyped', 'spring', 'G3'],
  ['reordered', 'homburg bad vor', 'G2'],
  ['withRegion', 'windsor texas', 'G1'],
  ['regionAlone', 'germany', 'G2'],
  ['regionAlone', 'illinois usa', 'G3'],
  ['codeInCapitals', 'TLL', 'G5'],
  ['unfinishedRegion', 'windsor, tex', 'G1'],
  ['unfinishedRegion', 'windsor t', 'G1'],
  ['inCity', 'lasnamae tallinn', 'G6'],
  ['unfinishedRegionAlone', 'germa', 'G2'],
  ['withoutPostcode', 'springfield, il 62701, usa', 'G3'],
  ['partOfQuery', 'springfield airport', 'G3'],
  ['countyAlone', 'sangamon', 'G3'],
  ['partOfQuery', 'haag, rheintal germany', 'G4'],
  ['unfinishedName', 'winds, texas', 'G1'],
  ['oneTypo', 'windsorr', 'G1'],
  ['misspeltRegionAlone', 'germnay', 'G2'],
  ['misspeltRegion', 'springfield ilinois', 'G3'],
  ['twoTypos', 'sprimgfeild', 'G3'],
  ['twoTyposShortName', 'windzrr', 'G1'],
  ['twoTyposAnyName', 'limdamise', 'G5'],
  ['typoAndInexactRegion', 'sprngfield ilinois', 'G3'],
  ['cityOfUnknownPart', 'xqzw tallinn', 'G5'],
  ['partOfQuery', 'hotel xqzw springfield', 'G3'],
  ['wordByWord', 'hohe der vor bad', 'G2'],
  ['browse', '', 'G7'],
];

function firstHit(searched: Engine, text: string): (string | undefined)[] {
  const [hit] = searched.search(aQuery(text, { explain: true })).hits;
  return [hit?.ranking?.stage, hit?.objectID];
}

for (const [stage, text, id] of CASES) {
  test(`"${text}" is read as ${stage}`, () => {
    assert.deepEqual(firstHit(engine, text), [stage, id]);
  });
}

test('every reading has a case, and their names are unique', () => {
  const names = READINGS.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  const tested = new Set(CASES.map(([stage]) => stage));
  assert.deepEqual(
    names.filter((name) => !tested.has(name)),
    [],
  );
});

test('readings are in the order of their prices', () => {
  const prices = READINGS.map(({ price }) => price);
  assert.deepEqual(
    prices,
    prices.toSorted((a, b) => a - b),
  );
});

test('without typo tolerance, only readings without typos find places', () => {
  const correcting = new Set(READINGS.filter(({ correctsTypos }) => correctsTypos).map(({ name }) => name));
  assert.ok(correcting.size >= 7);
  for (const [stage, text, id] of CASES) {
    const { hits, degraded } = engine.search(aQuery(text, { allowsTypos: false, explain: true }));
    assert.ok(
      hits.every(({ ranking }) => ranking!.typos === 0 && !correcting.has(ranking!.stage)),
      text,
    );
    assert.deepEqual(degraded?.corrected ?? [], [], text);
    if (!correcting.has(stage)) assert.deepEqual([hits[0]?.ranking?.stage, hits[0]?.objectID], [stage, id], text);
  }
  assert.deepEqual(idsOf(engine.search(aQuery('leipsig', { allowsTypos: false }))), ['G8']);
});

test('without typo tolerance, no word is corrected word by word', () => {
  const text = 'homburg hoeh bad';
  const changesOf = (allowsTypos: boolean) => {
    const { hits, degraded } = engine.search(aQuery(text, { allowsTypos, explain: true }));
    return [hits[0]?.ranking?.stage, degraded?.dropped, degraded?.corrected];
  };
  assert.deepEqual(changesOf(true), ['wordByWord', [], [{ from: 'hoeh', to: 'Höhe' }]]);
  assert.deepEqual(changesOf(false), ['wordByWord', ['hoeh'], []]);
});

test('short queries with and without typo tolerance do not share a cached page', async () => {
  const few = await anEngine([
    aPlace({ id: 'G1', name: 'Oulu' }),
    aPlace({ id: 'G2', name: 'Ou', country: 'DE', population: 90_000 }),
  ]);
  for (const text of ['ou', 'olu']) {
    const [tolerant, strict] = [true, false].map((allowsTypos) => idsOf(few.search(aQuery(text, { allowsTypos }))));
    assert.deepEqual(idsOf(few.search(aQuery(text))), tolerant);
    assert.deepEqual(idsOf(few.search(aQuery(text, { allowsTypos: false }))), strict);
  }
});
