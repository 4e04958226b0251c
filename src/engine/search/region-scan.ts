/** Offers the most important places of a region if the query names a region and no place. */
import type { Index } from '../../index-file/layout.ts';
import { type Candidates, WITH_NEARNESS } from '../rank/candidates.ts';
import type { PlaceFilter } from '../rank/place-filter.ts';
import { PENALTIES } from '../rank/scores.ts';
import { MATCH } from '../trie/match-ranges.ts';
import type { WorkBudget } from '../work-budget.ts';
import { RegionPlaces } from './region-places.ts';
import type { SearchContext } from './search-context.ts';

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
  private readonly regionPlaces: RegionPlaces;

  constructor({ index, filter, candidates, work }: SearchContext) {
    this.index = index;
    this.filter = filter;
    this.candidates = candidates;
    this.work = work;
    this.regionPlaces = new RegionPlaces(index);
  }

  /** Importance (0..MAX_IMPORTANCE) of the most important place of these regions. */
  highestImportance(regions: Uint32Array): number {
    return this.index.placeImportance[this.regionPlaces.of(regions)[0]!]!;
  }

  /** Offers the most important places. The filter must require these regions. */
  scan(regions: Uint32Array, { maxPlaces, maxUnpenalised }: RegionLimits): void {
    const { filter, candidates } = this;
    // the query's filters may reject all of `regionPlaces`, so with filters all places are read
    const places = filter.queryFilterCount === 0 ? this.regionPlaces.of(regions) : undefined;
    const end = places?.length ?? this.index.metadata.places;
    candidates.setMatch(MATCH.whole, 0);
    const { placesPerWorkUnit } = filter;
    let limit = candidates.idLimit(WITH_NEARNESS);
    let count = 0;
    for (let i = 0; i < end && count < maxPlaces; i++) {
      const place = places === undefined ? i : places[i]!;
      if (place >= limit || (i % placesPerWorkUnit === 0 && !this.work.spend(1))) return;
      if (!filter.accepts(place)) continue;
      if (count++ === maxUnpenalised) candidates.setMatch(MATCH.whole, 0, PENALTIES.lesserPlaceOfRegion);
      candidates.offerPlace(place, WITH_NEARNESS);
      limit = candidates.idLimit(WITH_NEARNESS);
    }
  }
}
