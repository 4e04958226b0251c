/**
 * Ranges of postings whose keys match a text, and how they match. The position of a posting is its
 * index among all postings of the trie.
 */
import { grown } from '../collections/typed-array.ts';
import type { KeyTrie } from './key-trie.ts';

/** How a key matches a text, typos aside: it is the text, has more words or a longer last word. */
export const MATCH = { whole: 0, moreWords: 1, unfinished: 2 } as const;

export class MatchRanges {
  count = 0;
  /** A posting in two ranges counts twice. */
  totalLength = 0;
  maxLength = 0;
  lo = new Uint32Array(256);
  /** Position after the last posting of each range. */
  hi = new Uint32Array(256);
  /** Values of MATCH. */
  match = new Uint8Array(256);
  typos = new Uint8Array(256);

  clear(): void {
    this.count = 0;
    this.totalLength = 0;
    this.maxLength = 0;
  }

  add(lo: number, hi: number, match: number, typos: number): void {
    if (lo >= hi) return;
    if (this.count === this.lo.length) this.grow();
    const i = this.count++;
    this.totalLength += hi - lo;
    if (hi - lo > this.maxLength) this.maxLength = hi - lo;
    this.lo[i] = lo;
    this.hi[i] = hi;
    this.match[i] = match;
    this.typos[i] = typos;
  }

  /** Adds the ranges of the trie's last lookup, that of longer last words only if `isPrefix`. */
  addKeyRanges({ lo, exactEnd, moreWordsEnd, hi }: KeyTrie, typos: number, isPrefix: boolean): void {
    this.add(lo, exactEnd, MATCH.whole, typos);
    this.add(exactEnd, moreWordsEnd, MATCH.moreWords, typos);
    if (isPrefix) this.add(moreWordsEnd, hi, MATCH.unfinished, typos);
  }

  private grow(): void {
    this.lo = grown(this.lo);
    this.hi = grown(this.hi);
    this.match = grown(this.match);
    this.typos = grown(this.typos);
  }
}

export const TYPO_LEVELS = 3; // 0, 1 or 2 typos

interface RangesWithSets {
  readonly ranges: MatchRanges;
  /** The number (0..31) of the set of range `r`. */
  setNumberOf(r: number): number;
}

/**
 * Looks up which sets of ranges contain a posting. A set is, for example, all ranges of one query
 * word. The ranges may overlap, so they are cut into disjoint segments. One binary search finds the
 * segment of a posting.
 */
export class RangeMasks {
  /** Starts of the segments, ascending; the first is 0. */
  private readonly starts: Uint32Array;
  /** At `segment * TYPO_LEVELS + typos`: a bit for each set that contains the segment. */
  private readonly masks: Uint32Array;
  /** By number of typos: a bit for each set that `addSetsAt` has added since `clear`. */
  readonly found = new Uint32Array(TYPO_LEVELS);

  constructor(rangeLists: readonly RangesWithSets[]) {
    const starts = [0];
    const masks = [0, 0, 0];
    // by `setAndTypos`: the number of ranges that contain the position
    const openCounts = new Map<number, number>();
    const current = [0, 0, 0]; // by number of typos: the mask at the position
    for (const { position, set, typos, change } of boundariesOf(rangeLists)) {
      const setAndTypos = set * TYPO_LEVELS + typos;
      const count = (openCounts.get(setAndTypos) ?? 0) + change;
      openCounts.set(setAndTypos, count);
      current[typos] = count > 0 ? current[typos]! | (1 << set) : current[typos]! & ~(1 << set);
      if (starts.at(-1) !== position) {
        starts.push(position);
        masks.push(0, 0, 0);
      }
      for (let level = 0; level < TYPO_LEVELS; level++) masks[masks.length - TYPO_LEVELS + level] = current[level]!;
    }
    this.starts = Uint32Array.from(starts);
    this.masks = Uint32Array.from(masks);
  }

  clear(): void {
    this.found[0] = 0;
    this.found[1] = 0;
    this.found[2] = 0;
  }

  /** Adds the sets that contain the posting at this position to `found`. */
  addSetsAt(position: number): void {
    const { starts, masks, found } = this;
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (starts[middle]! <= position) low = middle;
      else high = middle;
    }
    found[0]! |= masks[low * TYPO_LEVELS]!;
    found[1]! |= masks[low * TYPO_LEVELS + 1]!;
    found[2]! |= masks[low * TYPO_LEVELS + 2]!;
  }
}

/** The starts and ends of all ranges, in order. `change` is 1 at a start and -1 at an end. */
function boundariesOf(rangeLists: readonly RangesWithSets[]) {
  const boundaries: { position: number; set: number; typos: number; change: 1 | -1 }[] = [];
  for (const { ranges, setNumberOf } of rangeLists) {
    for (let r = 0; r < ranges.count; r++) {
      const set = setNumberOf(r);
      const typos = ranges.typos[r]!;
      boundaries.push({ position: ranges.lo[r]!, set, typos, change: 1 });
      boundaries.push({ position: ranges.hi[r]!, set, typos, change: -1 });
    }
  }
  return boundaries.sort((a, b) => a.position - b.position);
}
