import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addedNames } from '../../../../src/sources/geonames/languages/added-names.ts';

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

test('a city that a division is called after gets the names of the division', () => {
  assert.deepEqual(addedNames('128226'), [
    { value: 'Κερμανσάχ', kind: 'alternate', language: 'el' },
    { value: 'כרמאנשאה', kind: 'alternate', language: 'he' },
    { value: 'करमानशाह', kind: 'alternate', language: 'hi' },
    { value: '케르만샤', kind: 'alternate', language: 'ko' },
  ]);
});

test('nicknames and abbreviations have no language, so that they are never shown', () => {
  const johannesburg = addedNames('993800').filter(({ language }) => language === undefined);
  assert.deepEqual(johannesburg, [
    { value: 'JHB', kind: 'alternate' },
    { value: 'Jozi', kind: 'alternate' },
  ]);
});
