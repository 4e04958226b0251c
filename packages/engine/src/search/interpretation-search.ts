/**
 * Searches for one interpretation of a query at a time. Looks its name up in the trie, with or
 * without typos, and offers the places in its regions to the candidates.
 */
import { type Index, MAX_IMPORTANCE } from '../index-file/layout.ts';
import { readText } from '../index-file/packed-record.ts';
import { isMainFromStart, POSTING } from '../index-file/posting.ts';
import { openTrie } from '../index-file/trie.ts';
import type { SpatialIndex } from '../nearest.ts';
import { NAME_KINDS } from '../place/place.ts';
import type { Circle, LatLng } from '../place/sphere.ts';
import {
  type Interpretation,
  isLatin,
  isRegionAlone,
  queryFlags,
  type RegionGroup,
  wholeNameInterpretation,
} from '../query/interpretations.ts';
import { type Candidates, WITH_NEARNESS } from '../rank/candidates.ts';
import { createFilter, type PlaceFilter } from '../rank/place-filter.ts';
import { CITY_IMPORTANCE, lengthClass, NEARNESS, PENALTIES, typoPenalty } from '../rank/scores.ts';
import { fold, type Word } from '../text/fold.ts';
import { KeyTrie, MAX_TRIE_IMPORTANCE } from '../trie/key-trie.ts';
import { MATCH, MatchRanges } from '../trie/match-ranges.ts';
import { type TypoQuery, TypoWalk } from '../trie/typo-walk.ts';
import type { WorkBudget } from '../work-budget.ts';
import { type MatchCount, MatchCounter } from './match-counter.ts';
import { PlaceScan } from './place-scan.ts';
import { MAX_READ_WHOLE_WITH_POINT, RangeScan } from './range-scan.ts';
import { fewestPlaces, offerMainPlaces, type RegionLimits } from './region-scan.ts';
import type { SearchContext } from './search-context.ts';

export interface SearchScope {
  /** Whether the query has no accents and no punctuation except commas. */
  readonly isPlain: boolean;
  /** Whether the query has only capital letters of Latin script. */
  readonly isInCapitals: boolean;
  readonly allowsTypos: boolean;
  readonly filter: PlaceFilter;
}

export type TypoOptions = Pick<TypoQuery, 'maxTypos' | 'firstLetter' | 'isMainOnly'>;

/** An area with fewer places is searched place by place. */
const MAX_NEARBY_PLACES = 8000;
/** A box is not searched place by place if the circle around it has more places. */
const MAX_PLACES_IN_CIRCLE = 32_768;
/** Longer uncommon aliases do not give way to the unfinished names of well-known places. */
const MAX_YIELDING_ALIAS_LETTERS = 5;
/** Reading all postings of a place takes as long as reading this many postings of a range. */
const PLACE_COST = 4;
/**
 * Places that would score this much less than the best are not looked up, by number of typos: nobody
 * looks for them on the page. With a region, the margin for typos is 0.
 */
const MARGINS = [0.3, 0.3, 0.15];
/** With a point, except for two typos: nearness may lift places. */
const MARGIN_WITH_POINT = 0.75;
const NOT_LOOKED_UP = -1;
const CODE = NAME_KINDS.indexOf('code');
/** Candidates store the index of an interpretation as one byte. */
const MAX_INTERPRETATIONS = 255;

export class InterpretationSearch {
  readonly keys: KeyTrie;
  readonly walk: TypoWalk;
  /** All that were tried in this search. Candidates refer to them by index. */
  interpretations: Interpretation[] = [];
  /** Those that were tried without typos and may have some. */
  toCorrect: Interpretation[] = [];
  /** For each interpretation, the name of its reading. */
  readings: string[] = [];
  currentReading = '';
  private readonly context: SearchContext;
  private readonly index: Index;
  private readonly spatial: SpatialIndex;
  private readonly candidates: Candidates;
  private readonly work: WorkBudget;
  private readonly ranges = new MatchRanges();
  private readonly placeScan: PlaceScan;
  private readonly matchCounter: MatchCounter;
  /** Places in the query's circle and box or, without those, near its point. */
  private readonly nearby = new Uint32Array(MAX_NEARBY_PLACES);
  private nearbyCount = NOT_LOOKED_UP;
  /** That of the query. */
  private filter: PlaceFilter;
  private around: LatLng | undefined;
  /** Whether the query has a point without a radius. */
  private isBiased = false;
  /** Whether the query has a radius or a box, and `nearby` has room for all places in it. */
  private isSmallArea = false;
  private isPlain = true;
  /** By number of typos so far. */
  private readonly minImportance = new Int16Array(3);

