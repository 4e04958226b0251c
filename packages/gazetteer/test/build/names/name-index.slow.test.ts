import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIndex } from 'toponym-engine/index-file/open-index';
import { embeddedBytes } from '../../../../../test/support/embedded-engine.ts';
import { plainNameIndex } from '../../../../../test/support/plain-name-index.ts';
import { NameIndexBuilder } from '../../../src/build/names/name-index.ts';
import { PlaceStore } from '../../../src/build/place-store.ts';
import { rankPlaces } from '../../../src/build/rank-places.ts';
import { openPlaces } from '../../../src/build/read-places.ts';

/** Every 133rd embedded place: about 1,500, of all countries and scripts. */
const SAMPLE_STEP = 133;

test('the search sections equal those that a plain implementation builds', async () => {
  const store = new PlaceStore();
  const index = openIndex(embeddedBytes);
  const { readPlace } = openPlaces(index);
  for (let id = 0; id < index.metadata.places; id += SAMPLE_STEP) store.add(readPlace(id));
  const ranked = rankPlaces(
    store,
    Uint32Array.from({ length: store.length }, (_, row) => row),
  );
  const builder = new NameIndexBuilder({ onRows: () => {}, onKeys: () => {} });
  builder.addRows(store, store.length);
  const built = builder.build(ranked);
  const plain = plainNameIndex(
    Array.from(ranked.rows, (row, id) => ({
      names: store.names(row),
      country: store.country(row),
      importance: ranked.importance[id] as number,
    })),
  );
  assert.ok(plain.postings.length > 5_000);
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
