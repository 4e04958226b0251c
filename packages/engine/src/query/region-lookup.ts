/** Looks up the countries, states and counties that words may name. */
import type { Index } from '../index-file/layout.ts';
import { readText } from '../index-file/packed-record.ts';
import { openTrie } from '../index-file/trie.ts';
import { fold } from '../text/fold.ts';
import { KeyTrie } from '../trie/key-trie.ts';
import { MatchRanges } from '../trie/match-ranges.ts';
import { TypoWalk } from '../trie/typo-walk.ts';
import type { WorkBudget } from '../work-budget.ts';

const NO_REGIONS = new Uint32Array();
/** Minimum importance by number of typos (0, 1). Regions have no importance. */
const NO_MIN_IMPORTANCE = [0, 0];
const MIN_MISSPELT_LENGTH = 5;

export class RegionLookup {
  /** The trie of region names. Its `find` sets `lo`, `exactEnd` and `hi`. */
  private readonly keys: KeyTrie;
  /** Region ids ordered by name, so that names with the same start are one range. */
  private readonly regionIds: Uint32Array;
  private readonly index: Index;
  /** Folded names by region id, as far as they were read. */
  private readonly foldedNames: (string | undefined)[] = [];
  private readonly walk: TypoWalk;
  private readonly ranges = new MatchRanges();
  private readonly work: WorkBudget;

  constructor(index: Index, work: WorkBudget) {
    this.work = work;
    this.regionIds = index.regionPostings;
    this.index = index;
    this.keys = new KeyTrie(openTrie(index, 'regionTrie'), index.regionPostings.length);
    this.walk = new TypoWalk(this.keys, work);
  }

  /** 0 for a country, 1 and 2 for divisions. */
  levelOf(region: number): number {
    return this.index.regionLevel[region]!;
  }

  /** Whether the region's own name, not an alias, starts with the text. */
  ownNameStartsWith(region: number, text: string): boolean {
    return this.foldedName(region).startsWith(text);
  }

  /** Whether a country or first-level division has exactly this name, which is no alias. */
  isOwnName(text: string): boolean {
    return this.named(text).some((region) => this.levelOf(region) < 2 && this.foldedName(region) === text);
  }

  private foldedName(region: number): string {
    this.foldedNames[region] ??= fold(readText(this.index, this.index.regionText[region]!));
    return this.foldedNames[region];
  }

  /** Whether the name of any region starts with the text. */
  startsName(text: string): boolean {
    return this.keys.find(text);
  }

  named(text: string): Uint32Array {
    const { keys } = this;
    if (!this.startsName(text) || keys.lo === keys.exactEnd) return NO_REGIONS;
    return this.regionIds.subarray(keys.lo, keys.exactEnd);
  }

  startingWith(text: string): Uint32Array {
    if (!this.startsName(text)) return NO_REGIONS;
    return this.regionIds.subarray(this.keys.lo, this.keys.hi);
  }

  /**
   * Countries and first-level divisions whose own name starts with the text. None if the work is
   * used up.
   */
  ownNamesStartingWith(text: string): Uint32Array {
    const regions = this.startingWith(text);
    if (!this.work.spend(regions.length)) return NO_REGIONS;
    const isOwn = (region: number) => this.levelOf(region) < 2 && this.ownNameStartsWith(region, text);
    return Uint32Array.from(new Set(regions.filter(isOwn)));
  }

  /** Regions whose name starts with the text within one typo. None if the work is used up. */
  misspelt(text: string, isPrefix: boolean): Uint32Array {
    if (text.length < MIN_MISSPELT_LENGTH) return NO_REGIONS;
    const { ranges } = this;
    ranges.clear();
    this.walk.collectInto(ranges, { text, maxTypos: 1, isPrefix, minImportance: NO_MIN_IMPORTANCE });
    const found = new Set<number>();
    for (let i = 0; i < ranges.count; i++) {
      for (const region of this.regionIds.subarray(ranges.lo[i], ranges.hi[i])) found.add(region);
    }
    return this.work.isUsedUp ? NO_REGIONS : Uint32Array.from(found);
  }
}
