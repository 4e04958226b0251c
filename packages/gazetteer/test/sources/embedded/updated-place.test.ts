import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Place, PlaceName } from 'toponym-engine/place/place';
import { isFormerName, updatePlace } from '../../../src/sources/embedded/updated-place.ts';

function place(country: string, ...names: PlaceName[]): Place {
  return {
    id: 'G1',
    type: 'city',
    names,
    lat: 1,
    lng: 2,
    country,
    admin1: `${country}.1`,
    adminRank: 3,
    population: 7,
  };
}

function updatedNames(before: Place, name: string): readonly PlaceName[] {
  return updatePlace(before, { name, lat: 3, lng: 4, divisions: {} }).names;
}

const main = (value: string): PlaceName => ({ value, kind: 'main' });
const other = (value: string, language?: string): PlaceName => ({
  value,
  kind: 'alternate',
  ...(language && { language }),
});

test('point and divisions are those of the list, all else stays', () => {
  const before = place('DE', main('Jena'), other('Iena'));
  const after = updatePlace(before, { name: 'Jena', lat: 3, lng: 4, divisions: { admin1: 'DE.15' } });
  assert.deepEqual(after, { ...before, lat: 3, lng: 4, admin1: 'DE.15' });
});

test('a place that the list lacks stays, with the divisions of today', () => {
  const before = place('DE', main('Jena'));
  const after = updatePlace(before, { name: undefined, lat: 1, lng: 2, divisions: { admin1: 'DE.15' } });
  assert.deepEqual(after, { ...before, admin1: 'DE.15' });
});

test('the last main name is a former name of a renamed place, and only another one of a respelt place', () => {
  const unranked: PlaceName = { ...other('ಮೈಸೂರು', 'kn'), isUnranked: true };
  assert.deepEqual(updatedNames(place('ZA', main('Port Elizabeth'), other('Gqeberha'), unranked), 'Gqeberha'), [
    main('Gqeberha'),
    { value: 'Port Elizabeth', kind: 'historic', language: 'mul' },
    unranked,
  ]);
  assert.deepEqual(updatedNames(place('IN', main('Mysore'), other('Mysuru', 'kn-Latn')), 'Mysuru'), [
    main('Mysuru'),
    main('Mysore'),
    other('Mysuru', 'kn-Latn'),
  ]);
});

test('the last main name is shown in its language, if a table says which', () => {
  assert.deepEqual(updatedNames(place('SE', main('Göteborg'), other('Gothenburg', 'en')), 'Gothenburg'), [
    main('Gothenburg'),
    { ...main('Göteborg'), language: 'sv' },
  ]);
  assert.deepEqual(updatedNames(place('SA', main('Mecca'), other('Makkah')), 'Makkah'), [
    main('Makkah'),
    { ...main('Mecca'), language: 'en' },
  ]);
  const dunkirk = { ...place('FR', main('Dunkerque'), other('Dunkirk')), id: 'G3020686' };
  assert.deepEqual(updatedNames(dunkirk, 'Dunkirk')[1], { ...main('Dunkerque'), language: 'fr' });
});

test('names that sound alike, or contain each other, are spellings', () => {
  for (const [name, newName, isFormer] of [
    ['Belgaum', 'Belagavi', true],
    ['Allahābād', 'Prayagraj', true],
    ['Uitenhage', 'Kariega', true],
    ['Göteborg', 'Gothenburg', false],
    ['Mecca', 'Makkah', false],
    ['Al Minyā', 'Minya', false],
    ['Panamá', 'Panama City', false],
    ['Hubli', 'Hubballi', false],
    ['Asyūţ', 'Assiut', false],
  ] as const) {
    assert.equal(isFormerName(name, newName), isFormer, `${name} ${newName}`);
  }
});
