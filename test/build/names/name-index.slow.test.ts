import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildNameIndex } from '../../../src/build/names/name-index.ts';
import { PlaceStore } from '../../../src/build/place-store.ts';
import { rankPlaces } from '../../../src/build/rank-places.ts';
import { openEmbedded } from '../../../src/sources/embedded.ts';
import { plainNameIndex } from '../../support/plain-name-index.ts';

/** Every 67th embedded place: about 3,000, of all countries and scripts. */
const SAMPLE_STEP = 67;

test('the search sections equal those that a plain implementation builds', async () => {
  const store = new PlaceStore();
  let read = 0;
  for await (const place of openEmbedded().places) if (read++ % SAMPLE_STEP === 0) store.add(place);
  const ranked = rankPlaces(
    store,
    Uint32Array.from({ length: store.length }, (_, row) => row),
  );
  const built = buildNameIndex(ranked, { onPlaces: () => {}, onKeys: () => {} });
  const plain = plainNameIndex(
    Array.from(ranked.rows, (row, id) => ({
      names: store.names(row),
      country: store.country(row),
      importance: ranked.importance[id] as number,
    })),
  );
  assert.ok(plain.postings.length > 10_000);
  assert.deepEqual(built.postings, plain.postings);
  assert.deepEqual(built.placeSlots, plain.placeSlots);
  assert.deepEqual(built.slotPosting, plain.slotPosting);
  assert.deepEqual(built.slotName, plain.slotName);
  assert.deepEqual(
    {
      edgeLetter: built.nameTrieEdgeLetter,
      childStart: built.nameTrieChildStart,
      tailStart: built.nameTrieTailStart,
      postingStart: built.nameTriePostingStart,
      maxImportance: built.nameTrieMaxImportance,
      hasMainName: built.nameTrieHasMainName,
      gaps: built.nameTrieGaps,
      mainGaps: built.nameTrieMainGaps,
      tailLetters: built.nameTrieTailLetters,
    },
    plain.trie,
  );
});
