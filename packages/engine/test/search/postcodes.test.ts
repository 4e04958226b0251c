import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEngine, aPlace, aQuery, idsOf } from '../../../../test/support/an-engine.ts';

const engine = await anEngine([
  aPlace({ id: 'G1', name: 'Springfield', population: 116_000, country: 'US', admin1: 'US.IL' }),
  aPlace({ id: 'G2', name: 'Springfield', population: 170_000, country: 'US', admin1: 'US.MO' }),
  aPlace({ id: 'G3', name: 'London', population: 9_000_000, country: 'GB' }),
  aPlace({ id: 'G4', name: 'London', population: 380_000, country: 'CA', admin1: 'CA.ON' }),
  aPlace({ id: 'G5', name: 'Weimar', population: 65_000, country: 'DE' }),
  aPlace({ id: 'G6', name: 'Weimar', population: 100_000, country: 'US', admin1: 'US.TX' }),
  aPlace({ id: 'G7', name: 'Lyon', population: 520_000, country: 'FR' }),
  aPlace({ id: 'G8', name: 'Twin Oaks', population: 520, country: 'US', alternateNames: ['2000 Oaks'] }),
  aPlace({ id: 'G9', name: 'Amsterdam', population: 800_000, country: 'FR' }),
]);
const hitsOf = (text: string) => engine.search(aQuery(text, { explain: true })).hits;
const first = (text: string) => idsOf(engine.search(aQuery(text)))[0];

test('regions count on both sides of a postcode', () => {
  for (const text of [
    'Springfield, IL 62701',
    'Springfield, IL 62701, USA',
    'Springfield IL 62701 USA',
    'Springfield, IL, 62701-1234, USA',
    'Springfield 62701 IL',
    '62701 Springfield, IL, USA',
  ]) {
    assert.equal(first(text), 'G1', text);
  }
  assert.equal(first('London, ON N6A 1A1, Canada'), 'G4');
  assert.equal(first('N6A 1A1 London ON'), 'G4');
  assert.equal(first('SW1A 1AA London UK'), 'G3');
});

test('a country sign before a postcode is a region', () => {
  assert.equal(first('weimar'), 'G6');
  for (const text of ['D-99423 Weimar', 'D 99423 Weimar', 'DE-99423 Weimar', '99423 Weimar, Germany']) {
    assert.equal(first(text), 'G5', text);
  }
  assert.equal(first('F-69002 Lyon'), 'G7');
});

test('postcodes of several words and with letters are left out', () => {
  for (const text of ['111 52 Lyon', 'Lyon 00-001', 'Lyon 1er', 'Lyon EC2', 'Lyon A65 F4E2', '69002 Lyon 2ème']) {
    const [hit] = hitsOf(text);
    assert.deepEqual([hit?.objectID, hit?.ranking?.stage], ['G7', 'withoutPostcode'], text);
  }
  assert.equal(first('1012 AB Amsterdam'), 'G9');
});

test('a postcode costs next to nothing, and the match code is that of the other words', () => {
  for (const [text, others] of [
    ['69002 Lyon', 'Lyon'],
    ['Springfield, IL 62701, USA', 'Springfield, IL, USA'],
    ['D-99423 Weimar', 'Weimar, Germany'],
  ] as const) {
    const [hit] = hitsOf(text);
    const [expected] = hitsOf(others);
    assert.equal(hit?.matchCode, expected?.matchCode, text);
    assert.ok(Math.abs(expected!.score - hit!.score - 0.05) < 1e-9, text);
    assert.ok(hit!.confidence! >= expected!.confidence! - 0.02, `${text}: ${hit?.confidence}`);
  }
});

test('a postcode that is left out is reported', () => {
  const { degraded } = engine.search(aQuery('Springfield, IL 62701, USA'));
  assert.deepEqual([degraded?.query, degraded?.dropped], ['Springfield IL USA', ['62701']]);
});

test('a name after a postcode may be unfinished or misspelt', () => {
  assert.equal(first('69002 Lyo'), 'G7');
  assert.equal(first('99423 Weimr, Germany'), 'G5');
});

test('a name with a number in it is no postcode, and numbers alone find nothing', () => {
  assert.equal(first('2000 oaks'), 'G8');
  assert.deepEqual(idsOf(engine.search(aQuery('69002 62701'))), []);
});
