/**
 * Matches each word of a query by itself, in any order, with any of a place's names or regions. The
 * scan starts from the rarest word, so it reads few places.
 */
import type { Index } from '../index-file/layout.ts';
import { POSTING } from '../index-file/posting.ts';
import { isLatin } from '../query/interpretations.ts';
import type { RegionLookup } from '../query/region-lookup.ts';
import { type Candidates, WITH_NEARNESS } from '../rank/candidates.ts';
import type { PlaceFilter } from '../rank/place-filter.ts';
import { PENALTIES } from '../rank/scores.ts';
import type { Word } from '../text/fold.ts';
import { PARTICLES } from '../text/words.ts';
import type { KeyTrie } from '../trie/key-trie.ts';
import { MATCH, MatchRanges, RangeMasks } from '../trie/match-ranges.ts';
import { ONE_TYPO_MIN_LENGTH, type TypoWalk } from '../trie/typo-walk.ts';
import type { WorkBudget } from '../work-budget.ts';
import type { InterpretationSearch, SearchScope } from './interpretation-search.ts';
import type { SearchContext } from './search-context.ts';

/** The scan starts from no word with more postings than this. */
const MAX_START_POSTINGS = 5_000;
/** Further words are ignored. */
const MAX_WORDS = 12;
/** A shorter last word must match a whole word: as a prefix it would match almost anything. */
const MIN_PREFIX_LENGTH = 4;
// Units of work (work-budget.ts):
const FILTERED_POSTING_WORK = 4;
const COMPARED_PLACE_WORK = 4;
const COMPARED_POSTING_WORK = 3;
/** Share of the work budget (0..1) set aside for comparing places. */
const COMPARING_SHARE = 0.1;

export type WordFit = 'exact' | 'misspelt' | 'missing';

interface WordMatches {
  /** Keys that start with the word, perhaps misspelt. */
  readonly ranges: MatchRanges;
  readonly regions: ReadonlySet<number>;
  /** Highest importance (0..1) of the places that have the word. */
  readonly importance: number;
  readonly isMisspeltRegion: boolean;
  readonly penaltyIfMissing: number;
  /** True for articles, prepositions and conjunctions. */
  readonly isOptional: boolean;
}

export class WordByWordScan {
  private readonly index: Index;
  private readonly keys: KeyTrie;
  private readonly walk: TypoWalk;
  private readonly regionLookup: RegionLookup;
  private readonly candidates: Candidates;
  private readonly work: WorkBudget;
  private readonly search: InterpretationSearch;
  private matches: readonly WordMatches[] = [];
  /** What every place loses at least. */
  private leastPenalty = 0;
  private masks = new RangeMasks([]);
  /** By region: a bit for each word that names it. */
  private regionMasks = new Map<number, number>();

  constructor(context: SearchContext, search: InterpretationSearch, regionLookup: RegionLookup) {
    const { keys, walk } = search;
    this.search = search;
    this.index = context.index;
    this.keys = keys;
    this.walk = walk;
    this.regionLookup = regionLookup;
    this.candidates = context.candidates;
    this.work = context.work;
  }

  scan(words: readonly Word[], { allowsTypos, filter }: Pick<SearchScope, 'allowsTypos' | 'filter'>): void {
    const reserved = this.work.reserve(COMPARING_SHARE);
    const matches = words
      .slice(0, MAX_WORDS)
      .map((word, i) => this.findMatches(word, { isLast: i === words.length - 1, allowsTypos }));
    this.work.release(reserved);
    this.matches = matches;
    const unknown = matches.filter(
      ({ ranges, regions, isOptional }) => ranges.count === 0 && regions.size === 0 && !isOptional,
    );
    this.leastPenalty = unknown.reduce<number>(
      (sum, { penaltyIfMissing }) => sum + penaltyIfMissing,
      PENALTIES.wordByWord,
    );
    const known = matches.filter((word) => !unknown.includes(word));
    const possible = Math.min(1, ...known.map((word) => Math.max(word.importance, 1 - word.penaltyIfMissing)));
    if (!this.search.canBeatBest(possible, this.leastPenalty)) return;
    // bit i of a mask: the posting is in a range of word i
    this.masks = new RangeMasks(matches.map(({ ranges }, word) => ({ ranges, setNumberOf: () => word })));
    this.regionMasks = createRegionMasks(matches);
    const starts = matches
      .filter(({ ranges, isOptional }) => ranges.count > 0 && ranges.totalLength <= MAX_START_POSTINGS && !isOptional)
      .sort((a, b) => a.ranges.totalLength - b.ranges.totalLength);
    let fewestMissing = words.length;
    for (const [i, start] of starts.entries()) {
      if (fewestMissing < i) break; // the places left lack at least the `i` words tried so far
      fewestMissing = Math.min(fewestMissing, this.scanFrom(start, filter));
    }
  }

  /** How each word of the last scan matched a place. */
  wordFits(place: number, words: readonly Word[]): WordFit[] {
    const found = this.wordMaskOf(place);
    return words.map((_, word) => {
      const matches = this.matches[word];
      if (matches === undefined || (found & (1 << word)) === 0) return 'missing';
      return this.typosIn(word) > 0 || matches.isMisspeltRegion ? 'misspelt' : 'exact';
    });
  }