  constructor(context: SearchContext) {
    const { index } = context;
    this.context = context;
    this.index = index;
    this.spatial = context.spatial;
    this.filter = createFilter(index, {});
    this.candidates = context.candidates;
    this.work = context.work;
    this.keys = new KeyTrie(openTrie(index, 'nameTrie'), index.postings.length);
    this.walk = new TypoWalk(this.keys, context.work);
    this.placeScan = new PlaceScan(context);
    this.matchCounter = new MatchCounter(index);
  }

  reset(scope: SearchScope): void {
    this.interpretations = [];
    this.toCorrect = [];
    this.readings = [];
    this.isPlain = scope.isPlain;
    this.filter = scope.filter;
    this.matchCounter.reset();
    const { around, radiusMeters, searchCircle } = scope.filter.query;
    this.around = around;
    this.isBiased = around !== undefined && radiusMeters === undefined;
    this.isSmallArea = searchCircle !== undefined && this.findNearby(searchCircle);
    if (!this.isSmallArea) this.nearbyCount = NOT_LOOKED_UP;
  }

  /** Counts the places that match in the interpretations tried without typos so far. */
  countMatches(): MatchCount {
    const { count, capacity } = this.candidates.topWithoutNearness;
    const isExact = !this.hasUncounted();
    if (count < capacity) return { total: count, isExact }; // every match is a candidate
    if (this.isSmallArea) return { total: this.placeScan.matchCount, isExact };
    const counted = this.matchCounter.count();
    return { total: counted.total, isExact: counted.isExact && isExact };
  }

  /** Whether `matchCounter` leaves out some candidates. */
  private hasUncounted(): boolean {
    const { count, interpretation } = this.candidates.topWithoutNearness;
    for (let slot = 0; slot < count; slot++) {
      const found = this.interpretations[interpretation[slot]!]!;
      if (isRegionAlone(found) || found.cities.length > 0) return true;
    }
    return false;
  }

  /** Whether a place of this importance (0..1) that loses this much scores more than the best so far. */
  canBeatBest(importance: number, penalty: number, margin = 0): boolean {
    return importance - penalty > this.candidates.topWithoutNearness.bestScore - margin;
  }

  /** Whether a place whose name starts with the text may score more than the best so far. */
  mayBeBest(text: string, penalty: number): boolean {
    return this.keys.find(text) && this.canBeatBest(this.keys.importance, penalty);
  }

  /** An upper bound of the importance (0..1) of the places that are in a region of each group. */
  private regionImportance({ regionGroups }: Interpretation): number {
    let least = 1;
    for (const { regions } of regionGroups) least = Math.min(least, this.highestImportance(regions));
    return least;
  }

  private highestImportance(regions: Uint32Array): number {
    const { regionPlaceStart, regionPlaces, placeImportance } = this.index;
    let highest = 0;
    for (const region of regions) {
      const first = regionPlaceStart[region]!; // the places of a region are in importance order
      if (first < regionPlaceStart[region + 1]!) highest = Math.max(highest, placeImportance[regionPlaces[first]!]!);
    }
    return highest / MAX_IMPORTANCE;
  }

  /** Offers places with a name that equals the text or starts with it. */
  tryWithoutTypos(interpretation: Interpretation): void {
    const { ranges, keys } = this;
    if (this.isFull) return;
    const isKnown = keys.find(interpretation.text);
    const importance = isKnown ? Math.min(keys.importance, this.regionImportance(interpretation)) : 0;
    const margin = this.candidates.hasPoint ? MARGIN_WITH_POINT : MARGINS[0];
    if (!isKnown || !this.canBeatBest(importance, interpretation.penalty, margin)) {
      if (interpretation.allowsTypos && !interpretation.isCode) this.toCorrect.push(interpretation);
      return;
    }
    if (interpretation.isCode) {
      this.offerCodes(interpretation);
      return;
    }
    ranges.clear();
    if (interpretation.allowsMoreWords) ranges.addKeyRanges(keys, 0, interpretation.isPrefix);
    else ranges.add(keys.lo, keys.exactEnd, MATCH.whole, 0);
    const filter = this.filter.within(interpretation);
    const namesakeImportance = this.findNamesakeImportance(filter);
    const mayBeAlias = keys.lo < keys.exactEnd;
    const aliasCeiling = mayBeAlias ? this.findAliasCeiling(interpretation, filter) : Number.POSITIVE_INFINITY;
    const found = { ...interpretation, namesakeImportance, aliasCeiling };
    if (found.allowsTypos) this.toCorrect.push(found);
    this.scanRanges(found, filter);
    const { isPrefix, allowsMoreWords, regionGroups, cities } = interpretation;
    if (cities.length > 0) return; // see `hasUncounted`
    const hi = !allowsMoreWords ? keys.exactEnd : isPrefix ? keys.hi : keys.moreWordsEnd;
    this.matchCounter.add({ lo: keys.lo, hi, regionGroups, filter });
  }

