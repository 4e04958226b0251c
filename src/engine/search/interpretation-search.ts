/**
 * Searches one interpretation of a query at a time: looks its name up in the trie, as typed or with
 * typos, filters by its regions, and offers the matches to the candidates.
 */
import type { Index } from '../../index-file/layout.ts';
import { POSTING, postingClass } from '../../index-file/posting.ts';
import { openTrie } from '../../index-file/trie.ts';
import type { LatLng } from '../../place/sphere.ts';
import type { SpatialIndex } from '../nearest.ts';
import { type Interpretation, queryFlags } from '../query/interpretations.ts';
import type { Candidates } from '../rank/candidates.ts';
import type { PlaceFilter } from '../rank/place-filter.ts';
import { NEARNESS, namesakePenalty, typoPenalty } from '../rank/scores.ts';
import { KeyTrie } from '../trie/key-trie.ts';
import { MatchRanges } from '../trie/match-ranges.ts';
import { type TypoQuery, TypoWalk } from '../trie/typo-walk.ts';
import type { WorkBudget } from '../work-budget.ts';
import { NearbyScan } from './nearby-scan.ts';
import { MAX_WHOLE_WITH_POINT, RangeScan } from './range-scan.ts';
import type { SearchContext } from './search-context.ts';

export interface SearchScope {
  /** Whether the query has no accents and no punctuation except commas. */
  readonly isPlain: boolean;
  readonly around: LatLng | undefined;
  readonly radiusMeters: number | undefined;
}

/** Which misspelt names a typo search covers. */
export type TypoOptions = Pick<TypoQuery, 'maxTypos' | 'firstLetter' | 'isMainOnly'>;

/** A circle with fewer places than this is searched place by place. */
const SMALL_CIRCLE = 8000;
/** Value of `nearbyCount` before the places near the point are looked up. */
const NOT_LOOKED_UP = -1;
/** Typos are ignored if the best match is this much better than a match with typos can be. */
const TYPO_MARGIN = 0.75;
/** Maximum interpretations tried: candidates store the index in one byte. */
const MAX_INTERPRETATIONS = 255;

export class InterpretationSearch {
  readonly keys: KeyTrie;
  readonly walk: TypoWalk;
  /** All interpretations tried in this search; candidates refer to them by index. */
  interpretations: Interpretation[] = [];
  /** The stage that tried each interpretation. */
  stages: string[] = [];
  /** Name of the current stage. */
  stage = '';
  private readonly index: Index;
  private readonly spatial: SpatialIndex;
  private readonly filter: PlaceFilter;
  private readonly candidates: Candidates;
  private readonly work: WorkBudget;
  private readonly ranges = new MatchRanges();
  private readonly rangeScan: RangeScan;
  private readonly nearbyScan: NearbyScan;
  private readonly nearby = new Uint32Array(SMALL_CIRCLE);
  private nearbyCount = NOT_LOOKED_UP;
  private around: LatLng | undefined;
  /** Whether the query has a point without a radius. */
  private isBiased = false;
  private isSmallCircle = false;
  private isPlain = true;
  private nearbyTotal = 0;
  private readonly minImportance = new Int16Array(3);

  constructor(index: Index, context: SearchContext) {
    this.index = index;
    this.spatial = context.spatial;
    this.filter = context.filter;
    this.candidates = context.candidates;
    this.work = context.work;
    this.keys = new KeyTrie(openTrie(index, 'nameTrie'), index.postings.length);
    this.walk = new TypoWalk(this.keys, context.work);
    this.rangeScan = new RangeScan(index, context);
    this.nearbyScan = new NearbyScan(index, context);
  }

  reset(scope: SearchScope): void {
    this.interpretations = [];
    this.stages = [];
    this.isPlain = scope.isPlain;
    this.nearbyTotal = 0;
    this.rangeScan.reset();
    this.around = scope.around;
    this.nearbyCount = NOT_LOOKED_UP;
    this.isBiased = scope.around !== undefined && scope.radiusMeters === undefined;
    this.isSmallCircle = false;
    if (scope.radiusMeters !== undefined) {
      this.findNearby(scope.radiusMeters);
      this.isSmallCircle = this.nearbyCount < SMALL_CIRCLE;
    }
  }

