/**
 * Scores matching places and keeps the best. A place is offered as a posting: its id, and flags of
 * the name that matched. `offer` is called very often, so it allocates nothing.
 */
import { lowerBound } from '../collections/sorting.ts';
import { type Index, MAX_IMPORTANCE } from '../index-file/layout.ts';
import { readMainNameOffset, readText } from '../index-file/packed-record.ts';
import { findNameOrdinal, isMainFromStart, isMainName, POSTING } from '../index-file/posting.ts';
import { NAME_KINDS, SEVERAL_LANGUAGES } from '../place/place.ts';
import { distanceMeters, type LatLng, METERS_PER_DEGREE } from '../place/sphere.ts';
import { fold } from '../text/fold.ts';
import { MATCH } from '../trie/match-ranges.ts';
import {
  MAX_NEARNESS,
  matchPenalties,
  metersForBonus,
  NEARNESS,
  namesakePenalty,
  nearnessBonus,
  penaltyIndex,
  unlikelyMatchShare,
  WELL_KNOWN_IMPORTANCE,
  wideNearnessShare,
} from './scores.ts';
import { TopCandidates } from './top-candidates.ts';

/** Places further north or south of the point than this get no bonus. */
const MAX_BONUS_DEGREES = 20;
/** Number of equal steps from importance 0 to 1. */
const IMPORTANCE_STEPS = 256;
// values of the parameter `usesNearness`: whether the nearness bonus may help a place to get in
export const WITH_NEARNESS = true;
export const WITHOUT_NEARNESS = false;

interface InterpretationScoring {
  /** Index in `SearchOutcome.interpretations`. */
  readonly interpretation: number;
  readonly penalty: number;
  /** Bits of QUERY_FLAGS. */
  readonly queryFlags: number;
  /** Importance (0..1) of the most important place with the typed main name; 0 if there is none. */
  readonly namesakeImportance: number;
  readonly onlyWellKnown: boolean;
  /** The typed name. */
  readonly text: string;
  /** The highest score of uncommon aliases. */
  readonly aliasCeiling: number;
  readonly maxScore: number;
}

export class Candidates {
  private readonly index: Index;
  readonly top: TopCandidates;
  /** What `topWithoutNearness` returns if the query has a point. */
  private readonly withoutNearness: TopCandidates;
  /** The best candidate nearby, if the query has a point. */
  private readonly nearby = new TopCandidates(1);
  /** For each importance step, the number of places at or above it. These have the lowest ids. */
  private readonly placeCountByStep: Uint32Array;
  private around: LatLng | undefined;
  private scoring: InterpretationScoring = {
    interpretation: 0,
    penalty: 0,
    queryFlags: 0,
    namesakeImportance: 0,
    onlyWellKnown: false,
    text: '',
    aliasCeiling: Number.POSITIVE_INFINITY,
    maxScore: Number.POSITIVE_INFINITY,
  };
  /** By index of the interpretation. */
  private readonly namesakeImportances: number[] = [];
  /** One of MATCH. */
  private match = 0;
  private typos = 0;
  /** Index in `matchPenalties` for the current match and posting flags 0. */
  private penaltyOffset = 0;
  /** The part of the penalty that is the same for all current postings. */
  private penalty = 0;

  constructor(index: Index, capacity: number) {
    this.index = index;
    this.placeCountByStep = countByStep(index.placeImportance);
    this.top = new TopCandidates(capacity);
    this.withoutNearness = new TopCandidates(capacity);
  }

  reset(around: LatLng | undefined, capacity: number): void {
    this.around = around;
    this.top.clear(capacity);
    this.withoutNearness.clear(capacity);
    this.nearby.clear(1);
  }

  get topWithoutNearness(): TopCandidates {
    return this.around === undefined ? this.top : this.withoutNearness;
  }

  get hasPoint(): boolean {
    return this.around !== undefined;
  }

  setInterpretation(scoring: InterpretationScoring): void {
    this.scoring = scoring;
    this.namesakeImportances[scoring.interpretation] = scoring.namesakeImportance;
  }

  /** Sets how the postings offered next match. `extraPenalty` adds to the penalty of the match. */
  setMatch(match: number, typos: number, extraPenalty = 0): void {
    this.match = match;
    this.typos = typos;
    this.penaltyOffset = penaltyIndex(match, typos, this.scoring.queryFlags);
    this.penalty = this.scoring.penalty + extraPenalty;
  }

  /**
   * Score without the nearness bonus and the penalty for a namesake. At most the importance: scans stop where places are
   * too unimportant to get in, and would miss those with another bonus.
   */
  baseScore(place: number, flags: number): number {
    return (
      this.index.placeImportance[place]! / MAX_IMPORTANCE - this.penalty - matchPenalties[this.penaltyOffset | flags]!
    );
  }