  /** Offers places that have the text, which was looked up, as a code. */
  private offerCodes(interpretation: Interpretation): void {
    const { candidates, keys } = this;
    const { postings } = this.index;
    const filter = this.filter.within(interpretation);
    this.setCurrent(interpretation);
    candidates.setMatch(MATCH.whole, 0);
    for (let position = keys.lo; position < keys.exactEnd && this.work.spend(1); position++) {
      const place = postings[position]! & POSTING.placeMask;
      if (this.hasCode(place, interpretation.text) && filter.accepts(place)) candidates.offer(position, WITH_NEARNESS);
    }
  }

  private hasCode(place: number, text: string): boolean {
    const { placeNames, nameKind, nameText } = this.index;
    for (let name = placeNames[place]!; name < placeNames[place + 1]!; name++) {
      if (nameKind[name] === CODE && fold(readText(this.index, nameText[name]!)) === text) return true;
    }
    return false;
  }

  /** Offers places with a name up to `maxTypos` typos away, unless none can score high enough. */
  tryWithTypos(interpretation: Interpretation, options: TypoOptions): void {
    const { minImportance, ranges } = this;
    const { text, isPrefix, regionGroups } = interpretation;
    const { topWithoutNearness, hasPoint } = this.candidates;
    if (this.isFull) return;
    const hasRegion = regionGroups.length > 0;
    const penalty = interpretation.penalty + (hasRegion ? PENALTIES.misspeltInRegion : 0);
    const usualMargin = hasRegion ? 0 : MARGINS[options.maxTypos]!;
    const margin = hasPoint && options.maxTypos === 1 ? MARGIN_WITH_POINT : usualMargin;
    if (!this.canBeatBest(this.regionImportance(interpretation), penalty + typoPenalty(1), margin)) return;
    // with a point, nearness may lift places above the threshold
    const threshold = hasPoint ? Number.NEGATIVE_INFINITY : topWithoutNearness.threshold;
    const minScore = Math.max(topWithoutNearness.bestScore - margin, threshold);
    for (const typosSoFar of [0, 1, 2]) {
      // a walk without a typo so far will still make one
      const typos = Math.max(1, typosSoFar);
      const importance = Math.floor((minScore + penalty + typoPenalty(typos)) * MAX_TRIE_IMPORTANCE);
      minImportance[typosSoFar] = Math.max(0, Math.min(importance, MAX_TRIE_IMPORTANCE + 1));
    }
    if (minImportance[1]! > MAX_TRIE_IMPORTANCE) return; // no place is that important
    ranges.clear();
    this.walk.collectInto(ranges, { text, isPrefix, minImportance, ...options });
    this.scanRanges(interpretation, this.filter.within(interpretation));
  }

  tryRegionAlone(interpretation: Interpretation, limits: RegionLimits): void {
    if (this.isFull) return;
    this.setCurrent(interpretation);
    const filter = this.filter.within(interpretation);
    offerMainPlaces(this.context, this.smallestRegions(interpretation), { ...limits, filter });
  }

  /**
   * Offers the main place of the regions again, if it is a city, with less penalty: so that it has at
   * most this score.
   */
  liftRegionAlone(interpretation: Interpretation, score: number): void {
    const importance = this.highestImportance(this.smallestRegions(interpretation));
    const penalty = Math.max(0, importance - score);
    if (importance * MAX_IMPORTANCE < CITY_IMPORTANCE || penalty >= interpretation.penalty) return;
    this.tryRegionAlone({ ...interpretation, penalty }, { maxPlaces: 1, maxUnpenalised: 1 });
  }

  /** The highest score of regions with this code: "ven" is Venice rather than Venezuela. */
  codeCeiling(words: readonly Word[]): number {
    const typed = wholeNameInterpretation(words);
    return this.keys.find(typed.text) ? this.findAliasCeiling(typed, this.filter) : Number.POSITIVE_INFINITY;
  }

  /** The regions of the deepest level (0 is a country): Bavaria in "bavaria germany". */
  private smallestRegions({ regionGroups }: Interpretation): Uint32Array {
    const levelOf = ({ regions }: RegionGroup) => this.index.regionLevel[regions[0]!]!;
    return regionGroups.reduce((deepest, group) => (levelOf(group) > levelOf(deepest) ? group : deepest)).regions;
  }

