/** The true extents of places, which few sources have. They are ordered by dense id. */
import { indexInSorted } from '../collections/sorting.ts';
import type { BoundingBox } from '../place/bounding-box.ts';
import type { Index } from './layout.ts';

/** Numbers of an extent in `extentE7`: west, south, east, north. */
export const EXTENT_NUMBERS = 4;

/** Returns undefined if the source of the place has no extent. */
export function readExtent({ extentPlace, extentE7 }: Index, place: number): BoundingBox | undefined {
  const i = extentPlace.length === 0 ? -1 : indexInSorted(extentPlace, place);
  if (i === -1) return undefined;
  const at = i * EXTENT_NUMBERS;
  return {
    west: extentE7[at]! / 1e7,
    south: extentE7[at + 1]! / 1e7,
    east: extentE7[at + 2]! / 1e7,
    north: extentE7[at + 3]! / 1e7,
  };
}
