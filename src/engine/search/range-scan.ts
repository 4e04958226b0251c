/**
 * From runs of postings to candidates. Short runs are read whole and their places counted. Of long ones the best are
 * listed in the index; where a filter makes the lists useless, blocks of postings whose lowest id is too unimportant to
 * get in are skipped: ids are in importance order.
 */
import { lowerBound } from '../../collections/lower-bound.ts';
import type { Index } from '../../index-file/layout.ts';
import { POSTING } from '../../index-file/posting.ts';
import type { Candidates } from '../rank/candidates.ts';
import type { PlaceFilter } from '../rank/place-filter.ts';
import { PlaceSet } from '../rank/place-set.ts';
import { MATCH, type MatchRanges } from '../trie/match-ranges.ts';
import type { WorkBudget } from '../work-budget.ts';
import type { SearchParts } from './search-parts.ts';

/** Runs up to this long are read whole; longer ones are listed. */
const COUNTED_RUN = POSTING.longRange;
/** Where there is a filter, lists are of no use: runs up to this long are read whole. */
const FILTERED_RUN = 512;
/** Of longer runs about so many places are looked at first, the most important: mostly no other can get in then. */
const FILTERED_FIRST = 8192;
/** With a point, runs up to this long are read whole, so that every place's nearness counts; of longer ones the most
 * important places are read here and the nearest by the nearby scan. */
export const MEASURED_RUN = 1024;
/** How many places the first round over a long run is to find, and how much farther each next one reaches. */
const FIRST_ROUND = 64;
const ROUND_GROWTH = 8;
/** Work of reading a posting whose place may have to be measured. */
const MEASURED_WORK = 2;
/** Work of reading the lists of a run. */
const LISTED_RUN = 32;
/** Of each list of a run, the flags that cost least. */
const LEAST_FLAGS = [0, 1 << POSTING.qualityShift, POSTING.isLaterWord];

export class RunScan {
  private readonly index: Index;
  private readonly filter: PlaceFilter;
  private readonly candidates: Candidates;
  private readonly work: WorkBudget;
  private readonly counted = new PlaceSet();
  /** Runs that may hold more than their lists told, and the best score that could have. */
  private unread: { readonly range: number; readonly most: number }[] = [];
  total = 0;
  isTotalExact = true;

  constructor(index: Index, { filter, candidates, work }: Pick<SearchParts, 'filter' | 'candidates' | 'work'>) {
    this.index = index;
    this.filter = filter;
    this.candidates = candidates;
    this.work = work;
  }

  begin(): void {
    this.counted.clear();
    this.total = 0;
    this.isTotalExact = true;
  }

  /** Offers the places of all runs; with `isCounted` they count in the total. */
  scan(ranges: MatchRanges, isCounted: boolean): void {
    const { candidates, filter } = this;
    const wholeRun = candidates.hasPoint ? MEASURED_RUN : filter.isActive ? FILTERED_RUN : COUNTED_RUN;
    const isExactCount = isCounted && ranges.size <= wholeRun;
    if (isCounted && !isExactCount) {
      this.isTotalExact = false;
      this.total += ranges.size;
    }
    if (this.unread.length > 0) this.unread = [];
    // the names that go on come last and are the most: with the best of them first, fewer get in only to be put out again
    for (let i = ranges.count - 1; i >= 0; i--) {
      const lo = ranges.lo[i]!;
      const hi = ranges.hi[i]!;
      candidates.setMatch(ranges.match[i]!, ranges.typos[i]!);
      if (isExactCount) this.countAll(lo, hi);
      else if (hi - lo <= wholeRun && (candidates.hasPoint || ranges.match[i] !== MATCH.exact)) this.readAll(lo, hi);
      else if (ranges.match[i] === MATCH.exact) this.readOrdered(lo, hi);
      else if (filter.isActive) this.readFiltered(lo, hi);
      else this.readListed(i, lo, hi);
    }
    for (const { range, most } of this.unread) {
      // by now the lists of all runs have been read, and few have anything left that could get in
      if (most <= candidates.found.threshold) continue;
      candidates.setMatch(ranges.match[range]!, ranges.typos[range]!);
      this.readRounds(ranges.lo[range]!, ranges.hi[range]!);
    }
  }

  /** Work of reading a posting: more where its place may have to be measured. */
  private get postingWork(): number {
    return this.filter.isActive || this.candidates.hasPoint ? MEASURED_WORK : 1;
  }

  /** How many of the postings the work budget allows to read. */
  private grantPostings(count: number): number {
    return Math.floor(this.work.grant(count * this.postingWork) / this.postingWork);
  }

  private countAll(lo: number, hi: number): void {
    const { postings } = this.index;
    const { filter, counted, candidates } = this;
    let limit = candidates.idLimit(true);
    const end = lo + this.grantPostings(hi - lo);
    for (let position = lo; position < end; position++) {
      const posting = postings[position]!;
      const place = posting & POSTING.placeMask;
      if (filter.isActive && !filter.accepts(place)) continue;
      if (counted.add(place)) this.total++;
      if (place >= limit) continue;
      candidates.offerPosting(posting, position, true);
      limit = candidates.idLimit(true);
    }
  }

