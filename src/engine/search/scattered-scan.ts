/**
 * The last resort of a search: each word by itself, in any order, in any of a place's names or as a region it lies
 * in; words that fit nothing are left out at a price. Starts from the rarest word, so it reads few places.
 */
import type { Index } from '../../index-file/layout.ts';
import { POSTING } from '../../index-file/posting.ts';
import type { Word } from '../../text/fold.ts';
import { isParticle } from '../../text/word-starts.ts';
import type { Regions } from '../query/regions.ts';
import type { Candidates } from '../rank/candidates.ts';
import type { PlaceFilter } from '../rank/place-filter.ts';
import { PENALTIES } from '../rank/scores.ts';
import type { KeyTrie } from '../trie/key-trie.ts';
import { MATCH, MatchRanges } from '../trie/match-ranges.ts';
import { RangeMasks } from '../trie/range-masks.ts';
import type { TypoWalk } from '../trie/typo-walk.ts';
import type { WorkBudget } from '../work-budget.ts';

/** A word that this many names have is no place to start from. */
const MAX_START = 5_000;
/** Words beyond these are left out: each place is compared with every word. */
const MAX_WORDS = 12;
/** A shorter word is taken as it is: by itself, what it begins could be anything. */
const MIN_UNFINISHED = 4;
/** Two errors are forgiven in words from this length on, in a word by itself not in its first letter. */
const MIN_TWO_TYPOS = 8;
const ANY = [0, 0, 0];
/** Work of reading a posting and asking the filter about its place. */
const FILTERED_WORK = 4;
/** Share of the work set aside for comparing places with the words, in case misspelt words use up all the rest. */
const COMPARING_SHARE = 0.1;

interface WordMatches {
  readonly ranges: MatchRanges;
  readonly size: number;
  readonly regions: ReadonlySet<number>;
  /** What it costs not to have the word. */
  readonly price: number;
  readonly isOptional: boolean;
}

export class ScatteredScan {
  private readonly index: Index;
  private readonly keys: KeyTrie;
  private readonly walk: TypoWalk;
  private readonly regions: Regions;
  private readonly filter: PlaceFilter;
  private readonly candidates: Candidates;
  private readonly work: WorkBudget;
  private wanted: readonly WordMatches[] = [];
  private masks = new RangeMasks([]);
  /** For each region that words may mean, a bit for each of these words. */
  private regionMasks = new Map<number, number>();

  constructor(parts: {
    index: Index;
    keys: KeyTrie;
    walk: TypoWalk;
    regions: Regions;
    filter: PlaceFilter;
    candidates: Candidates;
    work: WorkBudget;
  }) {
    this.index = parts.index;
    this.keys = parts.keys;
    this.walk = parts.walk;
    this.regions = parts.regions;
    this.filter = parts.filter;
    this.candidates = parts.candidates;
    this.work = parts.work;
  }

  /** Offers what it finds. */
  scan(words: readonly Word[]): void {
    const reserved = this.work.reserve(COMPARING_SHARE);
    const wanted = words.slice(0, MAX_WORDS).map((word, i) => this.matchesOf(word, i === words.length - 1));
    this.work.release(reserved);
    this.wanted = wanted;
    this.masks = new RangeMasks(wanted.map(({ ranges }, word) => ({ ranges, setOf: () => word })));
    this.regionMasks = regionMasksOf(wanted);
    const starts = wanted
      .filter(({ size, isOptional }) => size > 0 && size <= MAX_START && !isOptional)
      .sort((a, b) => a.size - b.size);
    let fewest = words.length;
    for (const [i, start] of starts.entries()) {
      if (fewest < i) break; // whatever lacks the words before this one lacks more
      fewest = Math.min(fewest, this.scanFrom(start, wanted));
    }
  }

  /** Which of the words of the last scan a place has, by name or region. */
  wordsOf(place: number): boolean[] {
    const found = this.wordsAt(place);
    return this.wanted.map(({ isOptional }, word) => isOptional || (found & (1 << word)) !== 0);
  }

