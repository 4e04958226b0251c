/**
 * The other way round: from the places near a point to those of them that match. It finds the best nearby match
 * that a walk by importance would reach last, and answers searches restricted to a small circle.
 */
import type { Index } from '../index-file/layout.ts';
import type { Candidates } from './candidates.ts';
import type { MatchRanges } from './match-ranges.ts';
import type { PlaceFilter } from './place-filter.ts';

export class NearbyScan {
  private readonly index: Index;
  private readonly filter: PlaceFilter;
  private readonly candidates: Candidates;

  constructor(index: Index, filter: PlaceFilter, candidates: Candidates) {
    this.index = index;
    this.filter = filter;
    this.candidates = candidates;
  }

  /** Offers those of the first `count` places that have a posting in one of the runs. Returns how many matched. */
  scan(places: Uint32Array, count: number, ranges: MatchRanges): number {
    const { filter } = this;
    let matched = 0;
    for (let i = 0; i < count; i++) {
      const place = places[i]!;
      if (filter.isActive && !filter.accepts(place)) continue;
      if (this.offerMatches(place, ranges)) matched++;
    }
    return matched;
  }

  private offerMatches(place: number, ranges: MatchRanges): boolean {
    const { placePostings, postingOf } = this.index;
    let isMatch = false;
    const end = placePostings[place + 1]!;
    for (let slot = placePostings[place]!; slot < end; slot++) {
      const position = postingOf[slot]!;
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
