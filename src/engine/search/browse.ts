/**
 * A search without words: the most important places that pass the filters; with a point and no radius, places near the
 * point gain. All that pass are counted, as far as the work budget allows; the hits come first, so they are rarely cut.
 */
import type { Index } from '../../index-file/layout.ts';
import { distanceMeters, type LatLng, METERS_PER_DEGREE } from '../../place/sphere.ts';
import type { SpatialIndex } from '../nearest.ts';
import type { PlaceFilter } from '../rank/place-filter.ts';
import { MOST_NEARNESS, nearnessBonus } from '../rank/scores.ts';
import { TopHits } from '../rank/top-hits.ts';
import type { WorkBudget } from '../work-budget.ts';

/** Work of looking at a place of a circle, at any other place, and of measuring a distance. */
const CIRCLE_WORK = 2;
const PLACE_WORK = 1;
const MEASURED_WORK = 4;
/** Share of the work set aside for finding hits in a circle with too many places. */
const FIRST_SHARE = 0.3;
/** Keeps the bound by latitude above the bonus itself, whatever the rounding. */
const ROUNDING = 1 - 1e-9;

export interface BrowseParts {
  readonly index: Index;
  readonly filter: PlaceFilter;
  readonly spatial: SpatialIndex;
  readonly work: WorkBudget;
}

export interface BrowseScope {
  readonly limit: number;
  readonly around: LatLng | undefined;
  readonly radiusMeters: number | undefined;
}

interface Circle {
  readonly around: LatLng;
  readonly radiusMeters: number;
}

export interface BrowsedPlace {
  readonly place: number;
  /** What the point adds. */
  readonly nearness: number;
}

export interface Browsed {
  /** Best first. */
  readonly places: readonly BrowsedPlace[];
  /** Places that pass, as far as they were counted. */
  readonly total: number;
  readonly isTotalExact: boolean;
  readonly isExhaustive: boolean;
}

export function browse(parts: BrowseParts, scope: BrowseScope): Browsed {
  const { index, filter } = parts;
  const { around, radiusMeters, limit } = scope;
  const { places: all } = index.head;
  // ids are in importance order
  if (filter.isOpen && around === undefined) {
    const places = Array.from({ length: Math.min(limit, all) }, (_, place) => ({ place, nearness: 0 }));
    return { places, total: all, isTotalExact: true, isExhaustive: true };
  }
  if (around !== undefined && radiusMeters !== undefined) return browseCircle(parts, limit, { around, radiusMeters });
  return browseAll(parts, limit, around);
}

/**
 * The places of a circle: all of them, or if they are too many for the work budget, counted as far as the walk got, and
 * the hits by going through all places in importance order, which soon fills a page from a circle that large.
 */
function browseCircle(parts: BrowseParts, limit: number, { around, radiusMeters }: Circle): Browsed {
  const { index, filter, spatial, work } = parts;
  const top = new TopHits(limit);
  const reserved = work.reserve(FIRST_SHARE);
  let total = 0;
  spatial.within(around.lat, around.lng, radiusMeters, (place) => {
    if (!work.spend(CIRCLE_WORK)) return false;
    if (!filter.acceptsAnywhere(place)) return true;
    total++;
    top.offer(place, index.placeImportance[place]! / 0xffff);
    return true;
  });
  work.release(reserved);
  if (work.isExceeded) return browseFirst(parts, limit, total);
  const places = Array.from(top.order.subarray(0, top.count), (slot) => ({ place: top.place[slot]!, nearness: 0 }));
  return { places, total, isTotalExact: true, isExhaustive: true };
}

/** The most important places that pass, until there are `limit`. */
function browseFirst({ index, filter, work }: BrowseParts, limit: number, counted: number): Browsed {
  const places: BrowsedPlace[] = [];
  let place = 0;
  for (; place < index.head.places && places.length < limit; place++) {
    if (!work.spend(MEASURED_WORK)) break;
    if (filter.accepts(place)) places.push({ place, nearness: 0 });
  }
  const isExhaustive = places.length === limit || place === index.head.places;
  return { places, total: Math.max(counted, places.length), isTotalExact: false, isExhaustive };
}

function browseAll({ index, filter, work }: BrowseParts, limit: number, around: LatLng | undefined): Browsed {
  const { placeImportance } = index;
  const top = new TopHits(limit);
  const most = around === undefined ? 0 : MOST_NEARNESS;
  let total = 0;
  let place = 0;
  let isOpen = true; // whether places from here on may still get in
  for (; place < index.head.places; place++) {
    const importance = placeImportance[place]! / 0xffff;
    isOpen &&= importance + most > top.threshold;
    if (!isOpen && filter.isOpen) break;
    if (!work.spend(PLACE_WORK)) break;
    if (!filter.isOpen && !filter.accepts(place)) continue;
    total++;
    if (!isOpen || importance + mostBonus(index, place, around) <= top.threshold) continue;
    if (!work.spend(MEASURED_WORK)) break;
    top.offer(place, importance + bonus(index, place, around));
  }
  const isTotalExact = filter.isOpen || !work.isExceeded;
  const places = Array.from(top.order.subarray(0, top.count), (slot) => top.place[slot]!);
  return {
    places: places.map((id) => ({ place: id, nearness: bonus(index, id, around) })),
    total: filter.isOpen ? index.head.places : total,
    isTotalExact,
    isExhaustive: !work.isExceeded || !isOpen,
  };
}

function bonus(index: Index, place: number, around: LatLng | undefined): number {
  if (around === undefined) return 0;
  const lat = index.placeLatE7[place]! / 1e7;
  return nearnessBonus(distanceMeters(around.lat, around.lng, lat, index.placeLngE7[place]! / 1e7));
}

/** The most a place can gain by its latitude alone. */
function mostBonus(index: Index, place: number, around: LatLng | undefined): number {
  if (around === undefined) return 0;
  return nearnessBonus(Math.abs(index.placeLatE7[place]! / 1e7 - around.lat) * METERS_PER_DEGREE * ROUNDING);
}
