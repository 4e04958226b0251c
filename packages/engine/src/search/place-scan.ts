/**
 * Finds matches place by place instead of range by range: among the places near the query's point,
 * which the range scan may not reach, and among those of a region with fewer places than the ranges
 * have postings. The postings of nearby places are gathered once for all interpretations of a query.
 */
import { grown } from '../collections/typed-array.ts';
import type { Index } from '../index-file/layout.ts';
import { type Candidates, WITH_NEARNESS } from '../rank/candidates.ts';
import type { PlaceFilter } from '../rank/place-filter.ts';
import { MATCH, type MatchRanges, RangeMasks, TYPO_LEVELS } from '../trie/match-ranges.ts';
import type { WorkBudget } from '../work-budget.ts';
import type { SearchContext } from './search-context.ts';

/** Maximum number of equal chunks of the index's postings. */
const MAX_CHUNKS = 4096;
const INITIAL_CAPACITY = 1024;
// Units of work (work-budget.ts):
const POSTINGS_READ_PER_UNIT = 8;
const COMPARED_POSTING_WORK = 4;
const SORTED_RANGE_WORK = 8;

export class PlaceScan {
  private readonly index: Index;
  /** By chunk: 1 if a range overlaps it. Other chunks are skipped. */
  private readonly hasRange = new Uint8Array(MAX_CHUNKS);
  /** A posting is in chunk number `position >>> chunkShift`. */
  private readonly chunkShift: number;
  private readonly candidates: Candidates;
  private readonly work: WorkBudget;
  private places: Uint32Array = new Uint32Array(0);
  private placeCount = 0;
  /** For each of `places`, where its postings end in `positions`. */
  private ends = new Uint32Array(0);
  /** Positions of the postings of `places`, place by place. */
  private positions = new Uint32Array(INITIAL_CAPACITY);
  /** For each of `places`, 1 if it matched since `setPlaces`. */
  private hasMatched = new Uint8Array(0);
  /** Number of places that matched since `setPlaces`. */
  matchCount = 0;

  constructor({ index, candidates, work }: SearchContext) {
    this.index = index;
    this.candidates = candidates;
    this.work = work;
    this.chunkShift = Math.max(0, Math.ceil(Math.log2((index.postings.length + 1) / MAX_CHUNKS)));
  }

  /**
   * Sets the places to scan: the first `count` of `places`, or fewer if the work budget runs out.
   * The caller must not change `places` before the next call.
   */
  setPlaces(places: Uint32Array, count: number): void {
    const { placeSlots, slotPosting } = this.index;
    this.places = places;
    this.placeCount = 0;
    this.matchCount = 0;
    if (this.ends.length < count) {
      this.ends = new Uint32Array(places.length);
      this.hasMatched = new Uint8Array(places.length);
    }
    this.hasMatched.fill(0, 0, count);
    let end = 0;
    for (let i = 0; i < count; i++) {
      const from = placeSlots[places[i]!]!;
      const to = placeSlots[places[i]! + 1]!;
      const postingCount = to - from;
      if (!this.work.spend(1 + postingCount)) return;
      if (end + postingCount > this.positions.length) this.positions = grown(this.positions, end + postingCount);
      for (let at = from; at < to; at++) this.positions[end++] = slotPosting[at]!;
      this.ends[i] = end;
      this.placeCount++;
    }
  }

  /** Offers those of `setPlaces` that have a posting in one of the ranges. */
  scanNearby(ranges: MatchRanges, filter: PlaceFilter): void {
    const { positions, ends, placeCount } = this;
    if (ranges.count === 0 || placeCount === 0) return;
    if (!this.work.spend(Math.ceil(ends[placeCount - 1]! / POSTINGS_READ_PER_UNIT))) return;
    const masks = this.prepare(ranges);
    if (masks === undefined) return;
    const matching = { masks, filter };
    for (let i = 0, at = 0; i < placeCount; i++) {
      if (this.offerMatches(this.places[i]!, positions, at, ends[i]!, matching) && this.hasMatched[i] === 0) {
        this.hasMatched[i] = 1;
        this.matchCount++;
      }
      at = ends[i]!;
    }
  }

  /** Offers the places of these regions that have a posting in one of the ranges. */
  scanRegions(regions: Uint32Array, ranges: MatchRanges, filter: PlaceFilter): void {
    const { regionPlaceStart, regionPlaces, placeSlots, slotPosting } = this.index;
    const masks = this.prepare(ranges);
    if (masks === undefined) return;
    const matching = { masks, filter };
    const minTypos = ranges.typos.subarray(0, ranges.count).reduce((a, b) => Math.min(a, b));
    for (const region of regions) {
      const end = regionPlaceStart[region + 1]!;
      let limit = this.idLimit(minTypos);
      for (let at = regionPlaceStart[region]!; at < end; at++) {
        const place = regionPlaces[at]!;
        if (place >= limit) break; // as are all further places of the region
        const from = placeSlots[place]!;
        const to = placeSlots[place + 1]!;
        if (!this.work.spend(1 + Math.ceil((to - from) / POSTINGS_READ_PER_UNIT))) return;
        if (this.offerMatches(place, slotPosting, from, to, matching)) limit = this.idLimit(minTypos);
      }
    }
  }

  /** Places from this id on cannot get in, however they match. */
  private idLimit(minTypos: number): number {
    this.candidates.setMatch(MATCH.whole, minTypos);
    return this.candidates.idLimit(WITH_NEARNESS);
  }

  /** Bit m of a mask says that the posting is in a range whose match is m. */
  private prepare(ranges: MatchRanges): RangeMasks | undefined {
    if (ranges.count === 0 || !this.work.spend(ranges.count * SORTED_RANGE_WORK)) return undefined;
    this.markChunks(ranges);
    return new RangeMasks([{ ranges, setNumberOf: (r) => ranges.match[r]! }]);
  }

  private markChunks(ranges: MatchRanges): void {
    const { hasRange, chunkShift } = this;
    hasRange.fill(0);
    for (let r = 0; r < ranges.count; r++) {
      hasRange.fill(1, ranges.lo[r]! >>> chunkShift, ((ranges.hi[r]! - 1) >>> chunkShift) + 1);
    }
  }

  /** Offers the postings of a place, `positions[from]` up to `positions[to]`. Returns whether any matches. */
  private offerMatches(
    place: number,
    positions: Uint32Array,
    from: number,
    to: number,
    { masks, filter }: { readonly masks: RangeMasks; readonly filter: PlaceFilter },
  ): boolean {
    const { hasRange, chunkShift, work, candidates } = this;
    let at = from;
    while (at < to && hasRange[positions[at]! >>> chunkShift] === 0) at++;
    if (at === to || (filter.isActive && !filter.accepts(place))) return false;
    let isMatch = false;
    for (; at < to; at++) {
      const position = positions[at]!;
      if (hasRange[position >>> chunkShift] === 0) continue;
      if (!work.spend(COMPARED_POSTING_WORK)) break;
      masks.clear();
      masks.addSetsAt(position);
      for (let typos = 0; typos < TYPO_LEVELS; typos++) {
        for (let match = 0, bits = masks.found[typos]!; bits !== 0; match++, bits >>>= 1) {
          if ((bits & 1) === 0) continue;
          candidates.setMatch(match, typos);
          candidates.offer(position, WITH_NEARNESS);
          isMatch = true;
        }
      }
    }
    return isMatch;
  }
}
