import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anIndex, aPlace } from '../../../../test/support/an-engine.ts';
import { openIndex } from '../../src/index-file/open-index.ts';
import { openTrie } from '../../src/index-file/trie.ts';
import { CityLookup } from '../../src/query/cities.ts';
import { KeyTrie } from '../../src/trie/key-trie.ts';
import { MAX_WORK, WorkBudget } from '../../src/work-budget.ts';

const index = openIndex(
  await anIndex([
    aPlace({ name: 'London', lat: 51.5, population: 8_900_000, alternateNames: ['Londres'] }),
    aPlace({ name: 'London', lat: 43, country: 'CA', population: 400_000 }),
    aPlace({ name: 'London', lat: 37, country: 'US', population: 8_000 }),
    aPlace({ name: 'New London', lat: 41, country: 'US', population: 200_000 }),
    aPlace({ name: 'Ulm', lat: 48.4, country: 'DE', population: 126_000 }),
    aPlace({ name: 'Xi', lat: 34, population: 1_000_000 }),
    ...[1, 2, 3, 4].map((lat) => aPlace({ name: 'Springfield', lat, population: 200_000 * lat })),
  ]),
);
const keys = new KeyTrie(openTrie(index, 'nameTrie'), index.postings.length);
const latsOf = (text: string, maxWork = MAX_WORK) =>
  new CityLookup(index, keys, new WorkBudget(maxWork)).named(text).map(({ lat }) => lat);

test('a name means the large cities with exactly this name, the most important first', () => {
  const rows = [
    ['london', [51.5, 43]], // neither the small one nor New London
    ['londres', [51.5]],
    ['new london', [41]],
    ['lond', []],
    ['ulm', [48.4]],
    ['xi', []], // two letters are mostly a code
    ['springfield', [4, 3, 2]],
  ] as const;
  for (const [text, lats] of rows) assert.deepEqual(latsOf(text), lats, text);
});

test('the area of a city grows with its population, and is at least a circle of 5 km', () => {
  const radii = new Map(
    ['london', 'ulm'].map((text) => [
      text,
      new CityLookup(index, keys, new WorkBudget(MAX_WORK)).named(text)[0]!.radiusMeters,
    ]),
  );
  assert.ok(radii.get('london')! > 20_000 && radii.get('london')! < 40_000);
  assert.equal(radii.get('ulm'), 5000);
});

test('a lookup ends with the work budget', () => {
  assert.deepEqual(latsOf('london', 1), [51.5]);
});
