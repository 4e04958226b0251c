import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from 'toponym-engine/open-engine';
import type { PlaceName } from 'toponym-engine/place/place';
import { verifyIndex } from 'toponym-files/index-file';
import { anIndex, aPlace, aQuery } from '../../../../../test/support/an-engine.ts';
import { areLocalNames } from '../../../src/build/names/local-names.ts';

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

/** The name shown without a language, and the name that matched, if it is another one. */
async function shown(country: string, main: string, names: readonly PlaceName[], text = main) {
  const index = await anIndex([aPlace({ name: main, country, alternateNames: names })]);
  verifyIndex(index);
  const [hit] = openEngine(index).search(aQuery(text)).hits;
  return [hit?.record.name, hit?.label.split(', ')[0], hit?.matchedName?.value];
}

const alternate = (value: string, language?: string): PlaceName =>
  language === undefined ? { value, kind: 'alternate' } : { value, kind: 'alternate', language };

test('in countries where people know the English name, it is shown and the main name still finds the place', async () => {
  const names = [alternate('Golway'), alternate('Galway', 'en')];
  assert.deepEqual(await shown('IE', 'Gaillimh', names, 'galway'), ['Galway', 'Galway', undefined]);
  assert.deepEqual(await shown('IE', 'Gaillimh', names), ['Galway', 'Galway', 'Gaillimh']);
  assert.deepEqual(await shown('DE', 'Köln', [alternate('Cologne', 'en')], 'cologne'), ['Köln', 'Köln', 'Cologne']);
});

test('instead of a transcription, the English name is shown, unless the transcription is of Cyrillic', async () => {
  const names = [alternate('Mecca', 'en')];
  assert.deepEqual(await shown('SA', 'Makkah', names, 'mecca'), ['Mecca', 'Mecca', undefined]);
  assert.deepEqual(await shown('SA', 'Makkah', names), ['Mecca', 'Mecca', 'Makkah']);
  assert.equal((await shown('BY', 'Hrodna', [alternate('Grodno', 'en')]))[0], 'Hrodna');
});

test('a transcription is shown without its marks', async () => {
  assert.deepEqual(await shown('IN', 'Hyderābād', [alternate('Hyderabad')]), ['Hyderabad', 'Hyderabad', undefined]);
  assert.deepEqual(
    await shown('EG', 'Al Manşūrah', [alternate('Al Mansurah')], 'mansurah').then(([name]) => name),
    'Al Mansurah',
  );
  assert.deepEqual(
    await shown('GR', 'Thessaloníki', [alternate('Thessaloniki')]).then(([name]) => name),
    'Thessaloniki',
  );
});

test('a name in a country with Latin letters keeps its accents, and so does one without another form', async () => {
  assert.equal((await shown('LV', 'Rēzekne', [alternate('Rezekne')]))[0], 'Rēzekne');
  assert.equal((await shown('MA', 'Fès', [alternate('Fes')]))[0], 'Fès');
  assert.equal((await shown('IN', 'Hyderābād', []))[0], 'Hyderābād');
});
