import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addedNames } from '../../../../src/sources/geonames/assign-languages.ts';

test('names that GeoNames lacks are listed by GeoNames id, with their languages', () => {
  const vienna = addedNames('2761369');
  // from our own table, and from that of CLDR
  assert.deepEqual(
    vienna.filter(({ language }) => language === 'hi' || language === 'ja'),
    [
      { value: 'वियना', kind: 'alternate', language: 'hi' },
      { value: 'विएना', kind: 'alternate', language: 'hi' },
      { value: 'ウィーン', kind: 'alternate', language: 'ja' },
    ],
  );
});

test('a language may have several names, and most places have none to add', () => {
  const montreal = addedNames('6077243').filter(({ language }) => language === 'zh-Hant');
  assert.deepEqual(
    montreal.map(({ value }) => value),
    ['蒙特婁', '滿地可'],
  );
  assert.deepEqual(addedNames('1'), []);
});

test('tables also state the languages of names that GeoNames has', () => {
  assert.deepEqual(
    addedNames('3164603').filter(({ language }) => language === 'de' || language === 'it'),
    [
      { value: 'Venedig', kind: 'alternate', language: 'de' },
      { value: 'Venezia', kind: 'alternate', language: 'it' },
    ],
  );
  assert.deepEqual(addedNames('2964180'), [{ value: 'Galway', kind: 'alternate', language: 'en' }]);
});

test('a city that a division is called after gets the names of the division', () => {
  assert.deepEqual(addedNames('128226'), [
    { value: 'Κερμανσάχ', kind: 'alternate', language: 'el' },
    { value: 'כרמאנשאה', kind: 'alternate', language: 'he' },
    { value: 'करमानशाह', kind: 'alternate', language: 'hi' },
    { value: '케르만샤', kind: 'alternate', language: 'ko' },
  ]);
});

test('nicknames, abbreviations and airports are in no single language, so that they are never shown', () => {
  const johannesburg = addedNames('993800').filter(({ language }) => language === undefined || language === 'mul');
  assert.deepEqual(johannesburg, [
    { value: 'JHB', kind: 'alternate', language: 'mul' },
    { value: 'Jozi', kind: 'alternate', language: 'mul' },
    { value: 'HLA', kind: 'code' },
    { value: 'O.R. Tambo Airport', kind: 'code' },
  ]);
});

test('an airport leads to the city that it serves, not to the village beside the runway', () => {
  const airportsOf = (id: string) => addedNames(id).flatMap(({ value, kind }) => (kind === 'code' ? [value] : []));
  assert.deepEqual(airportsOf('2988507'), ['BVA', 'CDG', 'Charles de Gaulle Airport', 'ORY']);
  assert.deepEqual(airportsOf('1850147'), ['HND', 'Haneda Airport', 'NRT']);
  assert.deepEqual(airportsOf('2643743'), ['Gatwick Airport', 'Heathrow Airport', 'LCY', 'LGW', 'LHR', 'LTN', 'STN']);
});