  /** Sets the interpretation that all candidates offered from now on belong to. */
  setCurrent(interpretation: Interpretation): void {
    const { penalty, namesakeImportance, text, onlyWellKnown, aliasCeiling, maxScore } = interpretation;
    this.candidates.setInterpretation({
      interpretation: this.add(interpretation),
      penalty,
      namesakeImportance,
      queryFlags: queryFlags(interpretation, this.isPlain),
      onlyWellKnown,
      text,
      aliasCeiling,
      maxScore,
    });
  }

  /** Whether only the entry for the word-by-word stage is left. */
  private get isFull(): boolean {
    return this.interpretations.length >= MAX_INTERPRETATIONS - 1;
  }

  /** Returns the index of the interpretation. */
  private add(interpretation: Interpretation): number {
    this.interpretations.push(interpretation);
    const last = this.interpretations.length - 1;
    this.readings[last] = this.currentReading;
    return last;
  }

  private scanRanges(interpretation: Interpretation, filter: PlaceFilter): void {
    if (this.isFull) return;
    this.setCurrent(interpretation);
    const regions = this.isSmallArea ? undefined : this.fewPlacesRegions(interpretation);
    if (regions !== undefined) this.placeScan.scanRegions(regions, this.ranges, filter);
    else if (!this.isSmallArea) new RangeScan(this.context, filter).scan(this.ranges);
    // of a long range, the range scan reads only the most important places
    const mayMissNearby = this.isBiased && regions === undefined && this.ranges.maxLength > MAX_READ_WHOLE_WITH_POINT;
    if (this.isSmallArea || mayMissNearby) {
      if (this.nearbyCount === NOT_LOOKED_UP && this.around !== undefined)
        this.findNearby({ ...this.around, radiusMeters: NEARNESS.nearbyMeters });
      this.placeScan.scanNearby(this.ranges, filter);
    }
  }

  /** The group of required regions with the fewest places, if reading those is faster than reading the ranges. */
  private fewPlacesRegions({ regionGroups }: Interpretation): Uint32Array | undefined {
    const fewest = fewestPlaces(this.index, regionGroups);
    return fewest && fewest.count * PLACE_COST < this.ranges.totalLength ? fewest.regions : undefined;
  }

  /** Importance (0..1) of the most important place that passes and whose main name was looked up; 0 if none. */
  private findNamesakeImportance(filter: PlaceFilter): number {
    const { postings, placeImportance } = this.index;
    for (let position = this.keys.lo; position < this.keys.exactEnd && this.work.spend(1); position++) {
      const posting = postings[position]!;
      const place = posting & POSTING.placeMask;
      if (!isMainFromStart(posting >>> POSTING.flagShift) || !filter.accepts(place)) continue;
      return placeImportance[place]! / MAX_IMPORTANCE; // later places are less important
    }
    return 0;
  }

  /** `Interpretation.aliasCeiling` for the text that was looked up. */
  private findAliasCeiling(interpretation: Interpretation, filter: PlaceFilter): number {
    const { text, isPrefix, allowsMoreWords, penalty } = interpretation;
    const { exactEnd, moreWordsEnd, hi } = this.keys;
    if (!isPrefix || !allowsMoreWords || text.length > MAX_YIELDING_ALIAS_LETTERS || !isLatin(text))
      return Number.POSITIVE_INFINITY;
    const scan = new RangeScan(this.context, filter);
    const importance = Math.max(
      scan.highestMainImportance(exactEnd, moreWordsEnd),
      scan.highestMainImportance(moreWordsEnd, hi),
    );
    if (importance < CITY_IMPORTANCE) return Number.POSITIVE_INFINITY;
    const unfinishedScore = importance / MAX_IMPORTANCE - PENALTIES.unfinished[lengthClass(text.length)]! - penalty;
    return unfinishedScore - PENALTIES.aliasBehindUnfinished;
  }

  /** Fills `nearby` with places of the circle and the query's box. Returns whether it has all. */
  private findNearby({ lat, lng, radiusMeters }: Circle): boolean {
    let placesInCircle = 0;
    this.nearbyCount = 0;
    this.spatial.within(lat, lng, radiusMeters, (place) => {
      if (++placesInCircle > MAX_PLACES_IN_CIRCLE || !this.work.spend(1)) return false;
      if (!this.filter.isInBox(place)) return true;
      this.nearby[this.nearbyCount++] = place;
      return this.nearbyCount < MAX_NEARBY_PLACES;
    });
    this.placeScan.setPlaces(this.nearby, this.nearbyCount);
    return placesInCircle <= MAX_PLACES_IN_CIRCLE && this.nearbyCount < MAX_NEARBY_PLACES;
  }
}
