import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeNames, readNames } from '../../../src/sources/osm/tags.ts';

const tagsOf = (tags: Record<string, string>) => new Map(Object.entries(tags));

test('all name keys are read, with languages, lists and former names', () => {
  const names = readNames(
    tagsOf({
      'name:fr': 'Londres',
      'name:zh-Hant': '倫敦',
      old_name: 'Londinium;Lundenwic',
      'old_name:de': 'Londen',
      name: 'London',
      alt_name: 'Greater  London; The Smoke ;London',
      int_name: 'London',
      official_name: 'City of London',
      short_name: 'LDN',
      loc_name: 'Town',
      'official_name:cy': 'Dinas Llundain',
    }),
  );
  assert.deepEqual(names, [
    { value: 'London', kind: 'main' },
    { value: 'Londres', kind: 'alternate', language: 'fr' },
    { value: '倫敦', kind: 'alternate', language: 'zh-Hant' },
    { value: 'City of London', kind: 'alternate' },
    { value: 'Dinas Llundain', kind: 'alternate', language: 'cy' },
    { value: 'Town', kind: 'alternate' },
    { value: 'LDN', kind: 'alternate' },
    { value: 'Greater London', kind: 'alternate' },
    { value: 'The Smoke', kind: 'alternate' },
    { value: 'Londinium', kind: 'historic' },
    { value: 'Lundenwic', kind: 'historic' },
    { value: 'Londen', kind: 'historic', language: 'de' },
  ]);
});

test('a suffix that is not a language gives no name', () => {
  const about = [
    'name:etymology',
    'name:etymology:wikidata',
    'name:left',
    'name:old',
    'name:1990',
    'name:',
    'names',
    'name:source',
    'name:constructor',
    'name:toString',
  ];
  assert.deepEqual(readNames(tagsOf({ name: 'A', ...Object.fromEntries(about.map((key) => [key, 'B'])) })), [
    { value: 'A', kind: 'main' },
  ]);
});

test('romanized names get their own kind and language', () => {
  assert.deepEqual(readNames(tagsOf({ name: '東京', 'name:ja_rm': 'Tōkyō', 'name:zh_pinyin': 'Dōngjīng' })).slice(1), [
    { value: 'Tōkyō', kind: 'romanized', language: 'ja-Latn' },
    { value: 'Dōngjīng', kind: 'romanized', language: 'zh-Latn' },
  ]);
});

test('without a name tag, the main name is the international, English or any other name', () => {
  assert.equal(readNames(tagsOf({ int_name: 'I', 'name:en': 'E' }))[0]?.value, 'I');
  assert.equal(readNames(tagsOf({ 'name:de': 'D', 'name:en': 'E' }))[0]?.value, 'E');
  assert.equal(readNames(tagsOf({ 'name:de': 'D' }))[0]?.value, 'D');
  assert.equal(readNames(tagsOf({ 'name:fr': ' ; ', 'name:de': 'D' }))[0]?.value, 'D');
  assert.deepEqual(readNames(tagsOf({ name: ' ; ', place: 'city' })), []);
});

test('merged names start with the main name of the first element', () => {
  const own = readNames(tagsOf({ name: 'Bozen', 'name:it': 'Bolzano' }));
  const other = readNames(
    tagsOf({ name: 'Bolzano - Bozen', 'name:it': 'Bolzano', 'name:en': 'Bolzano', alt_name: 'Bozen' }),
  );
  assert.deepEqual(mergeNames(own, other), [
    ...own,
    { value: 'Bolzano - Bozen', kind: 'alternate' },
    { value: 'Bolzano', kind: 'alternate', language: 'en' },
  ]);
});
