import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areLocalNames } from '../../../src/build/names/local-names.ts';
import type { PlaceName } from '../../../src/place/place.ts';

function localNames(country: string, names: readonly (readonly [value: string, language?: string])[]): string[] {
  const placeNames = names.map(
    ([value, language]): PlaceName => ({ value, kind: 'alternate', ...(language === undefined ? {} : { language }) }),
  );
  const isLocal = areLocalNames(placeNames, country);
  return placeNames.filter((_, i) => isLocal[i]).map(({ value }) => value);
}

test('a name in a script of its country is local', () => {
  const names = [
    ['Moskau', 'de'],
    ['Москва', 'ru'],
    ['موسكو', 'ar'],
  ] as const;
  assert.deepEqual(localNames('RU', names), ['Москва']);
  assert.deepEqual(localNames('FR', names), []);
});

test('where people write Latin letters, the first name in the main language is local', () => {
  const names = [
    ['Monaco di Baviera', 'it'],
    ['München', 'de'],
    ['Munichen', 'de'],
  ] as const;
  assert.deepEqual(localNames('DE', names), ['München']);
  assert.deepEqual(localNames('RU', names), []);
  assert.deepEqual(localNames('', names), []);
});

test('the main name after a title is not local', () => {
  const names = [['Jakarta'], ['Daerah Khusus Ibukota Jakarta', 'id']] as const;
  assert.deepEqual(localNames('ID', names), []);
});

test('a country may have several scripts', () => {
  const names = [
    ['चेन्नई', 'hi'],
    ['சென்னை', 'ta'],
    ['チェンナイ', 'ja'],
  ] as const;
  assert.deepEqual(localNames('IN', names), ['चेन्नई', 'சென்னை']);
  assert.deepEqual(localNames('JP', [['かまくら', 'ja']]), ['かまくら']);
  assert.deepEqual(localNames('JP', [['鎌倉', 'zh']]), ['鎌倉']);
  assert.deepEqual(localNames('KR', [['서울', 'ko']]), ['서울']);
});

test('only the first name of a language is local, because the others are often former names', () => {
  const names = [['Пермь', 'ru'], ['Молотов', 'ru'], ['Перм']] as const;
  assert.deepEqual(localNames('RU', names), ['Пермь']);
});
