/**
 * The other way round: from the places near a point to those of them that match. It finds the best nearby match
 * that a walk by importance would reach last, and answers searches restricted to a small circle.
 */
import type { Index } from '../index-file/layout.ts';
import type { Candidates } from './candidates.ts';
import type { MatchRanges } from './match-ranges.ts';
import type { PlaceFilter } from './place-filter.ts';

/** Into how many parts the postings are divided, to tell quickly that one is in no run: of a search's runs all reach into few. */
const PARTS = 4096;

export class NearbyScan {
  private readonly index: Index;
  /** 1 for each part of the postings that a run reaches into. */
  private readonly isReached = new Uint8Array(PARTS);
  /** A posting's part is its position shifted by this. */
  private readonly partShift: number;
  private readonly filter: PlaceFilter;
  private readonly candidates: Candidates;

  constructor(index: Index, filter: PlaceFilter, candidates: Candidates) {
    this.index = index;
    this.filter = filter;
    this.candidates = candidates;
    this.partShift = Math.max(0, Math.ceil(Math.log2((index.postings.length + 1) / PARTS)));
  }

  /** Offers those of the first `count` places that have a posting in one of the runs. Returns how many matched. */
  scan(places: Uint32Array, count: number, ranges: MatchRanges): number {
    const { filter } = this;
    this.markParts(ranges);
    let matched = 0;
    for (let i = 0; i < count; i++) {
      const place = places[i]!;
      if (filter.isActive && !filter.accepts(place)) continue;
      if (this.offerMatches(place, ranges)) matched++;
    }
    return matched;
  }

  private markParts(ranges: MatchRanges): void {
    const { isReached, partShift } = this;
    isReached.fill(0);
    for (let r = 0; r < ranges.count; r++) {
      isReached.fill(1, ranges.lo[r]! >>> partShift, ((ranges.hi[r]! - 1) >>> partShift) + 1);
    }
  }

  private offerMatches(place: number, ranges: MatchRanges): boolean {
    const { isReached, partShift } = this;
    const { placePostings, postingOf } = this.index;
    let isMatch = false;
    const end = placePostings[place + 1]!;
    for (let slot = placePostings[place]!; slot < end; slot++) {
      const position = postingOf[slot]!;
      if (isReached[position >>> partShift] === 0) continue;
      for (let r = 0; r < ranges.count; r++) {
        if (position < ranges.lo[r]! || position >= ranges.hi[r]!) continue;
        this.candidates.setMatch(ranges.match[r]!, ranges.typos[r]!);
        this.candidates.offer(position, true);
        isMatch = true;
      }
    }
    return isMatch;
  }
}
