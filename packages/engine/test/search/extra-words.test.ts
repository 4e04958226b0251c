import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEngine, aPlace, aQuery, idsOf } from '../../../../test/support/an-engine.ts';

const engine = await anEngine([
  aPlace({ id: 'G1', name: 'London', population: 9_000_000, country: 'GB', lat: 51.5, lng: -0.1 }),
  aPlace({
    id: 'G2',
    name: 'Chelsea',
    type: 'suburban area',
    population: 40_000,
    country: 'GB',
    lat: 51.49,
    lng: -0.17,
  }),
  aPlace({ id: 'G3', name: 'Chelsea', population: 40_000, country: 'US', lat: 42.39, lng: -71.03 }),
  aPlace({ id: 'G4', name: 'London', population: 380_000, country: 'CA', admin1: 'CA.ON', lat: 42.98, lng: -81.23 }),
  aPlace({ id: 'G5', name: 'Lyon', population: 520_000, country: 'FR', lat: 45.75, lng: 4.85 }),
  aPlace({ id: 'G6', name: 'Socorro', population: 8700, country: 'US', admin1: 'US.TX' }),
  aPlace({ id: 'G7', name: 'Socorro', population: 33_000, country: 'FR' }),
]);
const first = (text: string) => idsOf(engine.search(aQuery(text)))[0];

test('a city contains what is within its size', () => {
  assert.equal(first('chelsea london'), 'G2');
  assert.equal(first('chelsea, london, uk'), 'G2');
});

test('a place far from every city of that name is not in it', () => {
  const [hit] = engine.search(aQuery('chelsea lyon', { explain: true })).hits;
  assert.notEqual(hit?.ranking?.stage, 'inCity');
});

test('generic words and numbers are left out', () => {
  for (const text of [
    'lyon airport',
    'hotel lyon',
    'near lyon',
    'centre ville lyon',
    '69001 lyon',
    'aeroport de lyon',
  ]) {
    assert.equal(first(text), 'G5', text);
  }
});

test('regions count even if generic words are left out', () => {
  assert.equal(first('city of socorro, tx'), 'G6');
  assert.equal(first('socorro hotel france'), 'G7');
});

test('the code of a region after a comma is no preposition, whatever number follows', () => {
  assert.equal(first('london, on'), 'G4');
  assert.equal(first('London, ON N6A 1A1'), 'G4');
});

test('a street with its house number, between commas, is left out as a number is', () => {
  const stageOf = (text: string) => engine.search(aQuery(text, { explain: true })).hits[0]?.ranking?.stage;
  for (const text of ['Rue Mercière 12b, 69002 Lyon', '1600 Xqzw Avenue, Lyon, France', 'Lyon, Rue Mercière 12']) {
    assert.deepEqual([first(text), stageOf(text)], ['G5', 'partOfQuery'], text);
  }
  assert.equal(stageOf('Xqzw Avenue 5 Lyon'), 'partOfQuery');
  assert.equal(first('Lyon 2, France'), 'G5');
});

test('a dash between spaces separates a name from its region, as a comma does', () => {
  for (const text of ['London - ON, Canada', 'London – ON, Canada', 'London, ON, Canada']) {
    const [hit] = engine.search(aQuery(text, { explain: true })).hits;
    assert.deepEqual([hit?.objectID, hit?.ranking?.stage], ['G4', 'withRegion'], text);
  }
});

test('other words are left out if nothing else matches', () => {
  assert.equal(first('hotel ibis lyon'), 'G5');
});

test('a region at the end is left out only if nothing in it matches', () => {
  assert.equal(first('socorro xqzw texas'), 'G6');
  assert.equal(first('lyon xqzw texas'), 'G5');
});

test('words between a name and a region are left out, even if they name another region', () => {
  assert.equal(first('socorro bavaria texas'), 'G6');
});

test('words that are left out are reported as dropped and do not count as matched', () => {
  const droppedAndWords = (text: string) => {
    const { hits, degraded } = engine.search(aQuery(text, { explain: true }));
    return [degraded?.query, degraded?.dropped, hits[0]?.ranking?.words];
  };
  assert.deepEqual(droppedAndWords('hotel ibis lyon'), ['lyon', ['hotel', 'ibis'], 1]);
  assert.deepEqual(droppedAndWords('city of socorro, tx'), ['socorro tx', ['city', 'of'], 2]);
  assert.deepEqual(droppedAndWords('chelsea, london, uk'), [undefined, undefined, 3]);
});

test('a query of generic words alone finds nothing', () => {
  assert.deepEqual(idsOf(engine.search(aQuery('airport hotel'))), []);
});
