/**
 * Scores places as matches turn them up and keeps the best. What a match lacks is set once for a run of postings, so
 * that offering one is a few array reads and, for most, one comparison. Nothing is allocated while searching.
 */
import { lowerBound } from '../../collections/lower-bound.ts';
import type { Index } from '../../index-file/layout.ts';
import { POSTING } from '../../index-file/posting.ts';
import { distanceMeters, type LatLng, METERS_PER_DEGREE } from '../../place/sphere.ts';
import { MAX_NEARNESS, matchPenalties, metersForBonus, NEARNESS, nearnessBonus, penaltyIndex } from './scores.ts';
import { TopHits } from './top-hits.ts';

/** What a place gains that counts as nearby. */
const NEARBY_BONUS = nearnessBonus(NEARNESS.nearbyMeters);
/** Beyond this many degrees of latitude nearness adds nothing worth having. */
const NEAR_DEGREES = 20;
const FULL = 0xffff;
/** Into how many steps importance is divided to tell quickly where in the order of ids it is. */
const STEPS = 256;

/** How a reading of the query bears on all its matches. */
export interface InterpretationFacts {
  /** Its number. */
  readonly interpretation: number;
  /** What it lacks of being read as typed. */
  readonly penalty: number;
  /** What matching by another name than the main one costs besides. */
  readonly alternatePenalty: number;
  /** Bits of TYPED. */
  readonly typed: number;
}

export class Candidates {
  private readonly index: Index;
  /** What answers are made from. */
  readonly top: TopHits;
  /** With a point: the best without regard to it. */
  private readonly unbiased: TopHits;
  /** With a point: the best nearby. */
  private readonly near = new TopHits(1);
  private readonly isHidden: Uint8Array | undefined;
  /** How many places have at least so many steps of importance. */
  private readonly idCountByStep: Uint32Array;
  private around: LatLng | undefined;
  private facts: InterpretationFacts = { interpretation: 0, penalty: 0, alternatePenalty: 0, typed: 0 };
  private match = 0;
  private typos = 0;
  private penalties = 0;
  private penalty = 0;

  /** `isHidden`: 1 for each place that an overlay replaces. */
  constructor(index: Index, capacity: number, isHidden: Uint8Array | undefined) {
    this.index = index;
    this.isHidden = isHidden;
    this.idCountByStep = countByImportance(index.placeImportance);
    this.top = new TopHits(capacity);
    this.unbiased = new TopHits(capacity);
  }

  reset(around: LatLng | undefined, capacity: number): void {
    this.around = around;
    this.top.clear(capacity);
    this.unbiased.clear(capacity);
    this.near.clear(1);
  }

  /** The best by importance alone: tells whether to look further, and what is too unimportant to be read. */
  get found(): TopHits {
    return this.around === undefined ? this.top : this.unbiased;
  }

  get hasPoint(): boolean {
    return this.around !== undefined;
  }

  setInterpretation(facts: InterpretationFacts): void {
    this.facts = facts;
  }

  /** From here on, what is offered met the key so; `besides` is what else it lacks. */
  setMatch(match: number, typos: number, extraPenalty = 0): void {
    this.match = match;
    this.typos = typos;
    this.penalties = penaltyIndex(match, typos, this.facts.typed);
    this.penalty = this.facts.penalty + extraPenalty;
  }

  /** The best score that a place of this importance can reach by a posting with these flags, nearness aside. */
  bestScore(place: number, flags: number): number {
    return this.index.placeImportance[place]! / FULL - this.penalty - matchPenalties[this.penalties | flags]!;
  }

  /** The importance (0..65535) up to which no place gets in by the match set last through a posting with these flags. */
  importanceFloor(flags: number): number {
    return (this.found.threshold + this.penalty + matchPenalties[this.penalties | flags]!) * FULL;
  }

  /** Places from this id on are too unimportant to get in by the match set last, or with `isMeasured`, by nearness. */
  idLimit(usesNearness: boolean): number {
    let { threshold } = this.found;
    if (usesNearness && this.around !== undefined) {
      threshold = Math.min(threshold, this.top.threshold - MAX_NEARNESS, this.near.threshold - MAX_NEARNESS);
    }
    const least = (threshold + this.penalty + matchPenalties[this.penalties]!) * STEPS;
    if (!(least > 0)) return this.index.head.places;
    return least >= STEPS ? 0 : this.idCountByStep[Math.floor(least)]!;
  }

