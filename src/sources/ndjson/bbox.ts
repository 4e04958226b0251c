/** Extents of places as the NDJSON format has them: `[west, south, east, north]` in degrees. */
import { type BoundingBox, isInBox } from '../../place/bounding-box.ts';
import type { LatLng } from '../../place/sphere.ts';

const SIDES = ['west', 'south', 'east', 'north'];

/** Formats the path of a field for messages: `bbox.south` for the JSON pointer `/bbox/1`. */
export function formatFieldPath(pointer: string): string {
  const named = pointer.replace(/(?<=(^|\/)bbox\/)\d$/, (side) => SIDES[Number(side)] ?? side);
  return named.slice(1).replaceAll('/', '.');
}

/** `bbox` must have four numbers. */
export function parseBbox(bbox: readonly number[]): BoundingBox {
  const [west, south, east, north] = bbox as [number, number, number, number];
  return { south, west, north, east };
}

export function formatBbox({ south, west, north, east }: BoundingBox): number[] {
  return [west, south, east, north];
}

/** Returns what is wrong with the extent of a place at the point, or undefined. */
export function bboxFault(bbox: readonly number[], { lat, lng }: LatLng): string | undefined {
  const box = parseBbox(bbox);
  if (isInBox(box, lat, lng)) return undefined;
  return `${JSON.stringify(bbox)} must be [west, south, east, north] and contain the point ${lat}, ${lng}`;
}
