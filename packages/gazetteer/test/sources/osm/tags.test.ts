import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  capitalRank,
  isoCountry,
  isoDivision,
  mergeNames,
  parsePopulation,
  readNames,
} from '../../../src/sources/osm/tags.ts';

const tagsOf = (tags: Record<string, string>) => new Map(Object.entries(tags));

test('populations are parsed as people write them', () => {
  const written: Readonly<Record<string, number>> = {
    '1234': 1234,
    '12,345': 12_345,
    '1.234.567': 1_234_567,
    '12 345': 12_345,
    "12'345": 12_345,
    '12,34,567': 1_234_567,
    '12,345, census of 2011': 12_345,
  };
  for (const [text, population] of Object.entries(written)) assert.equal(parsePopulation(text), population, text);
  for (const text of ['~1200', 'ca. 1200', '1200 (2011)', '1200;1300', '1200, 2011', '1200 inhabitants']) {
    assert.equal(parsePopulation(text), 1200, text);
  }
  const noNumbers = ['0', '', 'many', '-5', '99999999999'];
  for (const text of ['1,5', '1.5', '1,5 million', '12,345.6', '12,3456', '12 34', '12  34', ...noNumbers]) {
    assert.equal(parsePopulation(text), undefined, text);
  }
  assert.equal(parsePopulation(undefined), undefined);
});

test('the rank of a capital depends on the level of its division', () => {
  const ranks = ['yes', '2', '3', '4', '5', '6', '7', '8', '11', 'no'].map((capital) =>
    capitalRank(tagsOf({ capital })),
  );
  assert.deepEqual(ranks, [5, 5, 4, 4, 3, 3, 2, 1, 0, 0]);
});

test('only codes of ISO 3166-1 are country codes', () => {
  assert.equal(isoCountry(tagsOf({ 'ISO3166-1': 'gb' })), 'GB');
  assert.equal(isoCountry(tagsOf({ 'ISO3166-1': 'UK' })), undefined);
  assert.deepEqual(isoDivision(tagsOf({ 'ISO3166-2': 'GB-ENG' })), ['GB', 'ENG']);
  assert.equal(isoDivision(tagsOf({ 'ISO3166-2': 'UK-ENG' })), undefined);
});

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
  const suffixes = ['etymology', 'etymology:wikidata', 'left', 'old', '1990', '', 'source', 'constructor', 'toString'];
  const others = Object.fromEntries(suffixes.map((suffix) => [`name:${suffix}`, 'B']));
  assert.deepEqual(readNames(tagsOf({ name: 'A', names: 'B', ...others })), [{ value: 'A', kind: 'main' }]);
});

test('romanized names get their own kind and language', () => {
  assert.deepEqual(readNames(tagsOf({ name: '東京', 'name:ja_rm': 'Tōkyō', 'name:zh_pinyin': 'Dōngjīng' })).slice(1), [
    { value: 'Tōkyō', kind: 'romanized', language: 'ja-Latn' },
    { value: 'Dōngjīng', kind: 'romanized', language: 'zh-Latn' },
  ]);
});

test('without a name tag, the main name is the international, English or any other name', () => {
  for (const [tags, main] of [
    [{ int_name: 'I', 'name:en': 'E' }, 'I'],
    [{ 'name:de': 'D', 'name:en': 'E' }, 'E'],
    [{ 'name:de': 'D' }, 'D'],
    [{ 'name:fr': ' ; ', 'name:de': 'D' }, 'D'],
    [{ name: ' ; ', place: 'city' }, undefined],
  ] as const) {
    assert.equal(readNames(tagsOf(tags))[0]?.value, main);
  }
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