  private matchesOf({ text }: Word, isLast: boolean): WordMatches {
    const ranges = new MatchRanges();
    const regions = new Set(this.regions.named(text));
    if (this.keys.find(text)) {
      const { lo, wordsEnd, hi } = this.keys;
      ranges.add(lo, isLast && text.length >= MIN_UNFINISHED ? hi : wordsEnd, MATCH.words, 0);
    }
    if (ranges.count === 0 && regions.size === 0 && text.length >= 4) {
      this.walk.collectInto(ranges, { text, maxTypos: 1, isPrefix: isLast, leastBest: ANY });
      if (ranges.count === 0 && text.length >= MIN_TWO_TYPOS) {
        this.walk.collectInto(ranges, { text, maxTypos: 2, isPrefix: isLast, leastBest: ANY, first: 'right' });
      }
      for (const region of this.regions.misspelt(text, isLast)) regions.add(region);
    }
    const { size } = ranges;
    return { ranges, size, regions, price: this.priceOf(size), isOptional: isParticle(text) };
  }

  /** A word that many names have ("city") is less missed than one that few have. */
  private priceOf(size: number): number {
    const rarity = 1 - Math.log(size + 1) / Math.log(this.index.postings.length + 2);
    return PENALTIES.droppedWord * (1 + rarity);
  }

  /** Returns the fewest words any place lacked. */
  private scanFrom(start: WordMatches, wanted: readonly WordMatches[]): number {
    const { postings } = this.index;
    let fewest = wanted.length;
    const postingWork = this.filter.isActive ? FILTERED_WORK : 1;
    this.candidates.setMatch(MATCH.words, 0, PENALTIES.scattered);
    let limit = this.candidates.idLimit(true); // beyond it not even a place with all words could get in
    for (let r = 0; r < start.ranges.count; r++) {
      for (let position = start.ranges.lo[r]!; position < start.ranges.hi[r]!; position++) {
        if (!this.work.spend(postingWork)) return fewest;
        const place = postings[position]! & POSTING.placeMask;
        if (place >= limit || (this.filter.isActive && !this.filter.accepts(place))) continue;
        let missing = 0;
        let price = 0;
        let typos = 0;
        if (!this.work.spend(this.comparisonWork(place))) return fewest;
        const found = this.wordsAt(place);
        for (let word = 0; word < wanted.length; word++) {
          if ((found & (1 << word)) !== 0) typos += this.typosIn(word);
          else if (!wanted[word]!.isOptional) {
            missing++;
            price += wanted[word]!.price;
          }
        }
        fewest = Math.min(fewest, missing);
        this.candidates.setMatch(MATCH.words, typos, PENALTIES.scattered + price);
        this.candidates.offer(position, true);
        this.candidates.setMatch(MATCH.words, 0, PENALTIES.scattered);
        limit = this.candidates.idLimit(true);
      }
    }
    return fewest;
  }

  /** Work of comparing a place with the words: each of its postings is searched for. */
  private comparisonWork(place: number): number {
    return 4 + 3 * (this.index.placePostings[place + 1]! - this.index.placePostings[place]!);
  }

  /** A bit for each word that the place has, by name or region. */
  private wordsAt(place: number): number {
    const { placePostings, postingOf, placeCountry, placeAdmin1, placeAdmin2 } = this.index;
    const { masks, regionMasks } = this;
    masks.clear();
    const end = placePostings[place + 1]!;
    for (let slot = placePostings[place]!; slot < end; slot++) masks.addPosting(postingOf[slot]!);
    const named = masks.found[0]! | masks.found[1]! | masks.found[2]!;
    if (regionMasks.size === 0) return named;
    const country = regionMasks.get(placeCountry[place]!) ?? 0;
    const admin1 = regionMasks.get(placeAdmin1[place]!) ?? 0;
    return named | country | admin1 | (regionMasks.get(placeAdmin2[place]!) ?? 0);
  }

  /** With how many errors the place asked about last has a word. */
  private typosIn(word: number): number {
    const { found } = this.masks;
    const bit = 1 << word;
    return (found[0]! & bit) !== 0 || ((found[1]! | found[2]!) & bit) === 0 ? 0 : (found[1]! & bit) !== 0 ? 1 : 2;
  }
}

function regionMasksOf(wanted: readonly WordMatches[]): Map<number, number> {
  const masks = new Map<number, number>();
  wanted.forEach(({ regions }, word) => {
    for (const region of regions) masks.set(region, (masks.get(region) ?? 0) | (1 << word));
  });
  return masks;
}
