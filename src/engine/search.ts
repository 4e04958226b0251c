/**
 * A text search from words to ranked candidates, in stages that each begin only where those before were not enough:
 * as typed; region words unfinished or misspelt; one typing error, two; each word by itself.
 */
import type { Index } from '../index-file/layout.ts';
import { POSTING, postingClass } from '../index-file/posting.ts';
import type { LatLng } from '../place/sphere.ts';
import type { Word } from '../text/fold.ts';
import { CandidateScan } from './candidate-scan.ts';
import { KeyTrie } from './key-trie.ts';
import { MATCH, MatchRanges } from './match-ranges.ts';
import { NearbyScan } from './nearby-scan.ts';
import type { SpatialIndex } from './nearest.ts';
import type { PlaceFilter } from './place-filter.ts';
import { bearerPenalty, NEARNESS, PENALTIES, typoPenalty } from './rank.ts';
import { plainReading, type Reading, type RegionReach, regionReadings, turnedReadings, typedBits } from './readings.ts';
import { Regions } from './regions.ts';
import { ScatteredScan } from './scattered-scan.ts';
import type { TopHits } from './top-hits.ts';
import { TypoWalk } from './typo-walk.ts';

export interface Search {
  readonly words: readonly Word[];
  /** Typed without accents and signs. */
  readonly isPlain: boolean;
  readonly around: LatLng | undefined;
  readonly radiusMeters: number | undefined;
}

export interface Searched {
  readonly readings: readonly Reading[];
  /** With a point to prefer: the slots of the best match far away and the best nearby. */
  readonly kept: readonly number[];
  readonly total: number;
  readonly isTotalExact: boolean;
  /** Words of the query that the best place found lacks. */
  readonly missingWords: readonly Word[];
}

/** A circle with no more places than this is searched place by place. */
const SMALL_CIRCLE = 8000;
/** Letters from which one typing error is forgiven, and from which two. */
const TYPO_LENGTHS = [4, 8] as const;
/** Where nothing else was found, two are forgiven from here on. */
const LAST_RESORT_LENGTH = 6;
/** An exact match is looked past for misspelt ones unless it is this much better than they could be. */
const TYPO_MARGIN = 0.15;
/** Below this the best match found is no better than one that leaves out a word of a well-known name. */
const POOR_SCORE = 0.2;
/** Readings beyond these are not tried: their numbers have one byte. */
const MAX_READINGS = 200;

export class TextSearch {
  private readonly index: Index;
  private readonly spatial: SpatialIndex;
  private readonly filter: PlaceFilter;
  private readonly top: TopHits;
  private readonly famous: TopHits;
  /** What was found so far by importance alone: tells whether to look further. */
  private found: TopHits;
  private readonly keys: KeyTrie;
  private readonly walk: TypoWalk;
  private readonly regions: Regions;
  private readonly ranges = new MatchRanges();
  private readonly candidates: CandidateScan;
  private readonly nearbyScan: NearbyScan;
  private readonly scattered: ScatteredScan;
  private readonly nearby = new Uint32Array(SMALL_CIRCLE);
  private nearbyCount = 0;
  private isSmallCircle = false;
  private isPlain = true;
  private readings: Reading[] = [];
  /** Whether words had to be taken one by one. */
  private isScattered = false;

  constructor(index: Index, parts: { spatial: SpatialIndex; filter: PlaceFilter; top: TopHits; famous: TopHits }) {
    this.index = index;
    this.spatial = parts.spatial;
    this.filter = parts.filter;
    this.top = parts.top;
    this.famous = parts.famous;
    this.found = parts.top;
    this.keys = new KeyTrie(nameTrie(index), index.postings.length);
    this.walk = new TypoWalk(this.keys);
    this.regions = new Regions(index);
    this.candidates = new CandidateScan(index, this.filter, { top: this.top, famous: parts.famous });
    this.nearbyScan = new NearbyScan(index, this.filter, this.candidates);
    const { keys, walk, regions, filter, candidates } = this;
    this.scattered = new ScatteredScan({ index, keys, walk, regions, filter, candidates });
  }

  /** Fills `top`; the filter's request options must have been set. */
  run(search: Search): Searched {
    this.found = search.around === undefined ? this.top : this.famous;
    this.candidates.begin(search.around);
    this.isPlain = search.isPlain;
    this.readings = [];
    this.isScattered = false;
    this.findNearby(search);
    this.runStages(search.words);
    const kept = this.candidates.finish();
    return {
      readings: this.readings,
      kept,
      total: this.candidates.total,
      isTotalExact: this.candidates.isTotalExact,
      missingWords: this.missingWords(search.words),
    };
  }

  /** What the point adds to a place's score. */
  bonus(place: number): number {
    return this.candidates.bonus(place);
  }

  private runStages(words: readonly Word[]): void {
    this.tryExact(plainReading(words));
    if (this.found.count === 0) for (const reading of turnedReadings(words)) this.tryExact(reading);
    for (const reading of regionReadings(words, this.regions, 'exact')) this.tryExact(reading);
    if (this.found.count === 0) this.tryRegions(words, 'prefix');
    if (this.found.count === 0) this.tryUnfinishedNames(words);
    const exact = this.readings.filter(({ penalty }) => penalty === 0 || penalty === PENALTIES.inexactRegion);
    for (const maxTypos of [1, 2] as const) {
      for (const reading of exact) this.tryTypos(reading, maxTypos);
      if (this.found.count === 0) this.tryMisspeltRegions(words, maxTypos);
    }
    if (this.found.count === 0) for (const reading of exact) this.tryTypos(reading, 2, LAST_RESORT_LENGTH);
    if (this.found.bestScore < POOR_SCORE && words.length > 1) {
      this.isScattered = true;
      this.readings.push(plainReading(words));
      this.candidates.typed = typedBits(plainReading(words), this.isPlain);
      this.candidates.otherName = 0;
      this.scattered.scan(words, this.readings.length - 1);
    }
  }

