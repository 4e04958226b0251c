import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countryLanguage, onlyLatinLanguage } from '../../src/place/country-language.ts';

test('a country has a main language', () => {
  assert.deepEqual(['DE', 'AT', 'RU', 'XK'].map(countryLanguage), ['de', 'de', 'ru', 'sq']);
  for (const code of ['', 'ZZ', 'de', 'Germany', '\u0000']) assert.equal(countryLanguage(code), undefined);
});

test('only some countries call all places in one language with Latin letters', () => {
  assert.deepEqual(['DE', 'BE', 'RU', 'ZZ'].map(onlyLatinLanguage), ['de', undefined, undefined, undefined]);
});
