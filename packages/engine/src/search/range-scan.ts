/**
 * Offers the places in ranges of postings to the candidates. Short ranges are read whole. For long
 * ranges the index lists the most important places. If other places may get in, or if there is a
 * filter, a long range is read in rounds: first the lowest place ids, which are the most important
 * places, then higher ids.
 */
import { lowerBound } from '../collections/sorting.ts';
import type { Index } from '../index-file/layout.ts';
import { isMainFromStart, POSTING } from '../index-file/posting.ts';
import { type Candidates, WITH_NEARNESS, WITHOUT_NEARNESS } from '../rank/candidates.ts';
import type { PlaceFilter } from '../rank/place-filter.ts';
import { MATCH, type MatchRanges } from '../trie/match-ranges.ts';
import type { WorkBudget } from '../work-budget.ts';
import type { SearchContext } from './search-context.ts';

/** Ranges up to this long are read whole. The index has lists for longer ones. */
const MAX_READ_WHOLE = POSTING.longRange;
/** For queries with filters or region words, which do not use the lists. */
const MAX_READ_WHOLE_FILTERED = 512;
/** For queries with a point. In longer ranges place-scan.ts finds the nearest places. */
export const MAX_READ_WHOLE_WITH_POINT = 1024;
/** With a filter: about how many postings of a long range the first of two rounds filters. */
const FIRST_FILTERED_ROUND = 8192;
/** Without a filter: about how many postings of a long range the first round offers. */
const FIRST_ROUND = 64;
/** Without a filter: each further round goes up to ids this many times as high. */
const ROUND_GROWTH = 8;
/** Units of work for a posting if its place is read too, for a filter or a point. */
const PLACE_WORK = 2;
const LIST_WORK = 32;
/** The flags with the lowest penalty in each list: main names, alternate names, later words. */
const CHEAPEST_FLAGS = [0, 1 << POSTING.qualityShift, POSTING.isLaterWord];

export class RangeScan {
  private readonly index: Index;
  private readonly filter: PlaceFilter;
  private readonly candidates: Candidates;
  private readonly work: WorkBudget;
  /** Ranges with unlisted places that may get in. These places score at most `maxScore`. */
  private readonly toReadInRounds: { readonly range: number; readonly maxScore: number }[] = [];

  constructor({ index, candidates, work }: SearchContext, filter: PlaceFilter) {
    this.index = index;
    this.filter = filter;
    this.candidates = candidates;
    this.work = work;
  }

  scan(ranges: MatchRanges): void {
    const { candidates, filter } = this;
    const maxWhole = candidates.hasPoint
      ? MAX_READ_WHOLE_WITH_POINT
      : filter.isActive
        ? MAX_READ_WHOLE_FILTERED
        : MAX_READ_WHOLE;
    // backwards: the last range mostly has the most important places, which keep others out
    for (let i = ranges.count - 1; i >= 0; i--) {
      const lo = ranges.lo[i]!;
      const hi = ranges.hi[i]!;
      const isOneKey = ranges.match[i] === MATCH.whole;
      const isShort = hi - lo <= maxWhole;
      candidates.setMatch(ranges.match[i]!, ranges.typos[i]!);
      // with a point, `readOrdered` may leave out nearer places
      const canStopEarly = isOneKey && !candidates.hasPoint;
      if (isShort && !canStopEarly) this.readWhole(lo, hi);
      else if (isOneKey) this.readOrdered(lo, hi);
      else if (filter.isActive) this.readFiltered(lo, hi);
      else this.readListed(i, lo, hi);
    }
    // all lists are read by now, so few of these ranges can still hold a candidate
    for (const { range, maxScore } of this.toReadInRounds) {
      if (maxScore <= candidates.topWithoutNearness.threshold) continue;
      candidates.setMatch(ranges.match[range]!, ranges.typos[range]!);
      this.readRounds(ranges.lo[range]!, ranges.hi[range]!);
    }
  }

  /**
   * The highest importance (0..MAX_IMPORTANCE) of places with a main name in the range; 0 if none.
   * With a filter, places of a long range that its list lacks do not count.
   */
  highestMainImportance(lo: number, hi: number): number {
    const { postings, rangeTops, rangeTopsStart, placeImportance } = this.index;
    const range = hi - lo > MAX_READ_WHOLE ? this.findRangeWithLists(lo, hi) : undefined;
    if (range !== undefined && !this.work.spend(LIST_WORK)) return 0;
    // the first list of a range has its main names
    const from = range === undefined ? lo : rangeTopsStart[range]! + 1;
    const length = range === undefined ? this.grantPostings(hi - lo) : rangeTops[from - 1]!;
    const source = range === undefined ? postings : rangeTops;
    let highest = 0;
    for (let at = from; at < from + length; at++) {
      const place = source[at]! & POSTING.placeMask;
      const importance = placeImportance[place]!;
      if (importance <= highest || !isMainFromStart(source[at]! >>> POSTING.flagShift)) continue;
      if (!this.filter.isActive || this.filter.accepts(place)) highest = importance;
    }
    return highest;
  }

  private get postingWork(): number {
    return this.filter.isActive || this.candidates.hasPoint ? PLACE_WORK : 1;
  }

  /** Spends the work of reading `count` postings. Returns how many the budget allows. */
  private grantPostings(count: number): number {
    return Math.floor(this.work.grant(count * this.postingWork) / this.postingWork);
  }

