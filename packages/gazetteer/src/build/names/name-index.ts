/** Builds the search sections: the trie of names, and its postings by key and by place. */
import { GrowingArray } from 'toponym-engine/collections/typed-array';
import { isMainFromStart, POSTING, postingClass, postingCost } from 'toponym-engine/index-file/posting';
import { type Trie, trieSections } from 'toponym-engine/index-file/trie';
import type { PlaceStore } from '../place-store.ts';
import type { RankedPlaces } from '../rank-places.ts';
import { KeyTable } from './key-table.ts';
import { createKeys } from './name-keys.ts';
import { buildTrie } from './trie.ts';

const ROWS_PER_PROGRESS_REPORT = 10_000;

interface NameProgress {
  readonly onRows: (done: number) => void;
  /** Called once, when all names have been read. */
  readonly onKeys: (keys: number) => void;
}

export type NameSections = ReturnType<NameIndexBuilder['build']>;

/**
 * Creates keys while places are read, before their dense ids are known: row by row, and in the order
 * of dense ids only at the end. A pair of a row and one of its keys is an entry; those of ranked rows
 * become slots.
 */
export class NameIndexBuilder {
  private readonly onProgress: NameProgress;
  private table = new KeyTable();
  private entries = createEntries();

  constructor(onProgress: NameProgress) {
    this.onProgress = onProgress;
  }

  /** Creates the keys of the rows that are new since the last call. */
  addRows(store: Pick<PlaceStore, 'names' | 'country'>, rowCount: number): void {
    const { ends, keyNumbers, flags, ordinals } = this.entries;
    for (let row = ends.length; row < rowCount; row++) {
      if (row % ROWS_PER_PROGRESS_REPORT === 0) this.onProgress.onRows(row);
      for (const [key, origin] of createKeys(store.names(row), store.country(row))) {
        keyNumbers.push(this.table.add(key));
        flags.push(origin.flags);
        ordinals.push(origin.ordinal);
      }
      ends.push(keyNumbers.length);
    }
  }

  /** Rows that are not ranked are left out, and the keys that only those have. Call it once. */
  build(ranked: Pick<RankedPlaces, 'rows' | 'importance'>) {
    const { trie, ...slots } = this.buildTrieAndSlots(ranked);
    return {
      ...trieSections(trie, 'nameTrie'),
      postingBlocks: blockMinima(slots.postings),
      ...buildRangeTops(trie, slots.postings),
      ...slots,
    };
  }

  private buildTrieAndSlots(ranked: Pick<RankedPlaces, 'rows' | 'importance'>) {
    const { trieInput, ...slots } = this.createSlots(ranked);
    // frees memory for the trie
    this.table = new KeyTable();
    this.entries = createEntries();
    return { trie: buildTrie(trieInput), ...slots };
  }

  private createSlots({ rows, importance }: Pick<RankedPlaces, 'rows' | 'importance'>) {
    const ends = this.entries.ends.view();
    const keyNumbers = this.entries.keyNumbers.view();
    const firstEntry = (row: number) => (row === 0 ? 0 : ends[row - 1]!);
    const postingCounts = new Uint32Array(this.table.size); // by key number
    for (const row of rows) {
      for (let entry = firstEntry(row); entry < ends[row]!; entry++) postingCounts[keyNumbers[entry]!]!++;
    }
    this.onProgress.onKeys(postingCounts.reduce((keys, count) => keys + Math.min(count, 1), 0));
    const { keys, order, rank } = this.table.sort((keyNumber) => postingCounts[keyNumber] !== 0);
    const starts = postingStarts(order, postingCounts);
    const nextPosition = starts.slice(); // by key
    const slotCount = starts[order.length]!;
    const placeSlots = new Uint32Array(rows.length + 1);
    const postings = new Uint32Array(slotCount);
    const slotPosting = new Uint32Array(slotCount);
    const slotName = new Uint8Array(slotCount);
    const maxImportance = new Uint8Array(order.length);
    const mainFromStart = new Uint8Array(order.length);
    let slot = 0;
    for (let place = 0; place < rows.length; place++) {
      const byteImportance = Math.ceil(importance[place]! / 257); // 0..255, because 65535 = 255 × 257
      const row = rows[place]!;
      for (let entry = firstEntry(row); entry < ends[row]!; entry++) {
        const key = rank[keyNumbers[entry]!]!;
        const flags = this.entries.flags.at(entry);
        const position = nextPosition[key]!++;
        postings[position] = place | (flags << POSTING.flagShift);
        slotPosting[slot] = position;
        slotName[slot++] = this.entries.ordinals.at(entry);
        maxImportance[key] = Math.max(maxImportance[key]!, byteImportance);
        if (isMainFromStart(flags)) mainFromStart[key] = 1;
      }
      placeSlots[place + 1] = slot;
    }
    const trieInput = { keys, postingStarts: starts, maxImportance, mainFromStart };
    return { trieInput, postings, placeSlots, slotPosting, slotName };
  }
}

function createEntries() {
  return {
    /** Exclusive end of the entries of each row. */
    ends: new GrowingArray(Uint32Array),
    // by entry
    keyNumbers: new GrowingArray(Uint32Array),
    flags: new GrowingArray(Uint8Array),
    ordinals: new GrowingArray(Uint8Array),
  };
}

/** In sorted order of keys, with one more entry for the end. */
function postingStarts(order: Uint32Array, postingCounts: Uint32Array): Uint32Array {
  const starts = new Uint32Array(order.length + 1);
  for (let key = 0; key < order.length; key++) starts[key + 1] = starts[key]! + postingCounts[order[key]!]!;
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
    rangeTops: tops.view(),
  };
}

/** Two ranges of a node: postings of all keys at or below it, and of keys that continue its last word. */
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
