/**
 * Finds the matches among a few thousand given places near the query's point: a scan of the ranges
 * in importance order may not reach them. Each interpretation of a query scans the same places, so
 * the postings of these places are gathered once.
 */
import { grown } from '../../collections/typed-array.ts';
import type { Index } from '../../index-file/layout.ts';
import type { Candidates } from '../rank/candidates.ts';
import type { PlaceFilter } from '../rank/place-filter.ts';
import type { MatchRanges } from '../trie/match-ranges.ts';
import { RangeMasks, TYPO_LEVELS } from '../trie/range-masks.ts';
import type { WorkBudget } from '../work-budget.ts';
import type { SearchContext } from './search-context.ts';

/** All postings of the index are divided into this many equal sections, most without a range. */
const SECTIONS = 4096;
/** Work of reading a gathered posting, of comparing it with the ranges, and of sorting a range. */
const GATHERED_WORK = 1 / 8;
const MATCH_WORK = 4;
const RANGE_WORK = 8;
const INITIAL_CAPACITY = 1024;

export class NearbyScan {
  private readonly index: Index;
  /** 1 for each section that a range overlaps. Postings in other sections are skipped. */
  private readonly isSectionUsed = new Uint8Array(SECTIONS);
  /** A posting is in section number `position >>> sectionShift`. */
  private readonly sectionShift: number;
  private readonly filter: PlaceFilter;
  private readonly candidates: Candidates;
  private readonly work: WorkBudget;
  private places: Uint32Array = new Uint32Array(0);
  private placeCount = 0;
  /** For each of `places`, where its positions end in `positions`. */
  private ends = new Uint32Array(0);
  /** Positions in `Index.postings` of the postings of `places`, place by place. */
  private positions = new Uint32Array(INITIAL_CAPACITY);

  constructor({ index, filter, candidates, work }: SearchContext) {
    this.index = index;
    this.filter = filter;
    this.candidates = candidates;
    this.work = work;
    this.sectionShift = Math.max(0, Math.ceil(Math.log2((index.postings.length + 1) / SECTIONS)));
  }

  /**
   * Sets the places to scan: the first `count` of `places`, or fewer if the work budget runs out.
   * The caller must not change `places` afterwards.
   */
  setPlaces(places: Uint32Array, count: number): void {
    const { placeSlots, slotPosting } = this.index;
    this.places = places;
    this.placeCount = 0;
    if (this.ends.length < count) this.ends = new Uint32Array(places.length);
    let end = 0;
    for (let i = 0; i < count; i++) {
      const firstSlot = placeSlots[places[i]!]!;
      const endSlot = placeSlots[places[i]! + 1]!;
      const postingCount = endSlot - firstSlot; // the index has a slot for each posting of a place
      if (!this.work.spend(1 + postingCount)) return;
      if (end + postingCount > this.positions.length) this.positions = grown(this.positions, end + postingCount);
      for (let slot = firstSlot; slot < endSlot; slot++) this.positions[end++] = slotPosting[slot]!;
      this.ends[i] = end;
      this.placeCount++;
    }
  }

  /** Offers the places that have a posting in one of the ranges, and returns their number. */
  scan(ranges: MatchRanges): number {
    const { isSectionUsed, sectionShift, positions, ends, placeCount } = this;
    if (ranges.count === 0 || placeCount === 0) return 0;
    this.markSections(ranges);
    if (!this.work.spend(ends[placeCount - 1]! * GATHERED_WORK + ranges.count * RANGE_WORK)) return 0;
    // bit m of a mask says that the posting is in a range whose match is m (see MATCH)
    const masks = new RangeMasks([{ ranges, setNumberOf: (r) => ranges.match[r]! }]);
    let matchCount = 0;
    let at = 0;
    for (let i = 0; i < placeCount; i++) {
      const end = ends[i]!;
      while (at < end && isSectionUsed[positions[at]! >>> sectionShift] === 0) at++;
      if (at < end && this.offerMatches(i, at, masks)) matchCount++;
      at = end;
    }
    return matchCount;
  }

  private markSections(ranges: MatchRanges): void {
    const { isSectionUsed, sectionShift } = this;
    isSectionUsed.fill(0);
    for (let r = 0; r < ranges.count; r++) {
      isSectionUsed.fill(1, ranges.lo[r]! >>> sectionShift, ((ranges.hi[r]! - 1) >>> sectionShift) + 1);
    }
  }

  /** Offers the postings of `places[i]` that are in a range, from `positions[from]` on. */
  private offerMatches(i: number, from: number, masks: RangeMasks): boolean {
    const { isSectionUsed, sectionShift, positions, filter, work, candidates } = this;
    const end = this.ends[i]!;
    const usesNearness = true;
    if (filter.isActive && !filter.accepts(this.places[i]!)) return false;
    let isMatch = false;
    for (let at = from; at < end; at++) {
      const position = positions[at]!;
      if (isSectionUsed[position >>> sectionShift] === 0) continue;
      if (!work.spend(MATCH_WORK)) break;
      masks.clear();
      masks.addSetsAt(position);
      for (let typos = 0; typos < TYPO_LEVELS; typos++) {
        for (let match = 0, bits = masks.found[typos]!; bits !== 0; match++, bits >>>= 1) {
          if ((bits & 1) === 0) continue;
          candidates.setMatch(match, typos);
          candidates.offer(position, usesNearness);
          isMatch = true;
        }
      }
    }
    return isMatch;
  }
}