  /** Importance (0..MAX_IMPORTANCE) that a place with these posting flags must exceed to get in. */
  importanceFloor(flags: number): number {
    return (
      (this.topWithoutNearness.threshold + this.penalty + matchPenalties[this.penaltyOffset | flags]!) * MAX_IMPORTANCE
    );
  }

  /** Places from this id on cannot get in, not even by nearness if `usesNearness`. */
  idLimit(usesNearness: boolean): number {
    let { threshold } = this.topWithoutNearness;
    if (usesNearness && this.around !== undefined) {
      threshold = Math.min(threshold, this.top.threshold - MAX_NEARNESS, this.nearby.threshold - MAX_NEARNESS);
    }
    const minImportance = threshold + this.penalty + matchPenalties[this.penaltyOffset]!; // flags 0 cost least
    const minStep = minImportance * IMPORTANCE_STEPS;
    if (minStep <= 0) return this.index.metadata.places;
    return minStep >= IMPORTANCE_STEPS ? 0 : this.placeCountByStep[Math.floor(minStep)]!;
  }

  /** Offers the place of the posting at `position`, an index in `Index.postings`. */
  offer(position: number, usesNearness: boolean): void {
    this.offerPosting(this.index.postings[position]!, position, usesNearness);
  }

  /** Offers a place that was found without the trie, as a match of its main name's first key. */
  offerPlace(place: number, usesNearness: boolean): void {
    const { slotPosting, placeSlots } = this.index;
    this.offerPosting(/* posting without flags */ place, slotPosting[placeSlots[place]!]!, usesNearness);
  }

  /** Does what `offer` does, for a posting that the caller has already read. */
  offerPosting(posting: number, position: number, usesNearness: boolean): void {
    const place = posting & POSTING.placeMask;
    if (this.scoring.onlyWellKnown && this.index.placeImportance[place]! < WELL_KNOWN_IMPORTANCE) return;
    const flags = posting >>> POSTING.flagShift;
    let score = this.baseScore(place, flags);
    score -= namesakePenalty(score, flags, this.scoring);
    if (score > this.scoring.aliasCeiling && this.isUncommon(place, position)) score = this.scoring.aliasCeiling;
    if (score > this.scoring.maxScore) score = this.scoring.maxScore;
    if (this.around === undefined) {
      if (score > this.top.threshold) this.offerTo(this.top, posting, score, position);
      return;
    }
    if (score > this.withoutNearness.threshold) this.offerTo(this.withoutNearness, posting, score, position);
    const bonusNeeded = Math.min(this.top.threshold, this.nearby.threshold) - score;
    if (!usesNearness || bonusNeeded >= MAX_NEARNESS || this.isTooFar(place, bonusNeeded)) return;
    const meters = this.metersTo(place);
    const bonus = this.bonus(place, this.match, flags, this.scoring.namesakeImportance, meters);
    if (score + bonus > this.top.threshold) this.offerTo(this.top, posting, score + bonus, position);
    if (meters <= NEARNESS.nearbyMeters && score + bonus > this.nearby.threshold)
      this.offerTo(this.nearby, posting, score + bonus, position);
  }

  private isUncommon(place: number, position: number): boolean {
    return this.match === MATCH.whole && isUncommonAlias(this.index, place, position, this.scoring.text);
  }

  /** Whether the latitude alone shows that the bonus is below `bonusNeeded`. */
  private isTooFar(place: number, bonusNeeded: number): boolean {
    if (bonusNeeded <= 0) return false;
    const degrees = Math.abs(this.index.placeLatE7[place]! / 1e7 - this.around!.lat);
    return degrees * METERS_PER_DEGREE > metersForBonus(bonusNeeded);
  }

  /** The nearness bonus of the candidate in this slot; 0 without a point. */
  bonusOf(slot: number, list = this.top): number {
    const place = list.place[slot]!;
    const match = list.match[slot]!;
    const flags = list.flags[slot]!;
    return this.bonus(place, match, flags, this.namesakeImportances[list.interpretation[slot]!]!, this.metersTo(place));
  }

  private bonus(place: number, match: number, flags: number, namesakeImportance: number, meters: number): number {
    if (meters === Number.POSITIVE_INFINITY) return 0;
    const importance = this.index.placeImportance[place]! / MAX_IMPORTANCE;
    const bonus = nearnessBonus(meters, wideNearnessShare(importance, namesakeImportance));
    // if no well-known place has the typed name, the name is probably unfinished, so any match is likely
    const isWholeMainName = match === MATCH.whole && isMainFromStart(flags);
    return isWholeMainName ? bonus : bonus * unlikelyMatchShare(namesakeImportance);
  }

