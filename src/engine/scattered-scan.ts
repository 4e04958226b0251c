/**
 * The last resort of a search: each word by itself, in any order, in any of a place's names or as a region it lies
 * in; words that fit nothing are left out at a price. Starts from the rarest word, so it reads few places.
 */
import type { Index } from '../index-file/layout.ts';
import { POSTING } from '../index-file/posting.ts';
import type { Word } from '../text/fold.ts';
import { isParticle } from '../text/word-starts.ts';
import type { Candidates } from './candidates.ts';
import type { KeyTrie } from './key-trie.ts';
import { MATCH, MatchRanges } from './match-ranges.ts';
import type { PlaceFilter } from './place-filter.ts';
import { PENALTIES } from './rank.ts';
import type { Regions } from './regions.ts';
import type { TypoWalk } from './typo-walk.ts';

/** A word that this many names have is no place to start from. */
const MAX_START = 5_000;
/** Words beyond these are left out: each place is compared with every word. */
const MAX_WORDS = 12;
/** A shorter word is taken as it is: by itself, what it begins could be anything. */
const MIN_UNFINISHED = 4;
/** Two errors are forgiven in words from this length on, in a word by itself not in its first letter. */
const MIN_TWO_TYPOS = 8;
const ANY = [0, 0, 0];

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
  private wanted: readonly WordMatches[] = [];

  constructor(parts: {
    index: Index;
    keys: KeyTrie;
    walk: TypoWalk;
    regions: Regions;
    filter: PlaceFilter;
    candidates: Candidates;
  }) {
    this.index = parts.index;
    this.keys = parts.keys;
    this.walk = parts.walk;
    this.regions = parts.regions;
    this.filter = parts.filter;
    this.candidates = parts.candidates;
  }

  /** Offers what it finds. */
  scan(words: readonly Word[]): void {
    const wanted = words.slice(0, MAX_WORDS).map((word, i) => this.matchesOf(word, i === words.length - 1));
    this.wanted = wanted;
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
    return this.wanted.map((matches) => matches.isOptional || this.typosOf(place, matches) !== undefined);
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
    this.candidates.setMatch(MATCH.words, 0, PENALTIES.scattered);
    let limit = this.candidates.idLimit(true); // beyond it not even a place with all words could get in
    for (let r = 0; r < start.ranges.count; r++) {
      for (let position = start.ranges.lo[r]!; position < start.ranges.hi[r]!; position++) {
        const place = postings[position]! & POSTING.placeMask;
        if (place >= limit || (this.filter.isActive && !this.filter.accepts(place))) continue;
        let missing = 0;
        let price = 0;
        let typos = 0;
        for (const matches of wanted) {
          const found = this.typosOf(place, matches);
          if (found !== undefined) typos += found;
          else if (!matches.isOptional) {
            missing++;
            price += matches.price;
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

  /** With how many errors the place has the word; undefined if it does not. */
  private typosOf(place: number, { ranges, regions }: WordMatches): number | undefined {
    const { placePostings, postingOf, placeCountry, placeAdmin1, placeAdmin2 } = this.index;
    let fewest: number | undefined;
    for (let slot = placePostings[place]!; slot < placePostings[place + 1]!; slot++) {
      const position = postingOf[slot]!;
      for (let r = 0; r < ranges.count; r++) {
        if (position < ranges.lo[r]! || position >= ranges.hi[r]!) continue;
        if (fewest === undefined || ranges.typos[r]! < fewest) fewest = ranges.typos[r]!;
      }
    }
    if (fewest !== undefined || regions.size === 0) return fewest;
    const isThere =
      regions.has(placeCountry[place]!) || regions.has(placeAdmin1[place]!) || regions.has(placeAdmin2[place]!);
    return isThere ? 0 : undefined;
  }
}
