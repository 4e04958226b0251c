/** Builds the search sections: the trie of names, and its postings by key and by place. */
import { GrowingArray } from '../../collections/growing-array.ts';
import { fillWith } from '../../collections/typed-array.ts';
import type { Sections } from '../../index-file/layout.ts';
import { POSTING, postingClass } from '../../index-file/posting.ts';
import type { RankedPlaces } from '../rank-places.ts';
import { KeyTable } from './key-table.ts';
import { createKeys } from './name-keys.ts';
import { buildRangeTops } from './range-tops.ts';
import { buildTrie } from './trie.ts';

export type NameSections = Pick<
  Sections,
  | 'nameTrieChar'
  | 'nameTrieChild'
  | 'nameTrieTail'
  | 'nameTrieValue'
  | 'nameTrieBest'
  | 'nameTrieMain'
  | 'nameTrieGaps'
  | 'nameTrieMainGaps'
  | 'nameTrieTails'
  | 'postings'
  | 'postingBlocks'
  | 'runLo'
  | 'runHi'
  | 'runStart'
  | 'runTops'
  | 'placePostings'
  | 'postingOf'
  | 'postingName'
>;

/** While building, one number stores the flags of a posting and the ordinal of its name. */
const ORDINAL_BITS = 8;
const ORDINAL_MASK = 0xff;
/** Places between two progress reports. */
const PROGRESS_STEP = 10_000;

export interface NameProgress {
  /** Called with the number of places whose names have been read. */
  readonly onPlaces: (done: number) => void;
  /** Called when all names have been read, with the number of keys to sort. */
  readonly onKeys: (keys: number) => void;
}

export function buildNameIndex(ranked: RankedPlaces, { onPlaces, onKeys }: NameProgress): NameSections {
  const { rows, importance } = ranked;
  const { table, keyNumbers, flagsAndOrdinals, placePostings } = collectKeys(ranked, onPlaces);
  onKeys(table.size);
  const keys = table.sort();
  const { rank } = keys;
  const starts = postingStarts(keyNumbers, rank);
  const cursor = starts.slice();
  const postings = new Uint32Array(keyNumbers.length);
  const postingOf = new Uint32Array(keyNumbers.length);
  const best = new Uint8Array(rank.length);
  const main = new Uint8Array(rank.length);
  for (let place = 0; place < rows.length; place++) {
    const bound = upperBound(importance[place]!);
    for (let slot = placePostings[place]!; slot < placePostings[place + 1]!; slot++) {
      const key = rank[keyNumbers[slot]!]!;
      const position = cursor[key]!++;
      const posting = place | ((flagsAndOrdinals[slot]! >>> ORDINAL_BITS) << POSTING.flagShift);
      postings[position] = posting;
      postingOf[slot] = position;
      if (bound > best[key]!) best[key] = bound;
      if (postingClass(posting) === 0) main[key] = 1;
    }
  }
  const trie = buildTrie({ keys, starts, best, main });
  const { runLo, runHi, runStart, tops } = buildRangeTops(trie, postings);
  return {
    nameTrieChar: trie.char,
    nameTrieChild: trie.child,
    nameTrieTail: trie.tail,
    nameTrieValue: trie.value,
    nameTrieBest: trie.best,
    nameTrieMain: trie.main,
    nameTrieGaps: trie.gaps,
    nameTrieMainGaps: trie.mainGaps,
    nameTrieTails: trie.tails,
    postings,
    postingBlocks: blockMinima(postings),
    runLo,
    runHi,
    runStart,
    runTops: tops,
    placePostings,
    postingOf,
    postingName: fillWith(new Uint8Array(flagsAndOrdinals.length), (slot) => flagsAndOrdinals[slot]! & ORDINAL_MASK),
  };
}

/** An 8-bit upper bound of a 16-bit importance. */
function upperBound(importance: number): number {
  return Math.min(255, Math.ceil(importance / 257));
}

function collectKeys({ store, rows }: RankedPlaces, onPlaces: NameProgress['onPlaces']) {
  const table = new KeyTable();
  const keyNumbers = new GrowingArray(Uint32Array);
  const flagsAndOrdinals = new GrowingArray(Uint32Array);
  const placePostings = new Uint32Array(rows.length + 1);
  rows.forEach((row, id) => {
    if (id % PROGRESS_STEP === 0) onPlaces(id);
    for (const [key, { flags, ordinal }] of createKeys(store.names(row))) {
      keyNumbers.push(table.add(key));
      flagsAndOrdinals.push((flags << ORDINAL_BITS) | ordinal);
    }
    placePostings[id + 1] = keyNumbers.length;
  });
  return { table, keyNumbers: keyNumbers.view(), flagsAndOrdinals: flagsAndOrdinals.view(), placePostings };
}

/** Start of each key's postings, and one more entry for the end. */
function postingStarts(keyNumbers: Uint32Array, rank: Uint32Array): Uint32Array {
  const starts = new Uint32Array(rank.length + 1);
  for (const key of keyNumbers) starts[rank[key]! + 1]!++;
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
