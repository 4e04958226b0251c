/**
 * Lists the most important places of each long range of postings that a prefix can lead to, so that
 * a search need not read the range. Each class of match has its own list, because only the engine
 * knows how the classes compare.
 */
import { GrowingArray } from '../../collections/typed-array.ts';
import { POSTING, postingClass, postingCost } from '../../index-file/posting.ts';
import type { Trie } from '../../index-file/trie.ts';

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

export function buildRangeTops(trie: Trie, postings: Uint32Array): RangeTops {
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
