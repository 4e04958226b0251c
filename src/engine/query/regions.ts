/** Region words: which countries, states and counties a run of words may mean. */
import type { Index } from '../../index-file/layout.ts';
import { openTrie } from '../../index-file/trie.ts';
import { KeyTrie } from '../trie/key-trie.ts';
import { MatchRanges } from '../trie/match-ranges.ts';
import { TypoWalk } from '../trie/typo-walk.ts';
import type { WorkBudget } from '../work-budget.ts';

const NONE = new Uint32Array();
/** Fewer letters than this are not taken for the beginning of a region's name. */
const MIN_PREFIX = 2;
/** Nor, with fewer than this, for a misspelt one. */
const MIN_TYPO = 5;
const MAX_CACHED = 256;

interface Misspelt {
  readonly regions: Uint32Array;
  /** What finding them cost. */
  readonly work: number;
}

export class Regions {
  private readonly keys: KeyTrie;
  private readonly postings: Uint32Array;
  private readonly walk: TypoWalk;
  private readonly ranges = new MatchRanges();
  private readonly work: WorkBudget;
  /** One query asks about the same words many times. */
  private readonly begunMisspelt = new Map<string, Misspelt>();
  private readonly wholeMisspelt = new Map<string, Misspelt>();

  constructor(index: Index, work: WorkBudget) {
    this.work = work;
    this.postings = index.regionPostings;
    this.keys = new KeyTrie(openTrie(index, 'regionTrie'), index.regionPostings.length);
    this.walk = new TypoWalk(this.keys, work);
  }

  /** Regions of exactly this name. */
  named(text: string): Uint32Array {
    return this.keys.find(text) ? this.postings.subarray(this.keys.lo, this.keys.exactEnd) : NONE;
  }

  /** Regions whose name begins so. */
  beginning(text: string): Uint32Array {
    if (text.length < MIN_PREFIX || !this.keys.find(text)) return NONE;
    return this.postings.subarray(this.keys.lo, this.keys.hi);
  }

  /** Regions named so but for one typing error; `isPrefix` when the name may go on. */
  misspelt(text: string, isPrefix: boolean): Uint32Array {
    if (text.length < MIN_TYPO) return NONE;
    const kept = isPrefix ? this.begunMisspelt : this.wholeMisspelt;
    const known = kept.get(text);
    // charged as if it were not known, so that what a search finds does not depend on the searches before it
    if (known !== undefined) return this.work.spend(known.work) ? known.regions : NONE;
    const usedBefore = this.work.used;
    const regions = this.findMisspelt(text, isPrefix);
    // a walk that was cut short must not be remembered
    if (this.work.isUsedUp) return NONE;
    if (kept.size === MAX_CACHED) kept.clear();
    kept.set(text, { regions, work: this.work.used - usedBefore });
    return regions;
  }

  private findMisspelt(text: string, isPrefix: boolean): Uint32Array {
    const { ranges } = this;
    ranges.clear();
    this.walk.collectInto(ranges, { text, maxTypos: 1, isPrefix, minImportance: [0, 0] });
    const found = new Set<number>();
    for (let i = 0; i < ranges.count; i++) {
      for (const region of this.postings.subarray(ranges.lo[i], ranges.hi[i])) found.add(region);
    }
    return Uint32Array.from(found);
  }
}