  private readAll(lo: number, hi: number): void {
    const { postings } = this.index;
    const { filter, candidates } = this;
    let limit = candidates.idLimit(true);
    const end = lo + this.grantPostings(hi - lo);
    for (let position = lo; position < end; position++) {
      const posting = postings[position]!;
      const place = posting & POSTING.placeMask;
      if (place >= limit || (filter.isActive && !filter.accepts(place))) continue;
      candidates.offerPosting(posting, position, true);
      limit = candidates.idLimit(true);
    }
  }

  private readFiltered(lo: number, hi: number): void {
    const { candidates } = this;
    const places = this.index.head.places;
    const first = Math.ceil(places * Math.min(1, FILTERED_FIRST / (hi - lo)));
    this.readRound(lo, hi, 0, Math.min(first, candidates.idLimit(false)));
    // what those leave open in one more round: few pass, and each further one would read as much again
    const limit = candidates.idLimit(false);
    if (first < limit) this.readRound(lo, hi, first, limit);
  }

  private readRounds(lo: number, hi: number): void {
    let from = 0;
    let cut = Math.ceil((this.index.head.places * FIRST_ROUND) / (hi - lo));
    // the most important places first, so that after the first round hardly anything that is left can get in
    for (let limit = this.candidates.idLimit(false); from < limit; cut *= ROUND_GROWTH) {
      this.readRound(lo, hi, from, Math.min(cut, limit));
      from = cut;
      limit = this.candidates.idLimit(false);
    }
  }

  /** Offers the best of the postings of one key, which are in importance order. */
  private readOrdered(lo: number, hi: number): void {
    const { postings } = this.index;
    const { candidates, filter, work } = this;
    for (let position = lo; position < hi && work.spend(this.postingWork); position++) {
      const posting = postings[position]!;
      const place = posting & POSTING.placeMask;
      if (place >= candidates.idLimit(false)) return;
      if (filter.isActive && !filter.accepts(place)) continue;
      candidates.offerPosting(posting, position, false);
    }
  }

  /** Offers the best of a run from its lists, and notes the best score that a place not listed could have. */
  private readListed(range: number, lo: number, hi: number): void {
    const { runStart, runTops, placeImportance } = this.index;
    const { candidates } = this;
    const { found } = candidates;
    const run = this.findRun(lo, hi);
    if (!this.work.spend(LISTED_RUN)) return;
    if (run === undefined) {
      this.unread.push({ range, most: Number.POSITIVE_INFINITY });
      return;
    }
    let at = runStart[run]!;
    let most = Number.NEGATIVE_INFINITY;
    for (let list = 0; list < POSTING.topSizes.length; list++) {
      const length = runTops[at++]!;
      const end = at + length;
      const flags = LEAST_FLAGS[list]!;
      let { threshold } = found;
      let needed = candidates.importanceNeeded(flags);
      for (; at < end; at++) {
        const posting = runTops[at]!;
        // the list is in importance order: what follows is no better
        if (placeImportance[posting & POSTING.placeMask]! <= needed) break;
        candidates.offerPosting(posting, runTops[at + length]!, false);
        if (found.threshold === threshold) continue;
        threshold = found.threshold;
        needed = candidates.importanceNeeded(flags);
      }
      if (length === POSTING.topSizes[list]!) {
        const next = runTops[Math.min(at, end - 1)]! & POSTING.placeMask;
        most = Math.max(most, candidates.bestScore(next, flags));
      }
      at = end + length;
    }
    if (most > found.threshold) this.unread.push({ range, most });
  }

  /** All runs longer than `POSTING.longRange` are listed but those of one key, which are in importance order anyway. */
  private findRun(lo: number, hi: number): number | undefined {
    const { runLo, runHi } = this.index;
    const run = lowerBound(runLo.length, (i) => runLo[i]! < lo || (runLo[i] === lo && runHi[i]! < hi));
    return runLo[run] === lo && runHi[run] === hi ? run : undefined;
  }

  /** Offers the places with ids from..to of a run. */
  private readRound(lo: number, hi: number, from: number, to: number): void {
    const { postings, postingBlocks } = this.index;
    const { filter, candidates, work } = this;
    for (let position = lo; position < hi; ) {
      const block = Math.floor(position / POSTING.blockSize);
      const end = Math.min(hi, (block + 1) * POSTING.blockSize);
      const isSkipped = postingBlocks[block]! >= to;
      if (!work.spend(isSkipped ? 1 : (end - position) * this.postingWork)) return;
      if (isSkipped) {
        position = end;
        continue;
      }
      for (; position < end; position++) {
        const posting = postings[position]!;
        const place = posting & POSTING.placeMask;
        if (place < from || place >= to) continue;
        if (filter.isActive && !filter.accepts(place)) continue;
        candidates.offerPosting(posting, position, false);
      }
    }
  }
}
