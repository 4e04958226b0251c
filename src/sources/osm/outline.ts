/**
 * Lines on the map, and the areas they enclose. A point is inside an area if a ray to the east
 * crosses the lines an odd number of times. Lines need no order for this test.
 */

import type { BoundingBox } from '../../place/bounding-box.ts';

interface Box {
  readonly minLat: number;
  readonly maxLat: number;
  readonly minLng: number;
  readonly maxLng: number;
}

/** A line in units of 1e-7 degrees. */
export interface Polyline extends Box {
  readonly lats: Int32Array;
  readonly lngs: Int32Array;
}

export const UNITS_PER_DEGREE = 1e7;

export function createPolyline(lats: Int32Array, lngs: Int32Array): Polyline {
  const line = { lats, lngs, minLat: Infinity, maxLat: -Infinity, minLng: Infinity, maxLng: -Infinity };
  lats.forEach((lat, i) => {
    const lng = lngs[i] as number;
    if (lat < line.minLat) line.minLat = lat;
    if (lat > line.maxLat) line.maxLat = lat;
    if (lng < line.minLng) line.minLng = lng;
    if (lng > line.maxLng) line.maxLng = lng;
  });
  return line;
}

export class Outline {
  readonly #lines: readonly Polyline[];

  private constructor(lines: readonly Polyline[]) {
    this.#lines = lines;
  }

  /** Returns undefined if the lines do not form closed rings. */
  static of(lines: readonly Polyline[]): Outline | undefined {
    const openEnds = new Set<string>();
    for (const { lats, lngs } of lines) {
      if (lats.length < 2) return undefined;
      for (const end of [`${lats[0]},${lngs[0]}`, `${lats.at(-1)},${lngs.at(-1)}`]) {
        if (!openEnds.delete(end)) openEnds.add(end);
      }
    }
    return lines.length === 0 || openEnds.size > 0 ? undefined : new Outline(lines);
  }

  /** In degrees. */
  boundingBox(): Box {
    const min = (side: keyof Box) =>
      this.#lines.reduce((value, line) => Math.min(value, line[side]), Infinity) / UNITS_PER_DEGREE;
    const max = (side: keyof Box) =>
      this.#lines.reduce((value, line) => Math.max(value, line[side]), -Infinity) / UNITS_PER_DEGREE;
    return { minLat: min('minLat'), maxLat: max('maxLat'), minLng: min('minLng'), maxLng: max('maxLng') };
  }

  /** The narrowest box around the lines, in degrees. It may cross the antimeridian. */
  extent(): BoundingBox {
    const { minLat: south, maxLat: north } = this.boundingBox();
    const eastward = this.#lines.toSorted((a, b) => a.minLng - b.minLng);
    let [west, east] = [eastward[0]!.minLng, eastward[0]!.maxLng]; // of the lines so far
    let gap = { width: 0, west: 0, east: 0 }; // the widest between lines
    for (const { minLng, maxLng } of eastward) {
      if (minLng - east > gap.width) gap = { width: minLng - east, west: east, east: minLng };
      east = Math.max(east, maxLng);
    }
    const outsideWidth = 360 * UNITS_PER_DEGREE - (east - west);
    if (gap.width > outsideWidth) [west, east] = [gap.east, gap.west];
    return { south, west: west / UNITS_PER_DEGREE, north, east: east / UNITS_PER_DEGREE };
  }

  contains(lat: number, lng: number): boolean {
    const [y, x] = [lat * UNITS_PER_DEGREE, lng * UNITS_PER_DEGREE];
    let isInside = false;
    for (const line of this.#lines) {
      if (y < line.minLat || y > line.maxLat || x > line.maxLng) continue;
      if (crossesOddTimes(line, y, x)) isInside = !isInside;
    }
    return isInside;
  }

  /** Centroid of the lines, in degrees. It may be outside the area. */
  centroid(): { readonly lat: number; readonly lng: number } {
    let [latSum, lngSum, totalLength] = [0, 0, 0]; // the first two are sums of length × middle
    for (const { lats, lngs } of this.#lines) {
      for (let i = 1; i < lats.length; i++) {
        const [lat1, lat2] = [lats[i - 1] as number, lats[i] as number];
        const [lng1, lng2] = [lngs[i - 1] as number, lngs[i] as number];
        const segmentLength = Math.hypot(lat2 - lat1, lng2 - lng1);
        latSum += (segmentLength * (lat1 + lat2)) / 2;
        lngSum += (segmentLength * (lng1 + lng2)) / 2;
        totalLength += segmentLength;
      }
    }
    return { lat: latSum / totalLength / UNITS_PER_DEGREE, lng: lngSum / totalLength / UNITS_PER_DEGREE };
  }
}

/** The ray goes east from (y, x). A vertex on the ray counts as south of the ray. */
function crossesOddTimes({ lats, lngs }: Polyline, y: number, x: number): boolean {
  let isOdd = false;
  for (let i = 1; i < lats.length; i++) {
    const [lat1, lat2] = [lats[i - 1] as number, lats[i] as number];
    const isNorth1 = lat1 > y;
    const isNorth2 = lat2 > y;
    if (isNorth1 === isNorth2) continue;
    const [lng1, lng2] = [lngs[i - 1] as number, lngs[i] as number];
    const crossingLng = lng1 + ((y - lat1) / (lat2 - lat1)) * (lng2 - lng1);
    if (x < crossingLng) isOdd = !isOdd;
  }
  return isOdd;
}
