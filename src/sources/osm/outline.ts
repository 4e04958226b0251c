/**
 * Lines on the map, and the areas they enclose. A point is inside if a ray to the east crosses the
 * lines an odd number of times, so the lines need no order, and holes and exclaves are no special
 * case. A polyline is stored in units of 1e-7 degrees; the methods of an outline use degrees.
 */

interface Box {
  readonly minLat: number;
  readonly maxLat: number;
  readonly minLng: number;
  readonly maxLng: number;
}

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

  /** The outline of these lines; undefined if they do not form closed rings. */
  static of(lines: readonly Polyline[]): Outline | undefined {
    const openEnds = new Set<string>();
    for (const { lats, lngs } of lines) {
      if (lats.length < 2) return undefined;
      for (const end of [`${lats[0]},${lngs[0]}`, `${lats.at(-1)},${lngs.at(-1)}`]) {
        // a line that starts or ends at an open end closes it
        if (!openEnds.delete(end)) openEnds.add(end);
      }
    }
    return lines.length === 0 || openEnds.size > 0 ? undefined : new Outline(lines);
  }

  boundingBox(): Box {
    const min = (side: keyof Box) =>
      this.#lines.reduce((value, line) => Math.min(value, line[side]), Infinity) / UNITS_PER_DEGREE;
    const max = (side: keyof Box) =>
      this.#lines.reduce((value, line) => Math.max(value, line[side]), -Infinity) / UNITS_PER_DEGREE;
    return { minLat: min('minLat'), maxLat: max('maxLat'), minLng: min('minLng'), maxLng: max('maxLng') };
  }

  contains(lat: number, lng: number): boolean {
    const [y, x] = [lat * UNITS_PER_DEGREE, lng * UNITS_PER_DEGREE];
    let isInside = false;
    for (const line of this.#lines) {
      // a line entirely north, south or west of the point does not cross the ray
      if (y < line.minLat || y > line.maxLat || x > line.maxLng) continue;
      if (crossesOddTimes(line, y, x)) isInside = !isInside;
    }
    return isInside;
  }

  /** Centroid of the lines, not of the area: near the middle of the area, but not always inside. */
  centroid(): { readonly lat: number; readonly lng: number } {
    let [latSum, lngSum, totalLength] = [0, 0, 0]; // sums of the segments' middles × length, and of their lengths
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

/**
 * Whether the ray from (y, x) to the east crosses the line an odd number of times. A vertex on the
 * ray counts as south of it, so a crossing at a vertex counts once.
 */
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
