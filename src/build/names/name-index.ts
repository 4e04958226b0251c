/** Builds the search sections: the trie of names, and its postings by key and by place. */
import { GrowingArray } from '../../collections/growing-array.ts';
import { fillWith } from '../../collections/typed-array.ts';
import type { Sections } from '../../index-file/layout.ts';
import { isMainFromStart, POSTING } from '../../index-file/posting.ts';
import type { RankedPlaces } from '../rank-places.ts';
import { KeyTable } from './key-table.ts';
import { createKeys } from './name-keys.ts';
import { buildRangeTops, type RangeTops } from './range-tops.ts';
import { buildTrie, type TrieSections, trieSections } from './trie.ts';

type SearchSections = TrieSections<'nameTrie'> &
  RangeTops &
  Pick<Sections, 'postings' | 'postingBlocks' | 'placePostings' | 'postingOf' | 'postingName'>;

/** While building, one number stores the flags of a posting and, in its low bits, the ordinal. */
const ORDINAL_BITS = 8;
const ORDINAL_MASK = 0xff;
/** Places between two progress reports. */
const PROGRESS_STEP = 10_000;

interface NameProgress {
  /** Called with the number of places whose names have been read. */
  readonly onPlaces: (done: number) => void;
  /** Called when all names have been read, with the number of keys to sort. */
  readonly onKeys: (keys: number) => void;
}

export function buildNameIndex(ranked: RankedPlaces, { onPlaces, onKeys }: NameProgress): SearchSections {
  const { rows, importance } = ranked;
  const { table, keyNumbers, flagsAndOrdinals, placePostings } = collectKeys(ranked, onPlaces);
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
    const bound = importanceBound(importance[place]!);
    for (let slot = placePostings[place]!; slot < placePostings[place + 1]!; slot++) {
      const key = rank[keyNumbers[slot]!]!;
      const position = nextPosition[key]!++;
      const flags = flagsAndOrdinals[slot]! >>> ORDINAL_BITS;
      postings[position] = place | (flags << POSTING.flagShift);
      postingOf[slot] = position;
      if (bound > best[key]!) best[key] = bound;
      if (isMainFromStart(flags)) main[key] = 1;
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
    postingName: fillWith(new Uint8Array(flagsAndOrdinals.length), (slot) => flagsAndOrdinals[slot]! & ORDINAL_MASK),
  };
}

/** Scales an importance from 0..65535 to 0..255 (65535 = 255 × 257), rounding up. */
function importanceBound(importance: number): number {
  return Math.ceil(importance / 257);
}

/** Lists the postings in the order of places: a posting's index in these lists is its slot. */
function collectKeys({ store, rows }: RankedPlaces, onPlaces: NameProgress['onPlaces']) {
  const table = new KeyTable();
  const keyNumbers = new GrowingArray(Uint32Array);
  const flagsAndOrdinals = new GrowingArray(Uint32Array);
  const placePostings = new Uint32Array(rows.length + 1);
  rows.forEach((row, place) => {
    if (place % PROGRESS_STEP === 0) onPlaces(place);
    for (const [key, { flags, ordinal }] of createKeys(store.names(row))) {
      keyNumbers.push(table.add(key));
      flagsAndOrdinals.push((flags << ORDINAL_BITS) | ordinal);
    }
    placePostings[place + 1] = keyNumbers.length;
  });
  return { table, keyNumbers: keyNumbers.view(), flagsAndOrdinals: flagsAndOrdinals.view(), placePostings };
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