  /** Distance of a place from the point; infinite without a point or if the bonus is negligible. */
  private metersTo(place: number): number {
    const { around, index } = this;
    if (around === undefined) return Number.POSITIVE_INFINITY;
    const lat = index.placeLatE7[place]! / 1e7;
    if (Math.abs(lat - around.lat) > MAX_BONUS_DEGREES) return Number.POSITIVE_INFINITY;
    return distanceMeters(around.lat, around.lng, lat, index.placeLngE7[place]! / 1e7);
  }

  /**
   * If the query has a point, merges `withoutNearness` into `top`. Returns the slots in `top` that
   * must be hits: the best without the bonus, then the best nearby.
   */
  finish(): number[] {
    if (this.around === undefined) return [];
    const { top, withoutNearness, nearby } = this;
    for (const slot of withoutNearness.order.subarray(0, withoutNearness.count)) {
      const place = withoutNearness.place[slot]!;
      const topSlot = top.offer(place, withoutNearness.score[slot]! + this.bonusOf(slot, withoutNearness));
      if (topSlot !== -1) top.copyMatch(topSlot, withoutNearness, slot);
    }
    const guaranteed: number[] = [];
    for (const list of [withoutNearness, nearby]) {
      if (list.count > 0) guaranteed.push(this.forceInclude(list, guaranteed));
    }
    return guaranteed;
  }

  /** Makes sure that `top` has the best place of `list`. Returns the place's slot in `top`. */
  private forceInclude(list: TopCandidates, guaranteed: readonly number[]): number {
    const { top } = this;
    const best = list.order[0]!;
    const place = list.place[best]!;
    const found = top.slotOf(place);
    if (found !== -1) return found;
    let rank = top.count - 1; // replaces the last candidate that is not guaranteed
    while (guaranteed.includes(top.order[rank]!)) rank--;
    const slot = top.order[rank]!;
    top.reassignSlot(slot, place);
    const missingBonus = list === this.withoutNearness ? this.bonusOf(best, list) : 0; // scores in `nearby` include it
    top.score[slot] = list.score[best]! + missingBonus;
    top.copyMatch(slot, list, best);
    return slot;
  }

  private offerTo(list: TopCandidates, posting: number, score: number, position: number): void {
    const place = posting & POSTING.placeMask;
    const slot = list.offer(place, score);
    if (slot === -1) return;
    list.position[slot] = position;
    list.flags[slot] = posting >>> POSTING.flagShift;
    list.match[slot] = this.match;
    list.typos[slot] = this.typos;
    list.interpretation[slot] = this.scoring.interpretation;
  }
}

/** `importances` must be descending. */
function countByStep(importances: Uint16Array): Uint32Array {
  return Uint32Array.from({ length: IMPORTANCE_STEPS }, (_, step) =>
    lowerBound(importances.length, (i) => (importances[i]! / MAX_IMPORTANCE) * IMPORTANCE_STEPS >= step),
  );
}

/** Languages with well-known names for foreign cities. */
const COMMON_LANGUAGES = new Set('de en es fr id it nl pl pt sv tr vi'.split(' ').concat(SEVERAL_LANGUAGES));
/** Airports have codes of three letters. Shorter codes are abbreviations: "LA". */
const AIRPORT_CODE_LENGTH = 3;

/**
 * Whether a text is an alias that hardly anyone types: "Parī" is Maori for Paris. Local names are no
 * aliases (local-names.ts). `position` is that of a posting of the place whose key is `text`.
 */
export function isUncommonAlias(index: Index, place: number, position: number, text: string): boolean {
  const flags = index.postings[position]! >>> POSTING.flagShift;
  if (isMainName(flags) || (flags & POSTING.isLaterWord) !== 0) return false;
  const name = index.placeNames[place]! + findNameOrdinal(index, place, position);
  const kind = NAME_KINDS[index.nameKind[name]!];
  if (kind === 'code') return text.length >= AIRPORT_CODE_LENGTH;
  if (kind === 'main') return false; // without its article: "hague"
  if (kind !== 'alternate') return true;
  const { placeNames, nameText, nameLanguage, metadata } = index;
  // a name of several languages is listed once for each
  for (let other = placeNames[place]!; other < placeNames[place + 1]!; other++) {
    if (nameText[other] !== nameText[name]) continue;
    const language = metadata.languages[nameLanguage[other]!]!;
    if (COMMON_LANGUAGES.has(language)) return false;
  }
  // "Biel" is the start of Biel/Bienne
  return !fold(readText(index, readMainNameOffset(index, place))).startsWith(`${text} `);
}
