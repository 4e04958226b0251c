/**
 * For each long run of postings that a prefix can lead to, its most important places, found once instead of at every
 * keystroke. Kept apart by how a posting matches, because a match by another name or a later word is worth less, and
 * by how much is not decided here.
 */

import { GrowingArray } from '../../collections/growing-array.ts';
import { POSTING, postingClass, postingCost } from '../../index-file/posting.ts';
import type { Trie } from '../../index-file/trie.ts';

export interface RunTops {
  /** Runs by where they start, then by where they end. */
  readonly runLo: Uint32Array;
  readonly runHi: Uint32Array;
  /** Where each run's list starts in `tops`; one more entry for the end. */
  readonly runStart: Uint32Array;
  /** Of each run, three lists: their length, postings by place id, where each posting is. */
  readonly tops: Uint32Array;
}

interface Run {
  readonly lo: number;
  readonly hi: number;
}

const SPACE = 0x20;

export function buildRunTops(trie: Trie, postings: Uint32Array): RunTops {
  const runs = longRuns(trie, postings.length);
  const starts = new GrowingArray(Uint32Array);
  const tops = new GrowingArray(Uint32Array);
  for (const run of runs) {
    starts.push(tops.length);
    for (const list of bestOf(run, postings)) {
      tops.push(list.length);
      for (const position of list) tops.push(postings[position]!);
      for (const position of list) tops.push(position);
    }
  }
  starts.push(tops.length);
  return {
    runLo: Uint32Array.from(runs, ({ lo }) => lo),
    runHi: Uint32Array.from(runs, ({ hi }) => hi),
    runStart: starts.toArray(),
    tops: tops.toArray(),
  };
}

/** All that is below a node, and that without the node's own key and the keys that go on with a further word. */
function longRuns({ char, child, value }: Trie, end: number): Run[] {
  const runs: Run[] = [];
  const add = (lo: number, hi: number) => {
    if (hi - lo > POSTING.longRange) runs.push({ lo, hi });
  };
  const nodes: { node: number; hi: number }[] = [{ node: 0, hi: end }];
  for (let next = nodes.pop(); next !== undefined; next = nodes.pop()) {
    const { node, hi } = next;
    const first = child[node]!;
    const last = child[node + 1]!;
    add(value[node]!, hi);
    if (first === last) continue;
    const unfinished = first + (char[first] === SPACE ? 1 : 0);
    if (unfinished < last && value[unfinished]! > value[node]!) add(value[unfinished]!, hi);
    for (let i = first; i < last; i++) {
      const childHi = i + 1 < last ? value[i + 1]! : hi;
      if (childHi - value[i]! > POSTING.longRange) nodes.push({ node: i, hi: childHi });
    }
  }
  return runs
    .sort((a, b) => a.lo - b.lo || a.hi - b.hi)
    .filter(({ lo, hi }, i, all) => i === 0 || lo !== all[i - 1]!.lo || hi !== all[i - 1]!.hi);
}

function bestOf({ lo, hi }: Run, postings: Uint32Array): number[][] {
  const lists = POSTING.topSizes.map((size) => new LowestPlaces(size));
  for (let position = lo; position < hi; position++) {
    const posting = postings[position]!;
    lists[postingClass(posting)]!.offer(posting, position);
  }
  return lists.map(({ positions }) => positions);
}

/** The positions of the lowest place ids offered, each place once, with its best posting. */
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
    const isThere = places[at] === place;
    const cost = postingCost(posting);
    if (isThere && costs[at]! <= cost) return;
    places.splice(at, Number(isThere), place);
    positions.splice(at, Number(isThere), position);
    costs.splice(at, Number(isThere), cost);
    if (places.length > this.size) {
      places.pop();
      positions.pop();
      costs.pop();
    }
  }
}
