/** Builds the search sections: the trie of names, and its postings by key and by place. */
import { GrowingArray } from '../../collections/typed-array.ts';
import { isMainFromStart, POSTING } from '../../index-file/posting.ts';
import type { RankedPlaces } from '../rank-places.ts';
import { KeyTable } from './key-table.ts';
import { createKeys } from './name-keys.ts';
import { buildRangeTops } from './range-tops.ts';
import { buildTrie, trieSections } from './trie.ts';

const PLACES_PER_PROGRESS_REPORT = 10_000;

interface NameProgress {
  readonly onPlaces: (done: number) => void;
  /** Called once, when all names have been read. */
  readonly onKeys: (keys: number) => void;
}

export function buildNameIndex(ranked: RankedPlaces, { onPlaces, onKeys }: NameProgress) {
  const { rows, importance } = ranked;
  const { table, keyNumbers, flags, slotName, placeSlots } = collectKeys(ranked, onPlaces);
  onKeys(table.size);
  const keys = table.sort();
  const { rank } = keys;
  const starts = postingStarts(keyNumbers, rank);
  const nextPosition = starts.slice(); // by key
  const postings = new Uint32Array(keyNumbers.length);
  const slotPosting = new Uint32Array(keyNumbers.length);
  const maxImportance = new Uint8Array(rank.length);
  const mainFromStart = new Uint8Array(rank.length);
  for (let place = 0; place < rows.length; place++) {
    const byteImportance = Math.ceil(importance[place]! / 257); // 0..255, because 65535 = 255 × 257
    for (let slot = placeSlots[place]!; slot < placeSlots[place + 1]!; slot++) {
      const key = rank[keyNumbers[slot]!]!;
      const position = nextPosition[key]!++;
      postings[position] = place | (flags[slot]! << POSTING.flagShift);
      slotPosting[slot] = position;
      maxImportance[key] = Math.max(maxImportance[key]!, byteImportance);
      if (isMainFromStart(flags[slot]!)) mainFromStart[key] = 1;
    }
  }
  const trie = buildTrie({ keys, postingStarts: starts, maxImportance, mainFromStart });
  return {
    ...trieSections(trie, 'nameTrie'),
    postings,
    postingBlocks: blockMinima(postings),
    ...buildRangeTops(trie, postings),
    placeSlots,
    slotPosting,
    slotName,
  };
}

/**
 * Collects the keys of all places. Each pair of a place and one of its keys gets a slot, in the
 * order of places. `keyNumbers`, `flags` and `slotName` have an entry per slot.
 */
function collectKeys({ store, rows }: RankedPlaces, onPlaces: NameProgress['onPlaces']) {
  const table = new KeyTable();
  const keyNumbers = new GrowingArray(Uint32Array);
  const flags = new GrowingArray(Uint8Array);
  const slotName = new GrowingArray(Uint8Array);
  const placeSlots = new Uint32Array(rows.length + 1);
  rows.forEach((row, place) => {
    if (place % PLACES_PER_PROGRESS_REPORT === 0) onPlaces(place);
    for (const [key, origin] of createKeys(store.names(row), store.country(row))) {
      keyNumbers.push(table.add(key));
      flags.push(origin.flags);
      slotName.push(origin.ordinal);
    }
    placeSlots[place + 1] = keyNumbers.length;
  });
  return { table, keyNumbers: keyNumbers.view(), flags: flags.view(), slotName: slotName.view(), placeSlots };
}

/** In sorted order of keys, with one more entry for the end. */
function postingStarts(keyNumbers: Uint32Array, rank: Uint32Array): Uint32Array {
  const starts = new Uint32Array(rank.length + 1);
  for (const keyNumber of keyNumbers) starts[rank[keyNumber]! + 1]!++;
  for (let key = 0; key < rank.length; key++) starts[key + 1]! += starts[key]!;
  return starts;
}

function blockMinima(postings: Uint32Array): Uint32Array {
  const blocks = new Uint32Array(Math.ceil(postings.length / POSTING.blockSize)).fill(POSTING.placeMask);
  postings.forEach((posting, i) => {
    const block = Math.floor(i / POSTING.blockSize);
    blocks[block] = Math.min(blocks[block]!, posting & POSTING.placeMask);
  });
  return blocks;
}
