/**
 * Lines on the map, and the areas they enclose. A point is inside if a ray to the east crosses the
 * lines an odd number of times, so the lines need no order, and holes and exclaves are no special
 * case. Coordinates are integers in units of 1e-7 degrees, as in OpenStreetMap.
 */
export interface Box {
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
  readonly box: Box;
  readonly #lines: readonly Polyline[];

  private constructor(lines: readonly Polyline[]) {
    this.#lines = lines;
    this.box = boundingBox(lines);
  }

  /** Undefined if the lines do not form closed rings. */
  static of(lines: readonly Polyline[]): Outline | undefined {
    const openEnds = new Set<string>();
    for (const { lats, lngs } of lines) {
      if (lats.length < 2) return undefined;
      for (const end of [`${lats[0]},${lngs[0]}`, `${lats.at(-1)},${lngs.at(-1)}`]) {
        // an end that occurs twice joins two lines
        if (!openEnds.delete(end)) openEnds.add(end);
      }
    }
    return lines.length === 0 || openEnds.size > 0 ? undefined : new Outline(lines);
  }

  contains(lat: number, lng: number): boolean {
    let isInside = false;
    for (const line of this.#lines) {
      if (lat < line.minLat || lat > line.maxLat || lng > line.maxLng) continue;
      if (crossesOddTimes(line, lat, lng)) isInside = !isInside;
    }
    return isInside;
  }

  /** Centroid of the lines, not of the area: near its middle, but not always inside. */
  centroid(): { readonly lat: number; readonly lng: number } {
    let [lat, lng, length] = [0, 0, 0];
    for (const { lats, lngs } of this.#lines) {
      for (let i = 1; i < lats.length; i++) {
        const [lat1, lat2] = [lats[i - 1] as number, lats[i] as number];
        const [lng1, lng2] = [lngs[i - 1] as number, lngs[i] as number];
        const step = Math.hypot(lat2 - lat1, lng2 - lng1);
        lat += (step * (lat1 + lat2)) / 2;
        lng += (step * (lng1 + lng2)) / 2;
        length += step;
      }
    }
    return { lat: lat / length, lng: lng / length };
  }
}

function boundingBox(lines: readonly Box[]): Box {
  return lines.reduce((box, line) => ({
    minLat: Math.min(box.minLat, line.minLat),
    maxLat: Math.max(box.maxLat, line.maxLat),
    minLng: Math.min(box.minLng, line.minLng),
    maxLng: Math.max(box.maxLng, line.maxLng),
  }));
}

/** Whether an eastward ray crosses the line an odd number of times. Shared ends count once. */
function crossesOddTimes({ lats, lngs }: Polyline, lat: number, lng: number): boolean {
  let isOdd = false;
  for (let i = 1; i < lats.length; i++) {
    const [lat1, lat2] = [lats[i - 1] as number, lats[i] as number];
    const isNorth1 = lat1 > lat;
    const isNorth2 = lat2 > lat;
    if (isNorth1 === isNorth2) continue;
    const [lng1, lng2] = [lngs[i - 1] as number, lngs[i] as number];
    if (lng < lng1 + ((lat - lat1) / (lat2 - lat1)) * (lng2 - lng1)) isOdd = !isOdd;
  }
  return isOdd;
}