  private findMatches(
    { text }: Word,
    { isLast, allowsTypos }: { readonly isLast: boolean; readonly allowsTypos: boolean },
  ): WordMatches {
    const ranges = new MatchRanges();
    const regions = new Set(this.regionLookup.named(text));
    let isMisspeltRegion = false;
    let importance = 0;
    const isLetter = text.length === 1 && isLatin(text); // which almost any place has somewhere
    if (!isLetter && this.keys.find(text)) {
      // from moreWordsEnd to hi the word has more letters
      const { lo, moreWordsEnd, hi } = this.keys;
      importance = this.keys.importance;
      const canBeUnfinished = isLast && text.length >= MIN_PREFIX_LENGTH;
      ranges.add(lo, canBeUnfinished ? hi : moreWordsEnd, MATCH.moreWords, 0);
    }
    if (allowsTypos && ranges.count === 0 && regions.size === 0 && text.length >= ONE_TYPO_MIN_LENGTH) {
      const query = { text, isPrefix: isLast, minImportance: [0, 0, 0] };
      this.walk.collectInto(ranges, { ...query, maxTypos: 1 });
      for (const region of this.regionLookup.misspelt(text, isLast)) regions.add(region);
      isMisspeltRegion = regions.size > 0;
      importance = 1; // not looked up
    }
    const penaltyIfMissing = this.missingWordPenalty(ranges.totalLength);
    const isOptional = text.length > 1 && PARTICLES.has(text);
    const mayBeAny = regions.size > 0 || isOptional;
    return {
      ranges,
      regions,
      importance: mayBeAny ? 1 : importance,
      isMisspeltRegion,
      penaltyIfMissing,
      isOptional,
    };
  }

  /** A common word such as "city" costs less than a rare one. */
  private missingWordPenalty(postingCount: number): number {
    // 1 for a word without postings, close to 0 for a word of all postings
    const rarity = 1 - Math.log(postingCount + 1) / Math.log(this.index.postings.length + 2);
    return PENALTIES.wordByWordMissing * (1 + rarity);
  }

  /** Offers the places that have the word. Returns how many words the most complete place lacks. */
  private scanFrom(start: WordMatches, filter: PlaceFilter): number {
    const { postings } = this.index;
    const { matches } = this;
    let fewestMissing = matches.length;
    const postingWork = filter.isActive ? FILTERED_POSTING_WORK : 1;
    this.candidates.setMatch(MATCH.moreWords, 0, this.leastPenalty);
    let limit = this.candidates.idLimit(WITH_NEARNESS); // from this id on, not even a place with all words gets in
    for (let r = 0; r < start.ranges.count; r++) {
      for (let position = start.ranges.lo[r]!; position < start.ranges.hi[r]!; position++) {
        if (!this.work.spend(postingWork)) return fewestMissing;
        const place = postings[position]! & POSTING.placeMask;
        if (place >= limit || (filter.isActive && !filter.accepts(place))) continue;
        if (!this.work.spend(this.comparisonWork(place))) return fewestMissing;
        let missing = 0;
        let penalty = 0;
        let typos = 0;
        const found = this.wordMaskOf(place);
        for (let word = 0; word < matches.length; word++) {
          if ((found & (1 << word)) !== 0) typos += this.typosIn(word);
          else if (!matches[word]!.isOptional) {
            missing++;
            penalty += matches[word]!.penaltyIfMissing;
          }
        }
        fewestMissing = Math.min(fewestMissing, missing);
        this.candidates.setMatch(MATCH.moreWords, typos, PENALTIES.wordByWord + penalty);
        this.candidates.offer(position, WITH_NEARNESS);
        // `idLimit` must return the limit for a match of all known words
        this.candidates.setMatch(MATCH.moreWords, 0, this.leastPenalty);
        limit = this.candidates.idLimit(WITH_NEARNESS);
      }
    }
    return fewestMissing;
  }

  private comparisonWork(place: number): number {
    const postingCount = this.index.placeSlots[place + 1]! - this.index.placeSlots[place]!;
    return COMPARED_PLACE_WORK + COMPARED_POSTING_WORK * postingCount;
  }

  /** A bit for each word that the place has, in a name or as a region. */
  private wordMaskOf(place: number): number {
    const { placeSlots, slotPosting, placeCountry, placeAdmin1, placeAdmin2 } = this.index;
    const { masks, regionMasks } = this;
    masks.clear();
    const end = placeSlots[place + 1]!;
    for (let at = placeSlots[place]!; at < end; at++) masks.addSetsAt(slotPosting[at]!);
    const inNames = masks.found[0]! | masks.found[1]! | masks.found[2]!; // with 0, 1 or 2 typos
    if (regionMasks.size === 0) return inNames;
    const country = regionMasks.get(placeCountry[place]!) ?? 0;
    const admin1 = regionMasks.get(placeAdmin1[place]!) ?? 0;
    return inNames | country | admin1 | (regionMasks.get(placeAdmin2[place]!) ?? 0);
  }

  /** Number of typos in a word, for the place that `wordMaskOf` was last called for. */
  private typosIn(word: number): number {
    const { found } = this.masks;
    const bit = 1 << word;
    if ((found[0]! & bit) !== 0) return 0;
    if ((found[1]! & bit) !== 0) return 1;
    return (found[2]! & bit) !== 0 ? 2 : 0; // 0: the word is in no name, but names a region
  }
}

function createRegionMasks(matches: readonly WordMatches[]): Map<number, number> {
  const masks = new Map<number, number>();
  matches.forEach(({ regions }, word) => {
    for (const region of regions) masks.set(region, (masks.get(region) ?? 0) | (1 << word));
  });
  return masks;
}