  get total(): number {
    return this.isSmallCircle ? this.nearbyTotal : this.rangeScan.total;
  }

  get isTotalExact(): boolean {
    return this.isSmallCircle || this.rangeScan.isTotalExact;
  }

  /** Offers names that equal the text or start with it. */
  tryExact(interpretation: Interpretation): void {
    const { ranges, keys } = this;
    if (!keys.find(interpretation.text)) {
      this.add(interpretation);
      return;
    }
    ranges.clear();
    ranges.addKeyRanges(keys, 0, interpretation.isPrefix);
    this.scanRanges({ ...interpretation, alternatePenalty: this.namesakePenalty(interpretation) }, true);
  }

  /** Offers names with typos, unless none could score close to the best match so far. */
  tryTypos(interpretation: Interpretation, options: TypoOptions): void {
    const { minImportance, ranges } = this;
    const { topUnbiased, hasPoint } = this.candidates;
    // -Infinity if nothing was found yet; with a point, nearness may admit less important places
    const threshold = hasPoint ? Number.NEGATIVE_INFINITY : topUnbiased.threshold;
    const minScore = Math.max(topUnbiased.bestScore - TYPO_MARGIN, threshold);
    for (const typos of [0, 1, 2]) {
      const importance = minScore + typoPenalty(Math.max(1, typos));
      minImportance[typos] = Math.max(0, Math.min(256, Math.floor(importance * 255)));
    }
    if (minImportance[1]! > 255) return;
    const { text, isPrefix } = interpretation;
    ranges.clear();
    this.walk.collectInto(ranges, { text, isPrefix, minImportance, ...options });
    this.scanRanges(interpretation, false);
  }

  /** Sets the interpretation that all candidates offered from now on belong to. */
  setCurrent(interpretation: Interpretation): void {
    const { penalty, alternatePenalty } = interpretation;
    this.candidates.setInterpretation({
      interpretation: this.add(interpretation),
      penalty,
      alternatePenalty,
      queryFlags: queryFlags(interpretation, this.isPlain),
    });
  }

  /** Returns the index of the interpretation. */
  private add(interpretation: Interpretation): number {
    if (this.interpretations.length < MAX_INTERPRETATIONS) this.interpretations.push(interpretation);
    const last = this.interpretations.length - 1;
    this.stages[last] = this.stage;
    return last;
  }

  private scanRanges(interpretation: Interpretation, isCounted: boolean): void {
    if (this.interpretations.length >= MAX_INTERPRETATIONS - 1) return; // the last is for the word-by-word stage
    this.setCurrent(interpretation);
    this.requireRegions(interpretation);
    if (!this.isSmallCircle) this.rangeScan.scan(this.ranges, isCounted);
    // the range scan reads only the most important places of long ranges, whatever their distance
    if (this.isSmallCircle || (this.isBiased && this.ranges.maxLength > MAX_WHOLE_WITH_POINT)) this.scanNearby();
    this.filter.clearRegions();
  }

  /** The penalty for an alternate name that is also the main name of another place. */
  private namesakePenalty(interpretation: Interpretation): number {
    const { postings, placeImportance } = this.index;
    this.requireRegions(interpretation);
    let penalty = 0;
    for (let position = this.keys.lo; position < this.keys.exactEnd && this.work.spend(1); position++) {
      const posting = postings[position]!;
      const place = posting & POSTING.placeMask;
      if (postingClass(posting) !== 0 || !this.filter.accepts(place)) continue;
      penalty = namesakePenalty(placeImportance[place]! / 0xffff); // the first posting has the most important place
      break;
    }
    this.filter.clearRegions();
    return penalty;
  }

  private requireRegions({ regions }: Interpretation): void {
    for (let bit = 0; bit < regions.length; bit++) this.filter.requireRegions(bit, regions[bit]!.regions);
  }

  private scanNearby(): void {
    if (this.nearbyCount === NOT_LOOKED_UP) this.findNearby(NEARNESS.nearbyMeters);
    this.nearbyTotal += this.nearbyScan.scan(this.ranges);
  }

  /** Looks up the places near the point, up to SMALL_CIRCLE of them. */
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
