/**
 * Lists the most important places of each long range of postings that a prefix can lead to, so that
 * a search need not read the range. The sections of the index call such a range a run. There is one
 * list per class of match, because a match by an alternate name or a later word counts less, and
 * the engine decides how much less.
 */
import { GrowingArray } from '../../collections/growing-array.ts';
import { POSTING, postingClass, postingCost } from '../../index-file/posting.ts';
import type { Trie } from '../../index-file/trie.ts';

export interface RangeTops {
  /** Ranges, ordered by start, then by end. */
  readonly runLo: Uint32Array;
  readonly runHi: Uint32Array;
  /** Start of each range's lists in `runTops`, and one more entry for the end. */
  readonly runStart: Uint32Array;
  /** Three lists per range, each: its length, the postings ordered by place id, their positions. */
  readonly runTops: Uint32Array;
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
    for (const list of bestPositions(range, postings)) {
      tops.push(list.length);
      for (const position of list) tops.push(postings[position]!);
      for (const position of list) tops.push(position);
    }
  }
  starts.push(tops.length);
  return {
    runLo: Uint32Array.from(ranges, ({ lo }) => lo),
    runHi: Uint32Array.from(ranges, ({ hi }) => hi),
    runStart: starts.toArray(),
    runTops: tops.toArray(),
  };
}

/** Lists, for each node, the range of all its keys, and of the keys that continue its last word. */
function longRanges({ char, child, value }: Trie, postingCount: number): Range[] {
  const ranges: Range[] = [];
  const add = (lo: number, hi: number) => {
    if (hi - lo > POSTING.longRange) ranges.push({ lo, hi });
  };
  const pending: { node: number; hi: number }[] = [{ node: 0, hi: postingCount }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, hi } = next;
    const firstChild = child[node]!;
    const childEnd = child[node + 1]!;
    add(value[node]!, hi);
    // a space sorts first; the other children continue the last word
    const firstContinued = char[firstChild] === SPACE ? firstChild + 1 : firstChild;
    if (firstContinued < childEnd) add(value[firstContinued]!, hi);
    for (let i = firstChild; i < childEnd; i++) {
      const childHi = i + 1 < childEnd ? value[i + 1]! : hi;
      if (childHi - value[i]! > POSTING.longRange) pending.push({ node: i, hi: childHi });
    }
  }
  return ranges
    .sort((a, b) => a.lo - b.lo || a.hi - b.hi)
    .filter(({ lo, hi }, i, all) => i === 0 || lo !== all[i - 1]!.lo || hi !== all[i - 1]!.hi);
}

/** Positions of the best postings of a range, by class of match. */
function bestPositions({ lo, hi }: Range, postings: Uint32Array): number[][] {
  const lists = POSTING.topSizes.map((size) => new LowestPlaces(size));
  for (let position = lo; position < hi; position++) {
    const posting = postings[position]!;
    lists[postingClass(posting)]!.offer(posting, position);
  }
  return lists.map(({ positions }) => positions);
}

/** Keeps the positions of the best postings of the lowest place ids, one per place. */
class LowestPlaces {
  readonly positions: number[] = [];
  private readonly places: number[] = [];
  private readonly costs: number[] = [];
  private readonly size: number;

  constructor(size: number) {
    this.size = size;
  }

  offer(posting: number, position: number): void {
    const { places, positions, costs } = this;
    const place = posting & POSTING.placeMask;
    if (places.length === this.size && place > places[this.size - 1]!) return;
    let at = places.length;
    while (at > 0 && places[at - 1]! >= place) at--;
    const isPresent = places[at] === place;
    const cost = postingCost(posting);
    if (isPresent && costs[at]! <= cost) return;
    const replaced = isPresent ? 1 : 0;
    places.splice(at, replaced, place);
    positions.splice(at, replaced, position);
    costs.splice(at, replaced, cost);
    if (places.length > this.size) {
      places.pop();
      positions.pop();
      costs.pop();
    }
  }
}
