/**
 * From runs of postings to the best candidates. Postings carry place ids, and ids are in importance order, so a
 * block of postings whose lowest id is too unimportant to get in is skipped without being read.
 */
import type { Index } from '../index-file/layout.ts';
import { POSTING } from '../index-file/posting.ts';
import { distanceMeters, type LatLng } from '../place/sphere.ts';
import type { MatchRanges } from './match-ranges.ts';
import type { PlaceFilter } from './place-filter.ts';
import { matchPenalties, NEARNESS, nearnessBonus, penaltyIndex } from './rank.ts';
import { TopHits } from './top-hits.ts';

/** Runs up to this long are read whole, so that their places can be counted; longer ones are listed. */
const COUNTED_RUN = POSTING.longRun;
/** With a point, runs up to this long are read whole, so that every place's nearness counts; of longer ones the most
 * important places are read here and the nearest by the nearby scan. */
const MEASURED_RUN = 4096;
/** What a place gains that counts as nearby. */
const NEARBY_BONUS = nearnessBonus(NEARNESS.nearbyMeters);
/** Beyond this many degrees of latitude nearness adds nothing worth having. */
const NEAR_DEGREES = 20;
/** How many places the first round over a long run is to find, and how much farther each next one reaches. */
const FIRST_ROUND = 64;
const ROUND_GROWTH = 8;
/** Of each list of a run, the flags that cost least. */
const LEAST_FLAGS = [0, 1 << POSTING.qualityShift, POSTING.isLaterWord];
const FULL = 0xffff;

export class CandidateScan {
  private readonly index: Index;
  private readonly filter: PlaceFilter;
  private readonly top: TopHits;
  /** With a point: the best without regard to it. */
  private readonly famous: TopHits;
  /** With a point: the best nearby. */
  private readonly near = new TopHits(1);
  /** seen[place] is the number of the query that counted it last. */
  private readonly seen: Uint32Array;
  private queryNumber = 0;
  private around: LatLng | undefined;
  /** How the query was typed, in the reading being scanned: bits of TYPED. */
  typed = 0;
  /** What matching by another name costs besides, in that reading. */
  otherName = 0;
  total = 0;
  isTotalExact = true;

  constructor(index: Index, filter: PlaceFilter, tops: { top: TopHits; famous: TopHits }) {
    this.index = index;
    this.filter = filter;
    this.top = tops.top;
    this.famous = tops.famous;
    this.seen = new Uint32Array(index.head.places);
  }

  begin(around: LatLng | undefined): void {
    this.queryNumber++;
    this.near.clear(1);
    this.around = around;
    this.total = 0;
    this.isTotalExact = true;
  }

  /** Offers the places of all runs; `penalty` is what the reading itself lacks. */
  scan(ranges: MatchRanges, reading: number, penalty: number): void {
    for (let i = 0; i < ranges.count; i++) {
      const lo = ranges.lo[i]!;
      const hi = ranges.hi[i]!;
      const match = ranges.match[i]!;
      const typos = ranges.typos[i]!;
      const lacking = penalty;
      const length = hi - lo;
      const isWhole = length <= (this.around === undefined ? COUNTED_RUN : MEASURED_RUN);
      if (isWhole) this.readAll(lo, hi, { match, typos, reading, lacking });
      else this.readBest(lo, hi, { match, typos, reading, lacking });
    }
  }

  /**
   * With a point: lets the most important matches take part with what nearness they have. Returns the slots that the
   * page must show: the best match without regard to the point, and the best one nearby.
   */
  finish(): number[] {
    if (this.around === undefined) return [];
    const { top, famous, near } = this;
    for (const slot of famous.order.subarray(0, famous.count)) {
      take(top, famous.place[slot]!, famous.score[slot]! + this.bonus(famous.place[slot]!), factsOf(famous, slot));
    }
    return [famous, near].flatMap((list) => (list.count === 0 ? [] : [this.insist(list)]));
  }

  /** The slot of the best of a list; it takes the last one where it did not get in by itself. */
  private insist(list: TopHits): number {
    const { top } = this;
    const best = list.order[0]!;
    const place = list.place[best]!;
    const found = top.slotOf(place);
    if (found !== -1) return found;
    const last = top.order[top.count - 1]!;
    const { position, match, typos, reading } = factsOf(list, best);
    top.place[last] = place;
    top.score[last] = list === this.famous ? list.score[best]! + this.bonus(place) : list.score[best]!;
    top.posting[last] = position;
    top.match[last] = match;
    top.typos[last] = typos;
    top.reading[last] = reading;
    return last;
  }

  /** Offers one place through one of its postings, whatever its importance. */
  offer(position: number, { match, typos, reading, lacking }: MatchFacts, isMeasured: boolean): void {
    const posting = this.index.postings[position]!;
    const place = posting & POSTING.placeMask;
    const flags = posting >>> POSTING.flagShift;
    const score =
      this.index.placeImportance[place]! / FULL -
      lacking -
      ((flags & POSTING.qualityMask) === 0 ? 0 : this.otherName) -
      matchPenalties[penaltyIndex(match, typos, this.typed) | flags]!;
    const facts = { position, match, typos, reading };
    if (this.around === undefined) {
      if (score > this.top.threshold) take(this.top, place, score, facts);
      return;
    }
    if (score > this.famous.threshold) take(this.famous, place, score, facts);
    if (!isMeasured) return;
    const isHopeless = score + NEARNESS.most <= Math.min(this.top.threshold, this.near.threshold);
    if (isHopeless) return;
    const bonus = this.bonus(place);
    if (score + bonus > this.top.threshold) take(this.top, place, score + bonus, facts);
    if (bonus >= NEARBY_BONUS && score + bonus > this.near.threshold) take(this.near, place, score + bonus, facts);
  }

