/** A search without words: the most important places that pass the filters; with a point and no radius, near ones gain. */
import type { Index } from '../index-file/layout.ts';
import type { LatLng } from '../place/sphere.ts';
import { distanceMeters } from '../place/sphere.ts';
import type { SpatialIndex } from './nearest.ts';
import type { PlaceFilter } from './place-filter.ts';
import { MOST_NEARNESS, nearnessBonus } from './rank.ts';
import { TopHits } from './top-hits.ts';

export interface BrowseScope {
  readonly spatial: SpatialIndex;
  readonly around: LatLng | undefined;
  readonly radiusMeters: number | undefined;
}

export interface BrowsedPlace {
  readonly place: number;
  /** What the point adds. */
  readonly nearness: number;
}

export interface Browsed {
  /** Best first. */
  readonly places: readonly BrowsedPlace[];
  /** All that pass, counted. */
  readonly total: number;
}

export function browse(index: Index, filter: PlaceFilter, limit: number, scope: BrowseScope): Browsed {
  const { around, radiusMeters, spatial } = scope;
  const { places: all } = index.head;
  // ids are in importance order
  if (filter.isOpen && around === undefined) return { places: firstPlaces(Math.min(limit, all)), total: all };
  const top = new TopHits(limit);
  const nearness = (place: number) => (radiusMeters === undefined ? bonus(index, place, around) : 0);
  let total = 0;
  const offer = (place: number) => {
    if (!filter.isOpen && !filter.accepts(place)) return;
    total++;
    const importance = index.placeImportance[place]! / 0xffff;
    if (importance + (around === undefined ? 0 : MOST_NEARNESS) <= top.threshold) return;
    top.offer(place, importance + nearness(place));
  };
  if (around !== undefined && radiusMeters !== undefined) spatial.within(around.lat, around.lng, radiusMeters, offer);
  else for (let place = 0; place < all; place++) offer(place);
  const places = Array.from(top.order.subarray(0, top.count), (slot) => top.place[slot]!);
  return { places: places.map((place) => ({ place, nearness: nearness(place) })), total };
}

function firstPlaces(count: number): BrowsedPlace[] {
  return Array.from({ length: count }, (_, place) => ({ place, nearness: 0 }));
}

function bonus(index: Index, place: number, around: LatLng | undefined): number {
  if (around === undefined) return 0;
  const lat = index.placeLatE7[place]! / 1e7;
  return nearnessBonus(distanceMeters(around.lat, around.lng, lat, index.placeLngE7[place]! / 1e7));
}
