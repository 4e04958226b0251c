/** Offers the most important places of a region if the query names a region and no place. */
import type { Index } from '../../index-file/layout.ts';
import type { RegionGroup } from '../query/interpretations.ts';
import { type Candidates, WITH_NEARNESS } from '../rank/candidates.ts';
import type { PlaceFilter } from '../rank/place-filter.ts';
import { PENALTIES } from '../rank/scores.ts';
import { MATCH } from '../trie/match-ranges.ts';
import type { WorkBudget } from '../work-budget.ts';
import type { SearchContext } from './search.ts';

/** Maximum per region: a page shows no more. */
const MAX_REGION_PLACES = 20;

export interface RegionLimits {
  readonly maxPlaces: number;
  /** Further places get a penalty. */
  readonly maxUnpenalised: number;
}

export class RegionScan {
  private readonly index: Index;
  private readonly filter: PlaceFilter;
  private readonly candidates: Candidates;
  private readonly work: WorkBudget;

  constructor({ index, filter, candidates, work }: SearchContext) {
    this.index = index;
    this.filter = filter;
    this.candidates = candidates;
    this.work = work;
  }

  /** Importance (0..MAX_IMPORTANCE) of the most important place of these regions. */
  highestImportance(regions: Uint32Array): number {
    return this.index.placeImportance[this.mainPlaces(regions, 1)[0]!]!;
  }

  /** Offers the most important places. The filter must require these regions. */
  scan(regions: Uint32Array, { maxPlaces, maxUnpenalised }: RegionLimits): void {
    const { filter, candidates } = this;
    // the query's filters may reject the main places
    const maxPerRegion = filter.queryFilterCount === 0 ? MAX_REGION_PLACES : Number.POSITIVE_INFINITY;
    const places = this.mainPlaces(regions, maxPerRegion);
    candidates.setMatch(MATCH.whole, 0);
    const { placesPerWorkUnit } = filter;
    let limit = candidates.idLimit(WITH_NEARNESS);
    let count = 0;
    for (let i = 0; i < places.length && count < maxPlaces; i++) {
      const place = places[i]!;
      if (place >= limit || (i % placesPerWorkUnit === 0 && !this.work.spend(1))) return;
      if (!filter.accepts(place)) continue;
      if (count++ === maxUnpenalised) candidates.setMatch(MATCH.whole, 0, PENALTIES.lesserPlaceOfRegion);
      candidates.offerPlace(place, WITH_NEARNESS);
      limit = candidates.idLimit(WITH_NEARNESS);
    }
  }

  /** The most important places of each region, in the order of importance. */
  private mainPlaces(regions: Uint32Array, maxPerRegion: number): Uint32Array {
    const { regionPlaceStart, regionPlaces } = this.index;
    const lists = Array.from(regions, (region) => {
      const start = regionPlaceStart[region]!;
      return regionPlaces.subarray(start, Math.min(regionPlaceStart[region + 1]!, start + maxPerRegion));
    });
    if (lists.length === 1) return lists[0]!;
    const merged = new Set<number>();
    for (const list of lists) for (const place of list) merged.add(place);
    return Uint32Array.from(merged).sort();
  }
}

/** The group of regions with the fewest places; undefined without groups. Places in two of its regions count twice. */
export function fewestPlaces(
  { regionPlaceStart }: Index,
  groups: readonly RegionGroup[],
): { readonly regions: Uint32Array; readonly count: number } | undefined {
  let fewest: { regions: Uint32Array; count: number } | undefined;
  for (const { regions } of groups) {
    let count = 0;
    for (const region of regions) count += regionPlaceStart[region + 1]! - regionPlaceStart[region]!;
    if (fewest === undefined || count < fewest.count) fewest = { regions, count };
  }
  return fewest;
}
