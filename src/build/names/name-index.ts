/** Builds the search sections: the trie of names, and its postings by key and by place. */
import { GrowingArray } from '../../collections/growing-array.ts';
import { isMainFromStart, POSTING } from '../../index-file/posting.ts';
import type { RankedPlaces } from '../rank-places.ts';
import { KeyTable } from './key-table.ts';
import { createKeys } from './name-keys.ts';
import { buildRangeTops } from './range-tops.ts';
import { buildTrie, trieSections } from './trie.ts';

/** Places between two progress reports. */
const PROGRESS_STEP = 10_000;

interface NameProgress {
  /** Called with the number of places whose names have been read. */
  readonly onPlaces: (done: number) => void;
  /** Called once all names have been read, with the number of keys to sort. */
  readonly onKeys: (keys: number) => void;
}

export function buildNameIndex(ranked: RankedPlaces, { onPlaces, onKeys }: NameProgress) {
  const { rows, importance } = ranked;
  const { table, keyNumbers, flags, postingName, placePostings } = collectKeys(ranked, onPlaces);
  onKeys(table.size);
  const keys = table.sort();
  const { rank } = keys;
  const starts = postingStarts(keyNumbers, rank);
  const nextPosition = starts.slice(); // for each key, where its next posting goes
  const postings = new Uint32Array(keyNumbers.length);
  const postingOf = new Uint32Array(keyNumbers.length);
  const best = new Uint8Array(rank.length);
  const main = new Uint8Array(rank.length);
  for (let place = 0; place < rows.length; place++) {
    const byteImportance = Math.ceil(importance[place]! / 257); // 0..255, because 65535 = 255 × 257
    for (let slot = placePostings[place]!; slot < placePostings[place + 1]!; slot++) {
      const key = rank[keyNumbers[slot]!]!;
      const position = nextPosition[key]!++;
      postings[position] = place | (flags[slot]! << POSTING.flagShift);
      postingOf[slot] = position;
      best[key] = Math.max(best[key]!, byteImportance);
      if (isMainFromStart(flags[slot]!)) main[key] = 1;
    }
  }
  const trie = buildTrie({ keys, starts, best, main });
  return {
    ...trieSections(trie, 'nameTrie'),
    postings,
    postingBlocks: blockMinima(postings),
    ...buildRangeTops(trie, postings),
    placePostings,
    postingOf,
    postingName,
  };
}

/**
 * Lists the postings in the order of places: a posting's index in these lists is its slot. The
 * postings of place p are in the slots from placePostings[p] up to placePostings[p + 1].
 */
function collectKeys({ store, rows }: RankedPlaces, onPlaces: NameProgress['onPlaces']) {
  const table = new KeyTable();
  const keyNumbers = new GrowingArray(Uint32Array);
  const flags = new GrowingArray(Uint8Array);
  const postingName = new GrowingArray(Uint8Array);
  const placePostings = new Uint32Array(rows.length + 1);
  rows.forEach((row, place) => {
    if (place % PROGRESS_STEP === 0) onPlaces(place);
    for (const [key, origin] of createKeys(store.names(row))) {
      keyNumbers.push(table.add(key));
      flags.push(origin.flags);
      postingName.push(origin.ordinal);
    }
    placePostings[place + 1] = keyNumbers.length;
  });
  return { table, keyNumbers: keyNumbers.view(), flags: flags.view(), postingName: postingName.view(), placePostings };
}

/** Start of each key's postings, and one more entry for the end. */
function postingStarts(keyNumbers: Uint32Array, rank: Uint32Array): Uint32Array {
  const starts = new Uint32Array(rank.length + 1);
  for (const number of keyNumbers) starts[rank[number]! + 1]!++;
  for (let key = 0; key < rank.length; key++) starts[key + 1]! += starts[key]!;
  return starts;
}

/** Lowest place id in each block of postings. */
function blockMinima(postings: Uint32Array): Uint32Array {
  const blocks = new Uint32Array(Math.ceil(postings.length / POSTING.blockSize)).fill(POSTING.placeMask);
  postings.forEach((posting, i) => {
    const block = Math.floor(i / POSTING.blockSize);
    blocks[block] = Math.min(blocks[block]!, posting & POSTING.placeMask);
  });
  return blocks;
}
