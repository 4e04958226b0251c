/** A search without words: the most important places that pass the filters; with a point and no radius, near ones gain. */
import type { Index } from '../index-file/layout.ts';
import type { LatLng } from '../place/sphere.ts';
import { distanceMeters } from '../place/sphere.ts';
import type { SpatialIndex } from './nearest.ts';
import type { PlaceFilter } from './place-filter.ts';
import { NEARNESS, nearnessBonus } from './rank.ts';
import { TopHits } from './top-hits.ts';

export interface BrowseScope {
  readonly spatial: SpatialIndex;
  readonly around: LatLng | undefined;
  readonly radiusMeters: number | undefined;
}

export interface Browsed {
  readonly places: Uint32Array;
  /** All that pass, counted. */
  readonly total: number;
}

export function browse(index: Index, filter: PlaceFilter, limit: number, scope: BrowseScope): Browsed {
  const { around, radiusMeters, spatial } = scope;
  const { places: all } = index.head;
  // ids are in importance order
  if (filter.isOpen && around === undefined) return { places: firstIds(Math.min(limit, all)), total: all };
  const top = new TopHits(limit);
  let total = 0;
  const offer = (place: number) => {
    if (!filter.isOpen && !filter.accepts(place)) return;
    total++;
    const importance = index.placeImportance[place]! / 0xffff;
    if (importance + (around === undefined ? 0 : NEARNESS.most) <= top.threshold) return;
    top.offer(place, importance + (radiusMeters === undefined ? bonus(index, place, around) : 0));
  };
  if (around !== undefined && radiusMeters !== undefined) spatial.within(around.lat, around.lng, radiusMeters, offer);
  else for (let place = 0; place < all; place++) offer(place);
  return { places: Uint32Array.from(top.order.subarray(0, top.count), (slot) => top.place[slot]!), total };
}

function firstIds(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, id) => id);
}

function bonus(index: Index, place: number, around: LatLng | undefined): number {
  if (around === undefined) return 0;
  const lat = index.placeLatE7[place]! / 1e7;
  return nearnessBonus(distanceMeters(around.lat, around.lng, lat, index.placeLngE7[place]! / 1e7));
}
