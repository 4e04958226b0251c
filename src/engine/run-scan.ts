/**
 * From runs of postings to candidates. Short runs are read whole and their places counted. Of long ones the best are
 * listed in the index; where a filter makes the lists useless, blocks of postings whose lowest id is too unimportant to
 * get in are skipped: ids are in importance order.
 */
import type { Index } from '../index-file/layout.ts';
import { POSTING } from '../index-file/posting.ts';
import type { Candidates } from './candidates.ts';
import type { MatchRanges } from './match-ranges.ts';
import type { PlaceFilter } from './place-filter.ts';

/** Runs up to this long are read whole; longer ones are listed. */
const COUNTED_RUN = POSTING.longRun;
/** With a point, runs up to this long are read whole, so that every place's nearness counts; of longer ones the most
 * important places are read here and the nearest by the nearby scan. */
const MEASURED_RUN = 4096;
/** How many places the first round over a long run is to find, and how much farther each next one reaches. */
const FIRST_ROUND = 64;
const ROUND_GROWTH = 8;
/** Of each list of a run, the flags that cost least. */
const LEAST_FLAGS = [0, 1 << POSTING.qualityShift, POSTING.isLaterWord];

export class RunScan {
  private readonly index: Index;
  private readonly filter: PlaceFilter;
  private readonly candidates: Candidates;
  /** seen[place] is the number of the query that counted it last. */
  private readonly seen: Uint32Array;
  private queryNumber = 0;
  total = 0;
  isTotalExact = true;

  constructor(index: Index, filter: PlaceFilter, candidates: Candidates) {
    this.index = index;
    this.filter = filter;
    this.candidates = candidates;
    this.seen = new Uint32Array(index.head.places);
  }

  begin(): void {
    this.queryNumber++;
    this.total = 0;
    this.isTotalExact = true;
  }

  /** Offers the places of all runs. */
  scan(ranges: MatchRanges): void {
    const wholeRun = this.candidates.hasPoint ? MEASURED_RUN : COUNTED_RUN;
    for (let i = 0; i < ranges.count; i++) {
      const lo = ranges.lo[i]!;
      const hi = ranges.hi[i]!;
      this.candidates.setMatch(ranges.match[i]!, ranges.typos[i]!);
      if (hi - lo <= wholeRun) this.readAll(lo, hi);
      else this.readBest(lo, hi);
    }
  }

  private readAll(lo: number, hi: number): void {
    const { postings } = this.index;
    const { filter, seen, queryNumber, candidates } = this;
    for (let position = lo; position < hi; position++) {
      const place = postings[position]! & POSTING.placeMask;
      if (filter.isActive && !filter.accepts(place)) continue;
      if (seen[place] !== queryNumber) {
        seen[place] = queryNumber;
        this.total++;
      }
      candidates.offer(position, true);
    }
  }

  private readBest(lo: number, hi: number): void {
    this.isTotalExact = false;
    this.total += hi - lo;
    if (this.filter.isActive) {
      this.readRound(lo, hi, 0, this.idLimit()); // few pass, so a second round would read as much again
      return;
    }
    if (this.readListed(lo, hi)) return;
    let from = 0;
    let cut = Math.ceil((this.index.head.places * FIRST_ROUND) / (hi - lo));
    // the most important places first, so that after the first round hardly anything that is left can get in
    for (let limit = this.idLimit(); from < limit; cut *= ROUND_GROWTH) {
      this.readRound(lo, hi, from, Math.min(cut, limit));
      from = cut;
      limit = this.idLimit();
    }
  }

  /** Offers the best of a run from its lists. True if nothing that is not listed could get in. */
  private readListed(lo: number, hi: number): boolean {
    const { runStart, runTops, postings } = this.index;
    const { candidates } = this;
    const run = this.findRun(lo, hi);
    if (run === -1) return false;
    let at = runStart[run]!;
    let isEnough = true;
    for (let list = 0; list < POSTING.topSizes.length; list++) {
      const length = runTops[at++]!;
      const end = at + length;
      for (; at < end; at++) {
        const place = postings[runTops[at]!]! & POSTING.placeMask;
        // the list is in importance order: what follows is no better
        if (candidates.bestScore(place, LEAST_FLAGS[list]!) <= candidates.found.threshold) break;
        candidates.offer(runTops[at]!, false);
      }
      if (at === end && length === POSTING.topSizes[list]!) isEnough = false;
      at = end;
    }
    return isEnough;
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

  /** Offers the places with ids from..to of a run. */
  private readRound(lo: number, hi: number, from: number, to: number): void {
    const { postings, postingBlocks } = this.index;
    const { filter, candidates } = this;
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
        candidates.offer(position, false);
      }
    }
  }

  /** The first place id too unimportant to get in: importance falls with the id. */
  private idLimit(): number {
    const { candidates } = this;
    const { threshold } = candidates.found;
    let lo = 0;
    let hi = this.index.head.places;
    while (lo < hi) {
      const middle = (lo + hi) >>> 1;
      if (candidates.bestScore(middle, 0) > threshold) lo = middle + 1;
      else hi = middle;
    }
    return lo;
  }
}