  /** Offers one place through one of its postings; its nearness counts if it is `isMeasured`. */
  offer(position: number, usesNearness: boolean): void {
    this.offerPosting(this.index.postings[position]!, position, usesNearness);
  }

  /** The same where the posting has been read. */
  offerPosting(posting: number, position: number, usesNearness: boolean): void {
    const place = posting & POSTING.placeMask;
    const flags = posting >>> POSTING.flagShift;
    let score = this.bestScore(place, flags);
    if ((flags & POSTING.qualityMask) !== 0) score -= this.facts.alternatePenalty;
    if (this.around === undefined) {
      if (score > this.top.threshold) this.take(this.top, posting, score, position);
      return;
    }
    if (score > this.unbiased.threshold) this.take(this.unbiased, posting, score, position);
    const wanted = Math.min(this.top.threshold, this.near.threshold) - score;
    if (!usesNearness || wanted >= MAX_NEARNESS || this.isTooFar(place, wanted)) return;
    const bonus = this.bonus(place);
    if (score + bonus > this.top.threshold) this.take(this.top, posting, score + bonus, position);
    if (bonus >= NEARBY_BONUS && score + bonus > this.near.threshold)
      this.take(this.near, posting, score + bonus, position);
  }

  /** Whether by its latitude alone a place is too far away to gain so much: most are, and need not be measured. */
  private isTooFar(place: number, wanted: number): boolean {
    if (wanted <= 0) return false;
    const degrees = Math.abs(this.index.placeLatE7[place]! / 1e7 - this.around!.lat);
    return degrees * METERS_PER_DEGREE > metersForBonus(wanted);
  }

  /** What the point adds to a place's score. */
  bonus(place: number): number {
    const { around, index } = this;
    if (around === undefined) return 0;
    const lat = index.placeLatE7[place]! / 1e7;
    if (Math.abs(lat - around.lat) > NEAR_DEGREES) return 0;
    return nearnessBonus(distanceMeters(around.lat, around.lng, lat, index.placeLngE7[place]! / 1e7));
  }

  /**
   * With a point: lets the most important matches take part with what nearness they have. Returns the slots that the
   * page must show: the best match without regard to the point, and the best one nearby.
   */
  finish(): number[] {
    if (this.around === undefined) return [];
    const { top, unbiased, near } = this;
    for (const slot of unbiased.order.subarray(0, unbiased.count)) {
      const place = unbiased.place[slot]!;
      const taken = top.offer(place, unbiased.score[slot]! + this.bonus(place));
      if (taken !== -1) top.copyMatch(taken, unbiased, slot);
    }
    const kept: number[] = [];
    for (const list of [unbiased, near]) if (list.count > 0) kept.push(this.forceInclude(list, kept));
    return kept;
  }

  /** The slot of the best of a list; where it did not get in by itself, it takes the last one that is not kept. */
  private forceInclude(list: TopHits, kept: readonly number[]): number {
    const { top } = this;
    const best = list.order[0]!;
    const place = list.place[best]!;
    const found = top.slotOf(place);
    if (found !== -1) return found;
    let rank = top.count - 1;
    while (kept.includes(top.order[rank]!)) rank--;
    const last = top.order[rank]!;
    top.replacePlace(last, place);
    top.score[last] = list.score[best]! + (list === this.unbiased ? this.bonus(place) : 0);
    top.copyMatch(last, list, best);
    return last;
  }

  private take(list: TopHits, posting: number, score: number, position: number): void {
    const place = posting & POSTING.placeMask;
    if (this.isHidden?.[place] === 1) return;
    const slot = list.offer(place, score);
    if (slot === -1) return;
    list.posting[slot] = position;
    list.flags[slot] = posting >>> POSTING.flagShift;
    list.match[slot] = this.match;
    list.typos[slot] = this.typos;
    list.interpretation[slot] = this.facts.interpretation;
  }
}

/** The importances fall: for each step, how many are not below it. */
function countByImportance(importances: Uint16Array): Uint32Array {
  const counts = new Uint32Array(STEPS);
  for (let step = 0; step < STEPS; step++) {
    counts[step] = lowerBound(importances.length, (i) => (importances[i]! / FULL) * STEPS >= step);
  }
  return counts;
}
