/**
 * Searches one reading of a query at a time: its name in the trie, as typed or misspelt, its regions as a filter, and
 * what is found goes to the candidates. Holds what the stages of a search share.
 */
import type { Index } from '../../index-file/layout.ts';
import { POSTING, postingClass } from '../../index-file/posting.ts';
import { openTrie } from '../../index-file/trie.ts';
import type { LatLng } from '../../place/sphere.ts';
import type { SpatialIndex } from '../nearest.ts';
import { type Reading, typedBits } from '../query/interpretations.ts';
import type { Candidates } from '../rank/candidates.ts';
import type { PlaceFilter } from '../rank/place-filter.ts';
import { bearerPenalty, NEARNESS, typoPenalty } from '../rank/scores.ts';
import { KeyTrie } from '../trie/key-trie.ts';
import { MatchRanges } from '../trie/match-ranges.ts';
import { type TypoQuery, TypoWalk } from '../trie/typo-walk.ts';
import type { WorkBudget } from '../work-budget.ts';
import { NearbyScan } from './nearby-scan.ts';
import { MEASURED_RUN, RunScan } from './range-scan.ts';
import type { SearchParts } from './search-parts.ts';

export interface SearchScope {
  /** Typed without accents and signs. */
  readonly isPlain: boolean;
  readonly around: LatLng | undefined;
  readonly radiusMeters: number | undefined;
}

/** Which misspelt names are looked for. */
export type TypoReach = Pick<TypoQuery, 'maxTypos' | 'first' | 'isMainOnly'>;

/** A circle with no more places than this is searched place by place. */
const SMALL_CIRCLE = 8000;
/** The places near the point have not been looked up. */
const NOT_YET = -1;
/** An exact match is looked past for misspelt ones unless it is this much better than they could be. */
const TYPO_MARGIN = 0.75;
/** Readings beyond these are not tried: their numbers have one byte. */
const MAX_READINGS = 255;

export class ReadingSearch {
  readonly keys: KeyTrie;
  readonly walk: TypoWalk;
  /** All that were tried; candidates know theirs by number. */
  readings: Reading[] = [];
  private readonly index: Index;
  private readonly spatial: SpatialIndex;
  private readonly filter: PlaceFilter;
  private readonly candidates: Candidates;
  private readonly work: WorkBudget;
  private readonly ranges = new MatchRanges();
  private readonly runScan: RunScan;
  private readonly nearbyScan: NearbyScan;
  private readonly nearby = new Uint32Array(SMALL_CIRCLE);
  private nearbyCount = NOT_YET;
  private around: LatLng | undefined;
  /** A point without a radius. */
  private isBiased = false;
  private isSmallCircle = false;
  private isPlain = true;
  private matchedNearby = 0;
  private readonly leastBest = new Int16Array(3);

  constructor(index: Index, parts: SearchParts) {
    this.index = index;
    this.spatial = parts.spatial;
    this.filter = parts.filter;
    this.candidates = parts.candidates;
    this.work = parts.work;
    this.keys = new KeyTrie(openTrie(index, 'nameTrie'), index.postings.length);
    this.walk = new TypoWalk(this.keys, parts.work);
    this.runScan = new RunScan(index, parts);
    this.nearbyScan = new NearbyScan(index, parts);
  }

  begin(scope: SearchScope): void {
    this.readings = [];
    this.isPlain = scope.isPlain;
    this.matchedNearby = 0;
    this.runScan.begin();
    this.around = scope.around;
    this.nearbyCount = NOT_YET;
    this.isBiased = scope.around !== undefined && scope.radiusMeters === undefined;
    this.isSmallCircle = false;
    if (scope.radiusMeters !== undefined) {
      this.findNearby(scope.radiusMeters);
      this.isSmallCircle = this.nearbyCount < SMALL_CIRCLE;
    }
  }

  get total(): number {
    return this.isSmallCircle ? this.matchedNearby : this.runScan.total;
  }

  get isTotalExact(): boolean {
    return this.isSmallCircle || this.runScan.isTotalExact;
  }

  /** Names that are what was typed, or go on from it. */
  tryExact(reading: Reading): void {
    const { ranges, keys } = this;
    if (!keys.find(reading.text)) {
      this.add(reading);
      return;
    }
    ranges.clear();
    ranges.addRuns(keys, 0, reading.isPrefix);
    this.scanRanges({ ...reading, otherName: this.bearerPenalty(reading) }, true);
  }

  /** Names that are what was typed but for some errors, unless they could not come near the best found so far. */
  tryTypos(reading: Reading, reach: TypoReach): void {
    const { leastBest, ranges } = this;
    const { found, hasPoint } = this.candidates;
    // -Infinity where nothing was found yet; with a point, nearness may let in what is less important
    const least = Math.max(found.bestScore - TYPO_MARGIN, hasPoint ? Number.NEGATIVE_INFINITY : found.threshold);
    for (const typos of [0, 1, 2]) {
      const importance = least + typoPenalty(Math.max(1, typos));
      leastBest[typos] = Math.max(0, Math.min(256, Math.floor(importance * 255)));
    }
    if (leastBest[1]! > 255) return;
    const { text, isPrefix } = reading;
    ranges.clear();
    this.walk.collectInto(ranges, { text, isPrefix, leastBest, ...reach });
    this.scanRanges(reading, false);
  }

  /** Begins a reading whose candidates come from elsewhere. */
  enter(reading: Reading): void {
    const number = this.add(reading);
    const { penalty, otherName } = reading;
    this.candidates.setReading({ reading: number, penalty, otherName, typed: typedBits(reading, this.isPlain) });
  }

  private add(reading: Reading): number {
    if (this.readings.length < MAX_READINGS) this.readings.push(reading);
    return this.readings.length - 1;
  }

  private scanRanges(reading: Reading, isAsTyped: boolean): void {
    if (this.readings.length >= MAX_READINGS - 1) return; // the last is for the words taken one by one
    this.enter(reading);
    this.wantRegions(reading);
    if (!this.isSmallCircle) this.runScan.scan(this.ranges, isAsTyped);
    // of long runs the most important places have been read, and none for its nearness
    if (this.isSmallCircle || (this.isBiased && this.ranges.longest > MEASURED_RUN)) this.scanNearby();
    this.filter.clearRegions();
  }

  /** What it costs to match by another name where a place bears the one found as its main name. */
  private bearerPenalty(reading: Reading): number {
    const { postings, placeImportance } = this.index;
    this.wantRegions(reading);
    let penalty = 0;
    for (let position = this.keys.lo; position < this.keys.exactEnd && this.work.spend(1); position++) {
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
    for (let bit = 0; bit < reading.regions.length; bit++) this.filter.wantRegions(bit, reading.regions[bit]!.regions);
  }

  private scanNearby(): void {
    if (this.nearbyCount === NOT_YET) this.findNearby(NEARNESS.nearbyMeters);
    this.matchedNearby += this.nearbyScan.scan(this.ranges);
  }

  /** The places near the point; as many as there is room for. */
  private findNearby(radiusMeters: number): void {
    const { around } = this;
    this.nearbyCount = 0;
    if (around === undefined) return;
    this.spatial.within(around.lat, around.lng, radiusMeters, (place) => {
      if (this.nearbyCount === SMALL_CIRCLE || !this.work.spend(1)) return false;
      this.nearby[this.nearbyCount++] = place;
      return true;
    });
    this.nearbyScan.setPlaces(this.nearby, this.nearbyCount);
  }
}
