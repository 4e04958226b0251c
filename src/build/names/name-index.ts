/** Builds the search sections: the trie of names, and its postings by key and by place. */
import { GrowingArray } from '../../collections/typed-array.ts';
import { isMainFromStart, POSTING, postingClass, postingCost } from '../../index-file/posting.ts';
import type { Trie } from '../../index-file/trie.ts';
import type { RankedPlaces } from '../rank-places.ts';
import { KeyTable } from './key-table.ts';
import { createKeys } from './name-keys.ts';
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

interface RangeTops {
  /** Ranges, ordered by start, then by end. */
  readonly rangeStart: Uint32Array;
  readonly rangeEnd: Uint32Array;
  /** Where the lists of each range start in `rangeTops`, and one more entry for the end. */
  readonly rangeTopsStart: Uint32Array;
  /** Per range three lists: [length, …postings by importance, …their positions in `postings`]. */
  readonly rangeTops: Uint32Array;
}

interface Range {
  readonly lo: number;
  readonly hi: number;
}

const SPACE = 0x20;

/**
 * Lists the most important places of each long range of postings that a prefix can lead to, so that
 * a search need not read the range. Each class of match has its own list, because only the engine
 * knows how the classes compare.
 */
function buildRangeTops(trie: Trie, postings: Uint32Array): RangeTops {
  const ranges = longRanges(trie, postings.length);
  const starts = new GrowingArray(Uint32Array);
  const tops = new GrowingArray(Uint32Array);
  for (const range of ranges) {
    starts.push(tops.length);
    for (const list of topPositions(range, postings)) {
      tops.push(list.length);
      for (const position of list) tops.push(postings[position]!);
      for (const position of list) tops.push(position);
    }
  }
  starts.push(tops.length);
  return {
    rangeStart: Uint32Array.from(ranges, ({ lo }) => lo),
    rangeEnd: Uint32Array.from(ranges, ({ hi }) => hi),
    rangeTopsStart: starts.toArray(),
    rangeTops: tops.toArray(),
  };
}

/**
 * A node has two ranges: the postings of all keys at or below it, and those of the keys that
 * continue its last word.
 */
function longRanges({ edgeLetter, childStart, postingStart }: Trie, postingCount: number): Range[] {
  const ranges: Range[] = [];
  const isLong = (lo: number, hi: number) => hi - lo > POSTING.longRange;
  const addIfLong = (lo: number, hi: number) => {
    if (isLong(lo, hi)) ranges.push({ lo, hi });
  };
  const pending: { node: number; hi: number }[] = [{ node: 0, hi: postingCount }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, hi } = next;
    const firstChild = childStart[node]!;
    const childEnd = childStart[node + 1]!;
    addIfLong(postingStart[node]!, hi);
    // the child that starts a new word sorts first
    const firstContinued = edgeLetter[firstChild] === SPACE ? firstChild + 1 : firstChild;
    if (firstContinued < childEnd) addIfLong(postingStart[firstContinued]!, hi);
    for (let i = firstChild; i < childEnd; i++) {
      const childHi = i + 1 < childEnd ? postingStart[i + 1]! : hi;
      if (isLong(postingStart[i]!, childHi)) pending.push({ node: i, hi: childHi });
    }
  }
  return ranges
    .sort((a, b) => a.lo - b.lo || a.hi - b.hi)
    .filter(({ lo, hi }, i, all) => lo !== all[i - 1]?.lo || hi !== all[i - 1]?.hi);
}

/** By class of match. A place is given as the position of its posting with the lowest cost. */
function topPositions({ lo, hi }: Range, postings: Uint32Array): number[][] {
  const placeAt = (position: number) => postings[position]! & POSTING.placeMask; // lower is more important
  const lists: number[][] = POSTING.topSizes.map(() => []);
  for (let position = lo; position < hi; position++) {
    const posting = postings[position]!;
    const place = placeAt(position);
    const list = lists[postingClass(posting)]!;
    const maxLength = POSTING.topSizes[postingClass(posting)];
    if (list.length === maxLength && place > placeAt(list[maxLength - 1]!)) continue;
    let at = list.length;
    while (at > 0 && placeAt(list[at - 1]!) >= place) at--;
    const isListed = at < list.length && placeAt(list[at]!) === place;
    if (isListed && postingCost(postings[list[at]!]!) <= postingCost(posting)) continue;
    list.splice(at, isListed ? 1 : 0, position);
    if (list.length > maxLength) list.pop();
  }
  return lists;
}
