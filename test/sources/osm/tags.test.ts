import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capitalRank, isoCountry, isoDivision, parsePopulation } from '../../../src/sources/osm/tags.ts';

const tagsOf = (tags: Record<string, string>) => new Map(Object.entries(tags));

test('populations are parsed as people write them', () => {
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
    ['1200, 2011', 1200],
    ['12,345, census of 2011', 12_345],
    ['1200 inhabitants', 1200],
    ['12,34,567', 1_234_567],
    ['1,5', undefined],
    ['1.5', undefined],
    ['1,5 million', undefined],
    ['12,345.6', undefined],
    ['12,3456', undefined],
    ['12 34', undefined],
    ['12  34', undefined],
    ['0', undefined],
    ['', undefined],
    ['many', undefined],
    ['-5', undefined],
    ['99999999999', undefined],
  ];
  for (const [text, population] of written) assert.equal(parsePopulation(text), population, text);
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
