/**
 * Offers the places of ranges of postings to the candidates. Short ranges are read whole and their
 * places counted. For long ranges the index lists the best postings. A filter makes those lists
 * useless: then the scan reads all blocks of postings except those whose lowest id is already too
 * unimportant (ids are in importance order).
 */
import { lowerBound } from '../../collections/lower-bound.ts';
import type { Index } from '../../index-file/layout.ts';
import { POSTING } from '../../index-file/posting.ts';
import type { Candidates } from '../rank/candidates.ts';
import type { PlaceFilter } from '../rank/place-filter.ts';
import { PlaceSet } from '../rank/place-set.ts';
import { MATCH, type MatchRanges } from '../trie/match-ranges.ts';
import type { WorkBudget } from '../work-budget.ts';
import type { SearchContext } from './search-context.ts';

/** Ranges up to this long are read whole; the index has lists for longer ones. */
const MAX_WHOLE = POSTING.longRange;
/** Like MAX_WHOLE, for queries with a filter, which makes the lists useless. */
const MAX_WHOLE_FILTERED = 512;
/** Expected places in the first round over a longer filtered range: they mostly fill the page. */
const FIRST_FILTERED_ROUND = 8192;
/**
 * With a point, ranges up to this long are read whole, so that every place's nearness counts. In
 * longer ranges the range scan reads the most important places, the nearby scan the nearest ones.
 */
export const MAX_WHOLE_WITH_POINT = 1024;
/** Expected places in the first round over a long range, and the growth from round to round. */
const FIRST_ROUND = 64;
const ROUND_GROWTH = 8;
/** Work of reading a posting if there is a filter or a point, so that its place is read too. */
const PLACE_WORK = 2;
/** Work of reading the lists of a range. */
const LIST_WORK = 32;
/** For each list of a range, the posting flags with the lowest penalty. */
const CHEAPEST_FLAGS = [0, 1 << POSTING.qualityShift, POSTING.isLaterWord];

export class RangeScan {
  private readonly index: Index;
  private readonly filter: PlaceFilter;
  private readonly candidates: Candidates;
  private readonly work: WorkBudget;
  private readonly countedPlaces = new PlaceSet();
  /** Ranges with places that are not listed, and the maximum score of such a place. */
  private unread: { readonly range: number; readonly maxScore: number }[] = [];
  total = 0;
  isTotalExact = true;

  constructor(index: Index, { filter, candidates, work }: Pick<SearchContext, 'filter' | 'candidates' | 'work'>) {
    this.index = index;
    this.filter = filter;
    this.candidates = candidates;
    this.work = work;
  }

  reset(): void {
    this.countedPlaces.clear();
    this.total = 0;
    this.isTotalExact = true;
  }

  /** Offers the places of all ranges; with `isCounted` they count in the total. */
  scan(ranges: MatchRanges, isCounted: boolean): void {
    const { candidates, filter } = this;
    const maxWhole = candidates.hasPoint ? MAX_WHOLE_WITH_POINT : filter.isActive ? MAX_WHOLE_FILTERED : MAX_WHOLE;
    const isExactCount = isCounted && ranges.totalLength <= maxWhole;
    if (isCounted && !isExactCount) {
      this.isTotalExact = false;
      this.total += ranges.totalLength;
    }
    if (this.unread.length > 0) this.unread = [];
    // the last range, of longer names, is the largest: starting there avoids evictions
    for (let i = ranges.count - 1; i >= 0; i--) {
      const lo = ranges.lo[i]!;
      const hi = ranges.hi[i]!;
      candidates.setMatch(ranges.match[i]!, ranges.typos[i]!);
      if (isExactCount) this.countAll(lo, hi);
      else if (hi - lo <= maxWhole && (candidates.hasPoint || ranges.match[i] !== MATCH.exact)) this.readAll(lo, hi);
      else if (ranges.match[i] === MATCH.exact) this.readOrdered(lo, hi);
      else if (filter.isActive) this.readFiltered(lo, hi);
      else this.readListed(i, lo, hi);
    }
    for (const { range, maxScore } of this.unread) {
      // all lists are read by now, so few ranges can still hold a candidate
      if (maxScore <= candidates.topUnbiased.threshold) continue;
      candidates.setMatch(ranges.match[range]!, ranges.typos[range]!);
      this.readRounds(ranges.lo[range]!, ranges.hi[range]!);
    }
  }

