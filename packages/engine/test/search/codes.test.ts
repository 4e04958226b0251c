import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEngine, aPlace, aQuery, idsOf } from '../../../../test/support/an-engine.ts';
import type { PlaceName } from '../../src/place/place.ts';

const code = (value: string): PlaceName => ({ value, kind: 'code' });
const engine = await anEngine([
  aPlace({
    id: 'G1',
    name: 'Buenos Aires',
    population: 3_000_000,
    country: 'US',
    alternateNames: [code('EZE'), code('BUE')],
  }),
  aPlace({ id: 'G2', name: 'Èze', population: 2500 }),
  aPlace({ id: 'G3', name: 'Nancy', population: 100_000, alternateNames: [code('FRA'), code('Essey Airport')] }),
  aPlace({ id: 'G4', name: 'Paris', population: 2_000_000 }),
  aPlace({ id: 'G6', name: 'Concord', population: 30_000_000, country: 'DE', alternateNames: [code('USA')] }),
  aPlace({ id: 'G5', name: 'Buellton', population: 5000, country: 'US' }),
]);
const ids = (text: string) => idsOf(engine.search(aQuery(text)));

test('a code in capitals comes before a place of that name, other writings after it', () => {
  assert.deepEqual(ids('EZE'), ['G1', 'G2']);
  assert.deepEqual(ids(' EZE '), ['G1', 'G2']);
  assert.deepEqual(ids('eze'), ['G2', 'G1']);
  assert.deepEqual(ids('Eze'), ['G2', 'G1']);
});

test('a code in capitals costs no more than an alternate name, and the parts add up to the score', () => {
  const [capitals] = engine.search(aQuery('BUE', { explain: true })).hits;
  assert.equal(capitals?.ranking?.stage, 'codeInCapitals');
  assert.equal(capitals?.ranking?.criteria.name, -0.04);
  for (const { ranking } of engine.search(aQuery('eze', { explain: true })).hits) {
    const { score = 0, words, ...parts } = ranking?.criteria ?? {};
    assert.equal(words, 0);
    assert.ok(Math.abs(Object.values(parts).reduce((sum, points) => sum + points, 0) - score) < 0.001);
  }
});

test('a code in capitals that is also that of a country means only well-known places', () => {
  assert.deepEqual(ids('FRA').slice(0, 2), ['G4', 'G3']);
  assert.deepEqual(ids('USA').slice(0, 2), ['G6', 'G1']);
});

test('a code beside a word for airport is found however it is written', () => {
  for (const text of ['eze airport', 'Flughafen EZE', 'aeropuerto de eze', 'eze airport, usa']) {
    const [hit] = engine.search(aQuery(text, { explain: true })).hits;
    assert.deepEqual([hit?.objectID, hit?.ranking?.stage], ['G1', 'partOfQuery'], text);
  }
});

test('an airport is found by its name', () => {
  assert.equal(ids('essey airport')[0], 'G3');
});
