import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinNames, namesOfTags } from '../../../src/sources/osm/names.ts';
import { parsePopulation, rankOfCapital } from '../../../src/sources/osm/tags.ts';

const tagsOf = (tags: Record<string, string>) => new Map(Object.entries(tags));

test('every name key is read, with languages, lists and former names', () => {
  const names = namesOfTags(
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

test('what is said about a name is no name in a language', () => {
  const about = [
    'name:etymology',
    'name:etymology:wikidata',
    'name:left',
    'name:old',
    'name:1990',
    'name:',
    'names',
    'name:source',
  ];
  assert.deepEqual(namesOfTags(tagsOf({ name: 'A', ...Object.fromEntries(about.map((key) => [key, 'B'])) })), [
    { value: 'A', kind: 'main' },
  ]);
});

test('romanisations are told from names', () => {
  assert.deepEqual(
    namesOfTags(tagsOf({ name: '東京', 'name:ja_rm': 'Tōkyō', 'name:zh_pinyin': 'Dōngjīng' })).slice(1),
    [
      { value: 'Tōkyō', kind: 'romanized', language: 'ja-Latn' },
      { value: 'Dōngjīng', kind: 'romanized', language: 'zh-Latn' },
    ],
  );
});

test('without a name of its own, a place has its international, English or any other name', () => {
  assert.equal(namesOfTags(tagsOf({ int_name: 'I', 'name:en': 'E' }))[0]?.value, 'I');
  assert.equal(namesOfTags(tagsOf({ 'name:de': 'D', 'name:en': 'E' }))[0]?.value, 'E');
  assert.equal(namesOfTags(tagsOf({ 'name:de': 'D' }))[0]?.value, 'D');
  assert.deepEqual(namesOfTags(tagsOf({ name: ' ; ', place: 'city' })), []);
});

test('of two elements for one place the first keeps its main name', () => {
  const own = namesOfTags(tagsOf({ name: 'Bozen', 'name:it': 'Bolzano' }));
  const other = namesOfTags(
    tagsOf({ name: 'Bolzano - Bozen', 'name:it': 'Bolzano', 'name:en': 'Bolzano', alt_name: 'Bozen' }),
  );
  assert.deepEqual(joinNames(own, other), [
    ...own,
    { value: 'Bolzano - Bozen', kind: 'alternate' },
    { value: 'Bolzano', kind: 'alternate', language: 'en' },
  ]);
});

test('populations are read as people write them', () => {
  const written: [string, number | undefined][] = [
    ['1234', 1234],
    ['12,345', 12_345],
    ['1.234.567', 1_234_567],
    ['12 345', 12_345],
    ["12'345", 12_345],
    ['~1200', 1200],
    ['ca. 1200', 1200],
    ['1200 (2011)', 1200],
    ['1200;1300', 1200],
    ['0', undefined],
    ['', undefined],
    ['many', undefined],
    ['-5', undefined],
    ['99999999999', undefined],
  ];
  for (const [text, population] of written) assert.equal(parsePopulation(text), population, text);
  assert.equal(parsePopulation(undefined), undefined);
});

test('a capital ranks by the level of what it is the capital of', () => {
  const ranks = ['yes', '2', '3', '4', '5', '6', '7', '8', '11', 'no'].map((capital) =>
    rankOfCapital(tagsOf({ capital })),
  );
  assert.deepEqual(ranks, [5, 5, 4, 4, 3, 3, 2, 1, 0, 0]);
});