  private get postingWork(): number {
    return this.filter.isActive || this.candidates.hasPoint ? PLACE_WORK : 1;
  }

  /** Spends the work of reading `count` postings; returns how many the budget allows. */
  private grantPostings(count: number): number {
    return Math.floor(this.work.grant(count * this.postingWork) / this.postingWork);
  }

  /** Offers and counts the places of a range. */
  private countAll(lo: number, hi: number): void {
    const { postings } = this.index;
    const { filter, countedPlaces, candidates } = this;
    let limit = candidates.idLimit(true);
    const end = lo + this.grantPostings(hi - lo);
    for (let position = lo; position < end; position++) {
      const posting = postings[position]!;
      const place = posting & POSTING.placeMask;
      if (filter.isActive && !filter.accepts(place)) continue;
      if (countedPlaces.add(place)) this.total++;
      if (place >= limit) continue;
      candidates.offerPosting(posting, position, true);
      limit = candidates.idLimit(true);
    }
  }

  /** Offers the places of a range. */
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

  /** Offers the places of a long range that pass the filter. */
  private readFiltered(lo: number, hi: number): void {
    const { candidates } = this;
    const places = this.index.metadata.places;
    const first = Math.ceil(places * Math.min(1, FIRST_FILTERED_ROUND / (hi - lo)));
    this.readRound(lo, hi, 0, Math.min(first, candidates.idLimit(false)));
    // the rest in one more round: few places pass, and every further round would read as much again
    const limit = candidates.idLimit(false);
    if (first < limit) this.readRound(lo, hi, first, limit);
  }

  /** Offers the places of a long range, the most important first. */
  private readRounds(lo: number, hi: number): void {
    let from = 0;
    let to = Math.ceil((this.index.metadata.places * FIRST_ROUND) / (hi - lo));
    // after the first round hardly any other place can get in
    for (let limit = this.candidates.idLimit(false); from < limit; to *= ROUND_GROWTH) {
      this.readRound(lo, hi, from, Math.min(to, limit));
      from = to;
      limit = this.candidates.idLimit(false);
    }
  }

  /** Offers the best postings of one key, which are in importance order. */
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

  /** Offers the listed postings of a range, and notes the maximum score of unlisted places. */
  private readListed(range: number, lo: number, hi: number): void {
    const { runStart, runTops, placeImportance } = this.index;
    const { candidates } = this;
    const { topUnbiased } = candidates;
    const listed = this.findListedRange(lo, hi);
    if (!this.work.spend(LIST_WORK)) return;
    if (listed === undefined) {
      this.unread.push({ range, maxScore: Number.POSITIVE_INFINITY });
      return;
    }
    let at = runStart[listed]!;
    let maxScore = Number.NEGATIVE_INFINITY;
    for (let list = 0; list < POSTING.topSizes.length; list++) {
      const length = runTops[at++]!;
      const end = at + length;
      const flags = CHEAPEST_FLAGS[list]!;
      let { threshold } = topUnbiased;
      let floor = candidates.importanceFloor(flags);
      for (; at < end; at++) {
        const posting = runTops[at]!;
        // the list is in importance order
        if (placeImportance[posting & POSTING.placeMask]! <= floor) break;
        candidates.offerPosting(posting, runTops[at + length]!, false);
        if (topUnbiased.threshold === threshold) continue;
        threshold = topUnbiased.threshold;
        floor = candidates.importanceFloor(flags);
      }
      if (length === POSTING.topSizes[list]!) {
        const next = runTops[Math.min(at, end - 1)]! & POSTING.placeMask;
        maxScore = Math.max(maxScore, candidates.maxScore(next, flags));
      }
      at = end + length;
    }
    if (maxScore > topUnbiased.threshold) this.unread.push({ range, maxScore });
  }

  /** Index of a range's lists. Ranges up to `POSTING.longRange` or of a single key have none. */
  private findListedRange(lo: number, hi: number): number | undefined {
    const { runLo, runHi } = this.index;
    const range = lowerBound(runLo.length, (i) => runLo[i]! < lo || (runLo[i] === lo && runHi[i]! < hi));
    return runLo[range] === lo && runHi[range] === hi ? range : undefined;
  }

  /** Offers the places of a range with ids from..to. */
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
