/**
 * Answers a query without words: finds the most important places that pass the filters. With a
 * point and no radius, places near the point get a bonus.
 */

import type { SearchQuery } from '../engine.ts';
import { type Index, MAX_IMPORTANCE } from '../index-file/layout.ts';
import { type Circle, distanceMeters, type LatLng, METERS_PER_DEGREE } from '../place/sphere.ts';
import type { PlaceFilter } from '../rank/place-filter.ts';
import { MAX_NEARNESS, nearnessBonus } from '../rank/scores.ts';
import { TopCandidates } from '../rank/top-candidates.ts';
import { MAX_HITS } from '../work-budget.ts';
import { countEvenly, type MatchCount } from './match-counter.ts';
import type { SearchContext } from './search-context.ts';

// Units of work (work-budget.ts):
const PLACE_IN_CIRCLE_WORK = 2;
const PLACE_WORK = 1;
const MEASURED_DISTANCE_WORK = 4;
/** Share of the work budget (0..1) set aside for `browseByImportance`. */
const BY_IMPORTANCE_SHARE = 0.3;
/** Shortens a distance slightly, so that rounding never makes `maxBonus` lower than the bonus. */
const ROUNDING_FACTOR = 1 - 1e-9;

type BrowseContext = Omit<SearchContext, 'candidates'> & { readonly filter: PlaceFilter };
type BrowseScope = Pick<SearchQuery, 'limit' | 'around' | 'radiusMeters'>;

interface BrowsedPlace {
  readonly place: number;
  /** Nearness bonus. */
  readonly nearness: number;
}

interface BrowseResult {
  /** Best first. */
  readonly places: readonly BrowsedPlace[];
  /** Number of places that pass the filters. */
  readonly total: number;
  readonly isTotalExact: boolean;
  /** Whether `places` are certainly the best. */
  readonly isExhaustive: boolean;
}

export function browse(context: BrowseContext, scope: BrowseScope): BrowseResult {
  const { index, filter } = context;
  const { around, radiusMeters, limit } = scope;
  const placeCount = index.metadata.places;
  if (!filter.isActive && around === undefined) {
    // ids are in importance order
    const places = Array.from({ length: Math.min(limit, placeCount) }, (_, place) => ({ place, nearness: 0 }));
    return { places, total: placeCount, isTotalExact: true, isExhaustive: true };
  }
  const preferred = radiusMeters === undefined ? around : undefined;
  const { searchCircle } = filter.query;
  if (searchCircle === undefined) return browseAll(context, limit, preferred);
  const found = browseCircle(context, searchCircle, { limit, preferred });
  if (found !== undefined) return found;
  return preferred === undefined ? browseByImportance(context, limit) : browseAll(context, limit, preferred);
}

/**
 * Returns undefined if the circle has too many places for the work budget. Finds a full page
 * whatever the limit: equal scores get in in no particular order, and pages must not differ.
 */
function browseCircle(
  context: BrowseContext,
  { lat, lng, radiusMeters }: Circle,
  { limit, preferred }: { limit: number; preferred: LatLng | undefined },
): BrowseResult | undefined {
  const { index, filter, spatial, work } = context;
  const top = new TopCandidates(MAX_HITS);
  const reserved = work.reserve(BY_IMPORTANCE_SHARE);
  let total = 0;
  spatial.within(lat, lng, radiusMeters, (place) => {
    if (!work.spend(PLACE_IN_CIRCLE_WORK)) return false;
    if (!filter.acceptsInCircle(place)) return true;
    total++;
    const importance = index.placeImportance[place]! / MAX_IMPORTANCE;
    if (importance + maxBonus(index, place, preferred) <= top.threshold) return true;
    if (preferred !== undefined && !work.spend(MEASURED_DISTANCE_WORK)) return false;
    top.offer(place, importance + bonus(index, place, preferred));
    return true;
  });
  work.release(reserved);
  if (work.isExceeded) return undefined;
  const best = placesOf(top).slice(0, limit);
  const places = best.map((place) => ({ place, nearness: bonus(index, place, preferred) }));
  return { places, total, isTotalExact: true, isExhaustive: true };
}

/** Finds a full page whatever the limit, because the total must not depend on the limit. */
function browseByImportance(context: BrowseContext, limit: number): BrowseResult {
  const { index, filter, work } = context;
  const places: BrowsedPlace[] = [];
  let place = 0;
  for (; place < index.metadata.places && places.length < MAX_HITS; place++) {
    if (!work.spend(MEASURED_DISTANCE_WORK)) break;
    if (filter.accepts(place)) places.push({ place, nearness: 0 });
  }
  const isExhaustive = places.length >= limit || place === index.metadata.places;
  const { total, isExact } = countPassing(context);
  return {
    places: places.slice(0, limit),
    total: Math.max(total, places.length),
    isTotalExact: isExact,
    isExhaustive,
  };
}

function countPassing({ index, filter }: BrowseContext): MatchCount {
  return countEvenly(index.metadata.places, (place) => filter.accepts(place));
}

/** With a filter, reads all places, because it counts those that pass. */
function browseAll(context: BrowseContext, limit: number, around: LatLng | undefined): BrowseResult {
  const { index, filter, work } = context;
  const { placeImportance } = index;
  const top = new TopCandidates(limit);
  const maxNearness = around === undefined ? 0 : MAX_NEARNESS;
  let total = 0;
  let place = 0;
  let canBeHit = true; // whether this place or a later one can still be a hit
  for (; place < index.metadata.places; place++) {
    const importance = placeImportance[place]! / MAX_IMPORTANCE;
    canBeHit &&= importance + maxNearness > top.threshold;
    if (!canBeHit && !filter.isActive) break;
    if (!work.spend(PLACE_WORK)) break;
    if (filter.isActive && !filter.accepts(place)) continue;
    total++;
    if (!canBeHit || importance + maxBonus(index, place, around) <= top.threshold) continue;
    if (!work.spend(MEASURED_DISTANCE_WORK)) break;
    top.offer(place, importance + bonus(index, place, around));
  }
  const places = placesOf(top).map((id) => ({ place: id, nearness: bonus(index, id, around) }));
  const isExhaustive = !work.isExceeded || !canBeHit;
  if (!filter.isActive) return { places, total: index.metadata.places, isTotalExact: true, isExhaustive };
  if (!work.isExceeded) return { places, total, isTotalExact: true, isExhaustive };
  const estimate = countPassing(context);
  return { places, total: Math.max(estimate.total, total), isTotalExact: estimate.isExact, isExhaustive };
}

function placesOf(top: TopCandidates): number[] {
  return Array.from(top.order.subarray(0, top.count), (slot) => top.place[slot]!);
}

function bonus(index: Index, place: number, around: LatLng | undefined): number {
  if (around === undefined) return 0;
  const lat = index.placeLatE7[place]! / 1e7;
  return nearnessBonus(distanceMeters(around.lat, around.lng, lat, index.placeLngE7[place]! / 1e7));
}

/** Upper bound of the bonus: no place is nearer than its difference in latitude. */
function maxBonus(index: Index, place: number, around: LatLng | undefined): number {
  if (around === undefined) return 0;
  return nearnessBonus(Math.abs(index.placeLatE7[place]! / 1e7 - around.lat) * METERS_PER_DEGREE * ROUNDING_FACTOR);
}