  private readWhole(lo: number, hi: number): void {
    const { postings } = this.index;
    const { filter, candidates } = this;
    let limit = candidates.idLimit(WITH_NEARNESS);
    const end = lo + this.grantPostings(hi - lo);
    for (let position = lo; position < end; position++) {
      const posting = postings[position]!;
      const place = posting & POSTING.placeMask;
      if (place >= limit) continue;
      if (filter.isActive && !filter.accepts(place)) continue;
      candidates.offerPosting(posting, position, WITH_NEARNESS);
      limit = candidates.idLimit(WITH_NEARNESS);
    }
  }

  private readFiltered(lo: number, hi: number): void {
    const { candidates } = this;
    const firstRoundEnd = this.idBelowWhich(FIRST_FILTERED_ROUND, lo, hi);
    this.readRound(lo, hi, 0, Math.min(firstRoundEnd, candidates.idLimit(WITHOUT_NEARNESS)));
    // one round for all the rest: few places pass, and each round reads most blocks again
    const limit = candidates.idLimit(WITHOUT_NEARNESS);
    if (firstRoundEnd < limit) this.readRound(lo, hi, firstRoundEnd, limit);
  }

  private readRounds(lo: number, hi: number): void {
    let from = 0;
    let to = this.idBelowWhich(FIRST_ROUND, lo, hi);
    let limit = this.candidates.idLimit(WITHOUT_NEARNESS);
    // mostly one round is enough: after it, `limit` is below `from`
    while (from < limit) {
      this.readRound(lo, hi, from, Math.min(to, limit));
      from = to;
      to *= ROUND_GROWTH;
      limit = this.candidates.idLimit(WITHOUT_NEARNESS);
    }
  }

  /** The id below which a range has about `count` postings, if its ids are spread evenly. */
  private idBelowWhich(count: number, lo: number, hi: number): number {
    return Math.ceil(this.index.metadata.places * Math.min(1, count / (hi - lo)));
  }

  /** Offers postings of one key, most important place first, until no further one can get in. */
  private readOrdered(lo: number, hi: number): void {
    const { postings } = this.index;
    const { candidates, filter, work } = this;
    for (let position = lo; position < hi && work.spend(this.postingWork); position++) {
      const posting = postings[position]!;
      const place = posting & POSTING.placeMask;
      if (place >= candidates.idLimit(WITHOUT_NEARNESS)) return;
      if (filter.isActive && !filter.accepts(place)) continue;
      candidates.offerPosting(posting, position, WITHOUT_NEARNESS);
    }
  }

  /** Offers the listed postings. Adds the range to `toReadInRounds` if others may get in. */
  private readListed(range: number, lo: number, hi: number): void {
    const { rangeTopsStart, rangeTops, placeImportance } = this.index;
    const { candidates } = this;
    const { topWithoutNearness } = candidates;
    const rangeWithLists = this.findRangeWithLists(lo, hi);
    if (!this.work.spend(LIST_WORK)) return;
    if (rangeWithLists === undefined) {
      this.toReadInRounds.push({ range, maxScore: Number.POSITIVE_INFINITY });
      return;
    }
    // each list is stored as its length, the postings in importance order, and their positions
    let at = rangeTopsStart[rangeWithLists]!;
    let maxScore = Number.NEGATIVE_INFINITY;
    for (let list = 0; list < POSTING.topSizes.length; list++) {
      const length = rangeTops[at++]!;
      const end = at + length;
      const flags = CHEAPEST_FLAGS[list]!;
      let { threshold } = topWithoutNearness;
      let floor = candidates.importanceFloor(flags);
      for (; at < end; at++) {
        const posting = rangeTops[at]!;
        if (placeImportance[posting & POSTING.placeMask]! <= floor) break;
        candidates.offerPosting(posting, rangeTops[at + length]!, WITHOUT_NEARNESS);
        if (topWithoutNearness.threshold === threshold) continue; // then the floor is the same too
        threshold = topWithoutNearness.threshold;
        floor = candidates.importanceFloor(flags);
      }
      // a full list may leave out places, but none more important than where the loop stopped
      if (length === POSTING.topSizes[list]!) {
        const stoppedAt = rangeTops[Math.min(at, end - 1)]! & POSTING.placeMask;
        maxScore = Math.max(maxScore, candidates.baseScore(stoppedAt, flags));
      }
      at = end + length;
    }
    if (maxScore > topWithoutNearness.threshold) this.toReadInRounds.push({ range, maxScore });
  }

  /** Index in `rangeStart`; undefined if the range has no lists. */
  private findRangeWithLists(lo: number, hi: number): number | undefined {
    const { rangeStart, rangeEnd } = this.index;
    const range = lowerBound(
      rangeStart.length,
      (i) => rangeStart[i]! < lo || (rangeStart[i] === lo && rangeEnd[i]! < hi),
    );
    return rangeStart[range] === lo && rangeEnd[range] === hi ? range : undefined;
  }

  /** Offers the places with ids from `from` up to `to`, exclusive. */
  private readRound(lo: number, hi: number, from: number, to: number): void {
    const { postings, postingBlocks } = this.index;
    const { filter, candidates, work } = this;
    for (let position = lo; position < hi; ) {
      const block = Math.floor(position / POSTING.blockSize);
      const end = Math.min(hi, (block + 1) * POSTING.blockSize);
      const isSkipped = postingBlocks[block]! >= to; // postingBlocks: the lowest id of each block
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
        candidates.offerPosting(posting, position, WITHOUT_NEARNESS);
      }
    }
  }
}
