import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyTable } from '../../../src/build/names/key-table.ts';
import { buildNameIndex } from '../../../src/build/names/name-index.ts';
import { PlaceStore } from '../../../src/build/place-store.ts';
import { rankPlaces } from '../../../src/build/rank-places.ts';
import { openEmbedded } from '../../../src/sources/embedded.ts';
import { plainNameIndex } from '../../support/plain-name-index.ts';
import { seededRandom } from '../../support/seeded-random.ts';

/** Every so many of the embedded places: some three thousand, of all countries and scripts. */
const SAMPLE_STEP = 67;

test('the search sections of a sample of the world are those that strings, maps and lists give', async () => {
  const store = new PlaceStore();
  let read = 0;
  for await (const place of openEmbedded().places) if (read++ % SAMPLE_STEP === 0) store.add(place);
  const ranked = rankPlaces(
    store,
    Uint32Array.from({ length: store.length }, (_, row) => row),
  );
  const built = buildNameIndex(ranked, { onPlaces: () => {}, onKeys: () => {} });
  const plain = plainNameIndex(
    Array.from(ranked.rows, (row, id) => ({ names: store.names(row), importance: ranked.importance[id] as number })),
  );
  assert.ok(plain.postings.length > 10_000);
  assert.deepEqual(built.postings, plain.postings);
  assert.deepEqual(built.placePostings, plain.placePostings);
  assert.deepEqual(built.postingOf, plain.postingOf);
  assert.deepEqual(built.postingName, plain.postingName);
  assert.deepEqual(
    {
      char: built.nameTrieChar,
      child: built.nameTrieChild,
      tail: built.nameTrieTail,
      value: built.nameTrieValue,
      best: built.nameTrieBest,
      main: built.nameTrieMain,
      gaps: built.nameTrieGaps,
      mainGaps: built.nameTrieMainGaps,
      tails: built.nameTrieTails,
    },
    plain.trie,
  );
});

test('keys are numbered as they come, each once, and sorted by code units', () => {
  const random = seededRandom(3);
  const letters = ['a', 'b', ' ', 'é', 'ш', '北', '\u{10400}', '\uffee'];
  const keys = Array.from({ length: 20_000 }, () =>
    Array.from({ length: random(9) }, () => letters[random(random(2) === 0 ? 2 : letters.length)]).join(''),
  );
  const table = new KeyTable();
  const numbers = new Map<string, number>();
  for (const key of keys) {
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    assert.equal(table.add(key), numbers.get(key));
  }
  const { units, begin, end, rank } = table.sort();
  const sorted = Array.from(begin, (start, i) => String.fromCharCode(...units.subarray(start, end[i])));
  assert.deepEqual(sorted, [...numbers.keys()].sort());
  assert.deepEqual(
    sorted.map((key) => rank[numbers.get(key) as number]),
    sorted.map((_, i) => i),
  );
});
