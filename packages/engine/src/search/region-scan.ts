/** Offers the most important places of regions, if the query names a region and no place. */
import type { Index } from '../index-file/layout.ts';
import type { RegionGroup } from '../query/interpretations.ts';
import { WITH_NEARNESS } from '../rank/candidates.ts';
import type { PlaceFilter } from '../rank/place-filter.ts';
import { PENALTIES } from '../rank/scores.ts';
import { MATCH } from '../trie/match-ranges.ts';
import type { SearchContext } from './search-context.ts';

/** Maximum per region: a page shows no more. */
const MAX_REGION_PLACES = 20;
const REGIONS_PER_WORK_UNIT = 2;

export interface RegionLimits {
  readonly maxPlaces: number;
  /** Further places get a penalty. */
  readonly maxUnpenalised: number;
}

/** Offers the most important places of these regions. */
export function offerMainPlaces(
  { index, candidates, work }: SearchContext,
  regions: Uint32Array,
  { maxPlaces, maxUnpenalised, filter }: RegionLimits & { readonly filter: PlaceFilter },
): void {
  candidates.setMatch(MATCH.whole, 0);
  const { placesPerWorkUnit } = filter;
  // the query's filters may reject the main places
  const maxVisited = filter.query.count === 0 ? MAX_REGION_PLACES : Number.POSITIVE_INFINITY;
  let limit = candidates.idLimit(WITH_NEARNESS);
  let visited = 0;
  let count = 0;
  visitPlaces(index, regions, (place) => {
    if (place >= limit || (visited % placesPerWorkUnit === 0 && !work.spend(visitWork(regions)))) return false;
    visited++;
    if (filter.accepts(place)) {
      if (count++ === maxUnpenalised) candidates.setMatch(MATCH.whole, 0, PENALTIES.lesserPlaceOfRegion);
      candidates.offerPlace(place, WITH_NEARNESS);
      limit = candidates.idLimit(WITH_NEARNESS);
    }
    return count < maxPlaces && visited < maxVisited;
  });
}

/** Units of work for visiting some places: it compares the next places of all regions. */
function visitWork(regions: Uint32Array): number {
  return Math.ceil(regions.length / REGIONS_PER_WORK_UNIT);
}

/** Visits the places of these regions, each once and the most important first, until `visit` returns false. */
function visitPlaces(
  { regionPlaceStart, regionPlaces }: Index,
  regions: Uint32Array,
  visit: (place: number) => boolean,
): void {
  const next = Uint32Array.from(regions, (region) => regionPlaceStart[region]!);
  const ends = Uint32Array.from(regions, (region) => regionPlaceStart[region + 1]!);
  for (let last = -1; ; ) {
    let first = -1; // the list whose next place is the most important
    for (let i = 0; i < next.length; i++) {
      if (next[i] === ends[i]) continue;
      if (first === -1 || regionPlaces[next[i]!]! < regionPlaces[next[first]!]!) first = i;
    }
    if (first === -1) return;
    const place = regionPlaces[next[first]!++]!;
    if (place === last) continue; // it is in several of the regions
    last = place;
    if (!visit(place)) return;
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