  /** What the point adds to a place's score. */
  bonus(place: number): number {
    const { around, index } = this;
    if (around === undefined) return 0;
    const lat = index.placeLatE7[place]! / 1e7;
    if (Math.abs(lat - around.lat) > NEAR_DEGREES) return 0;
    return nearnessBonus(distanceMeters(around.lat, around.lng, lat, index.placeLngE7[place]! / 1e7));
  }

  private readAll(lo: number, hi: number, facts: MatchFacts): void {
    const { postings } = this.index;
    const { filter, seen, queryNumber } = this;
    for (let position = lo; position < hi; position++) {
      const place = postings[position]! & POSTING.placeMask;
      if (filter.isActive && !filter.accepts(place)) continue;
      if (seen[place] !== queryNumber) {
        seen[place] = queryNumber;
        this.total++;
      }
      this.offer(position, facts, true);
    }
  }

  private readBest(lo: number, hi: number, facts: MatchFacts): void {
    this.isTotalExact = false;
    this.total += hi - lo;
    if (!this.filter.isActive && this.readListed(lo, hi, facts)) return;
    const least = facts.lacking + this.penaltyOf(facts, 0);
    let from = 0;
    let cut = Math.ceil((this.index.head.places * FIRST_ROUND) / (hi - lo));
    // the most important places first, so that after the first round hardly anything that is left can get in
    for (let limit = this.idLimit(this.ranked.threshold + least); from < limit; cut *= ROUND_GROWTH) {
      this.readRound(lo, hi, { ...facts, from, to: Math.min(cut, limit) });
      from = cut;
      limit = this.idLimit(this.ranked.threshold + least);
    }
  }

  /** Offers the best of a run from its lists. True if nothing that is not listed could get in. */
  private readListed(lo: number, hi: number, facts: MatchFacts): boolean {
    const { runStart, runTops, postings, placeImportance } = this.index;
    const run = this.findRun(lo, hi);
    if (run === -1) return false;
    let at = runStart[run]!;
    let isEnough = true;
    for (let list = 0; list < POSTING.topSizes.length; list++) {
      const length = runTops[at++]!;
      for (const end = at + length; at < end; at++) this.offer(runTops[at]!, facts, false);
      if (length < POSTING.topSizes[list]!) continue;
      const last = postings[runTops[at - 1]!]! & POSTING.placeMask;
      const most = placeImportance[last]! / FULL - facts.lacking - this.penaltyOf(facts, LEAST_FLAGS[list]!);
      if (most > this.ranked.threshold) isEnough = false;
    }
    return isEnough;
  }

  /** Where importance alone decides. */
  private get ranked(): TopHits {
    return this.around === undefined ? this.top : this.famous;
  }

  private findRun(lo: number, hi: number): number {
    const { runLo, runHi } = this.index;
    let from = 0;
    let to = runLo.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (runLo[middle]! < lo || (runLo[middle] === lo && runHi[middle]! < hi)) from = middle + 1;
      else to = middle;
    }
    return runLo[from] === lo && runHi[from] === hi ? from : -1;
  }

  private penaltyOf({ match, typos }: MatchFacts, flags: number): number {
    return matchPenalties[penaltyIndex(match, typos, this.typed) | flags]!;
  }

  /** Offers the places from..to of a run. */
  private readRound(lo: number, hi: number, round: MatchFacts & { readonly from: number; readonly to: number }): void {
    const { postings, postingBlocks } = this.index;
    const { filter } = this;
    const { from, to } = round;
    for (let position = lo; position < hi; ) {
      const block = Math.floor(position / POSTING.blockSize);
      const end = Math.min(hi, (block + 1) * POSTING.blockSize);
      if (postingBlocks[block]! >= to) {
        position = end;
        continue;
      }
      for (; position < end; position++) {
        const place = postings[position]! & POSTING.placeMask;
        if (place < from || place >= to) continue;
        if (filter.isActive && !filter.accepts(place)) continue;
        this.offer(position, round, false);
      }
    }
  }

  /** The first place id too unimportant to reach this score: importance falls with the id. */
  private idLimit(score: number): number {
    const { placeImportance } = this.index;
    const least = score * FULL;
    let lo = 0;
    let hi = placeImportance.length;
    while (lo < hi) {
      const middle = (lo + hi) >>> 1;
      if (placeImportance[middle]! > least) lo = middle + 1;
      else hi = middle;
    }
    return lo;
  }
}

interface Taken {
  readonly position: number;
  readonly match: number;
  readonly typos: number;
  readonly reading: number;
}

function factsOf(list: TopHits, slot: number): Taken {
  return {
    position: list.posting[slot]!,
    match: list.match[slot]!,
    typos: list.typos[slot]!,
    reading: list.reading[slot]!,
  };
}

function take(top: TopHits, place: number, score: number, { position, match, typos, reading }: Taken): void {
  const slot = top.offer(place, score);
  if (slot === -1) return;
  top.posting[slot] = position;
  top.match[slot] = match;
  top.typos[slot] = typos;
  top.reading[slot] = reading;
}

export interface MatchFacts {
  readonly match: number;
  readonly typos: number;
  readonly reading: number;
  /** What the reading lacks, before the match is looked at. */
  readonly lacking: number;
}
