/**
 * The other way round: from the places near a point to those of them that match. It finds the best nearby match
 * that a walk by importance would reach last, and answers searches restricted to a small circle.
 */
import type { Index } from '../index-file/layout.ts';
import type { CandidateScan } from './candidate-scan.ts';
import type { MatchRanges } from './match-ranges.ts';
import type { PlaceFilter } from './place-filter.ts';

export class NearbyScan {
  private readonly index: Index;
  private readonly filter: PlaceFilter;
  private readonly candidates: CandidateScan;

  constructor(index: Index, filter: PlaceFilter, candidates: CandidateScan) {
    this.index = index;
    this.filter = filter;
    this.candidates = candidates;
  }

  /** Offers those of the places that have a posting in one of the runs. Returns how many matched. */
  scan(places: Uint32Array, count: number, ranges: MatchRanges, reading: number, penalty: number): number {
    const { placePostings, postingOf } = this.index;
    const { filter } = this;
    let matched = 0;
    for (let i = 0; i < count; i++) {
      const place = places[i]!;
      if (filter.isActive && !filter.accepts(place)) continue;
      let isMatch = false;
      const end = placePostings[place + 1]!;
      for (let slot = placePostings[place]!; slot < end; slot++) {
        const position = postingOf[slot]!;
        for (let r = 0; r < ranges.count; r++) {
          if (position < ranges.lo[r]! || position >= ranges.hi[r]!) continue;
          const match = ranges.match[r]!;
          const typos = ranges.typos[r]!;
          this.candidates.offer(position, { match, typos, reading, lacking: penalty }, true);
          isMatch = true;
        }
      }
      if (isMatch) matched++;
    }
    return matched;
  }
}