  private tryRegions(words: readonly Word[], reach: RegionReach): void {
    for (const reading of regionReadings(words, this.regions, reach)) this.tryExact(reading);
  }

  /** "winds, ct": the name broken off, the region added. */
  private tryUnfinishedNames(words: readonly Word[]): void {
    for (const reading of regionReadings(words, this.regions, 'exact')) {
      if (!reading.isPrefix) this.tryExact({ ...reading, isPrefix: true, penalty: PENALTIES.brokenOff });
    }
  }

  private tryMisspeltRegions(words: readonly Word[], maxTypos: 1 | 2): void {
    for (const reading of regionReadings(words, this.regions, 'misspelt')) {
      if (maxTypos === 1) this.tryExact(reading);
      else this.tryTypos(reading, 1);
    }
  }

  private tryExact(reading: Reading): void {
    if (this.readings.length === MAX_READINGS) return;
    const { ranges, keys } = this;
    const isFound = keys.find(reading.text);
    this.readings.push(isFound ? { ...reading, otherName: this.bearerPenalty(reading) } : reading);
    if (!isFound) return;
    ranges.clear();
    ranges.add(keys.lo, keys.exactEnd, MATCH.exact, 0);
    ranges.add(keys.exactEnd, keys.wordsEnd, MATCH.words, 0);
    if (reading.isPrefix) ranges.add(keys.wordsEnd, keys.hi, MATCH.prefix, 0);
    this.scanRanges(this.readings.length - 1);
  }

  /** What it costs to match by another name where a place bears the one found as its main name. */
  private bearerPenalty(reading: Reading): number {
    const { postings, placeImportance } = this.index;
    this.wantRegions(reading);
    let penalty = 0;
    for (let position = this.keys.lo; position < this.keys.exactEnd; position++) {
      const posting = postings[position]!;
      const place = posting & POSTING.placeMask;
      if (postingClass(posting) !== 0 || !this.filter.accepts(place)) continue;
      penalty = bearerPenalty(placeImportance[place]! / 0xffff); // of several, the first is the most important
      break;
    }
    this.filter.clearRegions();
    return penalty;
  }

  private wantRegions(reading: Reading): void {
    reading.regions.forEach(({ regions }, bit) => {
      this.filter.wantRegions(bit, regions);
    });
  }

  private tryTypos(reading: Reading, maxTypos: 1 | 2, minLength: number = TYPO_LENGTHS[maxTypos - 1]!): void {
    if (reading.text.length < minLength) return;
    const { found, ranges } = this;
    if (maxTypos === 2 ? found.count > 0 : found.count === found.capacity) return;
    const least = found.bestScore - TYPO_MARGIN; // -Infinity where nothing was found yet
    const leastBest = [1, 1, 2].map((typos) => Math.max(0, Math.floor((least + typoPenalty(typos)) * 255)));
    if (leastBest[1]! > 255) return;
    ranges.clear();
    this.walk.collectInto(ranges, { text: reading.text, maxTypos, isPrefix: reading.isPrefix, leastBest });
    this.readings.push(reading);
    this.scanRanges(this.readings.length - 1);
  }

  private scanRanges(number: number): void {
    const reading = this.readings[number]!;
    const { penalty } = reading;
    this.wantRegions(reading);
    this.candidates.typed = typedBits(reading, this.isPlain);
    this.candidates.otherName = reading.otherName;
    if (!this.isSmallCircle) this.candidates.scan(this.ranges, number, penalty);
    if (this.nearbyCount > 0) {
      const matched = this.nearbyScan.scan(this.nearby, this.nearbyCount, this.ranges, number, penalty);
      if (this.isSmallCircle) this.candidates.total += matched;
    }
    this.filter.clearRegions();
  }

  /** The places near the point; all of those in the circle, where it is small. */
  private findNearby({ around, radiusMeters }: Search): void {
    this.nearbyCount = 0;
    this.isSmallCircle = false;
    if (around === undefined) return;
    this.spatial.within(around.lat, around.lng, radiusMeters ?? NEARNESS.nearbyMeters, (place) => {
      if (this.nearbyCount === SMALL_CIRCLE) return false;
      this.nearby[this.nearbyCount++] = place;
      return true;
    });
    if (radiusMeters === undefined) return;
    this.isSmallCircle = this.nearbyCount < SMALL_CIRCLE;
    if (!this.isSmallCircle) this.nearbyCount = 0;
  }

  private missingWords(words: readonly Word[]): Word[] {
    if (!this.isScattered || this.top.count === 0) return [];
    if (this.top.reading[this.top.order[0]!] !== this.readings.length - 1) return [];
    const has = this.scattered.wordsOf(this.top.place[this.top.order[0]!]!, words);
    return words.filter((_, i) => !has[i]);
  }
}

function nameTrie(index: Index) {
  return {
    char: index.nameTrieChar,
    child: index.nameTrieChild,
    tail: index.nameTrieTail,
    value: index.nameTrieValue,
    best: index.nameTrieBest,
    tails: index.nameTrieTails,
  };
}
