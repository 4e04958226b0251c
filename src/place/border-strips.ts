/**
 * Finds the area around a point, by the edges of areas in strips of equal latitude. A ray from the
 * point to the east crosses the edges of an area an odd number of times if the point is inside.
 * country-coder's own search takes three times as long, because it follows whole borders.
 */

import { METERS_PER_DEGREE } from './sphere.ts';

/** An area of country-coder's data. Where areas overlap, which is rare, the first one counts. */
export interface Area {
  readonly properties: { readonly id: string };
  /** Polygons, rings and their points: longitude, latitude. */
  readonly geometry: { readonly coordinates: readonly (readonly (readonly [number, number])[])[][] } | null;
}

/** A part of a ring between two points. */
export interface Edge {
  readonly east: readonly [number, number];
  readonly west: readonly [number, number];
  /** Position in the list of areas. */
  readonly area: number;
}

/** Stands for the area of a point that is in none. */
export const NO_AREA = 0xffff;
/**
 * With 20 strips per degree, a strip has 38 edges on average, and 80 in the latitude of Germany.
 */
const STRIPS_PER_DEGREE = 20;
const STRIPS = 180 * STRIPS_PER_DEGREE;
/**
 * Borders are simplified: the longer an edge, the further it may be from the true border. Of the
 * embedded places within 400 m of a border, one in six is on the wrong side; of those from there to
 * 1 km, one in fifty.
 */
const MAX_ERROR_METERS = 500;
const ERROR_PER_LENGTH = 1 / 4;

export class BorderStrips {
  /** By strip: where its edges start. */
  readonly #starts = new Uint32Array(STRIPS + 1);
  /**
   * Longitude and latitude of the eastern and of the western end of each edge. An edge is in every
   * strip that it touches. In a strip, the edges with the easternmost ends come first.
   */
  readonly #ends: Float64Array;
  readonly #areas: Uint16Array;
  /** By area: 1 if the ray has crossed an odd number of its edges. 0 between searches. */
  readonly #parity: Uint8Array;

  constructor(unsorted: readonly Edge[], areaCount: number) {
    const edges = unsorted.toSorted((a, b) => b.east[0] - a.east[0]);
    this.#parity = new Uint8Array(areaCount);
    for (const edge of edges) for (const strip of stripsOf(edge)) this.#starts[strip + 1]!++;
    for (let strip = 0; strip < STRIPS; strip++) this.#starts[strip + 1]! += this.#starts[strip]!;
    this.#ends = new Float64Array(this.#starts[STRIPS]! * 4);
    this.#areas = new Uint16Array(this.#starts[STRIPS]!);
    const next = this.#starts.slice();
    for (const edge of edges) {
      for (const strip of stripsOf(edge)) {
        const i = next[strip]!++;
        this.#ends.set([...edge.east, ...edge.west], i * 4);
        this.#areas[i] = edge.area;
      }
    }
  }

  areaAt(lat: number, lng: number): number {
    const strip = stripAt(lat);
    const start = this.#starts[strip]!;
    let end = this.#starts[strip + 1]!;
    const ends = this.#ends;
    for (let i = start; i < end; i++) {
      const eastLng = ends[i * 4]!;
      const eastLat = ends[i * 4 + 1]!;
      const westLat = ends[i * 4 + 3]!;
      if (eastLng < lng) {
        end = i; // all further edges are west of the point too
        break;
      }
      if (eastLat > lat === westLat > lat) continue; // both ends are on the same side of the ray
      const crossingLng = ((ends[i * 4 + 2]! - eastLng) * (lat - eastLat)) / (westLat - eastLat) + eastLng;
      if (lng < crossingLng) this.#parity[this.#areas[i]!]! ^= 1;
    }
    let found = NO_AREA;
    for (let i = start; i < end; i++) {
      const area = this.#areas[i]!;
      if (this.#parity[area] === 1) found = Math.min(found, area);
      this.#parity[area] = 0;
    }
    return found;
  }

  /**
   * The areas with an inexact edge near the point, which may be on its other side. May repeat
   * areas.
   */
  areasWithinError(lat: number, lng: number): { readonly area: number; readonly meters: number }[] {
    const areas = [];
    const latError = MAX_ERROR_METERS / METERS_PER_DEGREE;
    const metersPerLng = METERS_PER_DEGREE * Math.cos((lat * Math.PI) / 180);
    const lngError = MAX_ERROR_METERS / metersPerLng;
    const ends = this.#ends;
    for (let i = this.#starts[stripAt(lat - latError)]!; i < this.#starts[stripAt(lat + latError) + 1]!; i++) {
      if (ends[i * 4]! < lng - lngError || ends[i * 4 + 2]! > lng + lngError) continue;
      // the ends of the edge in metres from the point
      const x = (ends[i * 4]! - lng) * metersPerLng;
      const y = (ends[i * 4 + 1]! - lat) * METERS_PER_DEGREE;
      const alongX = (ends[i * 4 + 2]! - lng) * metersPerLng - x;
      const alongY = (ends[i * 4 + 3]! - lat) * METERS_PER_DEGREE - y;
      const length = Math.hypot(alongX, alongY);
      const share = Math.max(0, Math.min(1, -(x * alongX + y * alongY) / (length * length || 1)));
      const meters = Math.hypot(x + share * alongX, y + share * alongY);
      if (meters < Math.min(MAX_ERROR_METERS, length * ERROR_PER_LENGTH)) areas.push({ area: this.#areas[i]!, meters });
    }
    return areas;
  }
}

export function listEdges(areas: readonly Area[]): Edge[] {
  return areas.flatMap(({ geometry }, area) =>
    (geometry?.coordinates.flat() ?? []).flatMap((ring) =>
      ring.slice(1).map((point, i): Edge => {
        const previous = ring[i]!;
        return point[0] > previous[0] ? { east: point, west: previous, area } : { east: previous, west: point, area };
      }),
    ),
  );
}

function stripsOf({ east, west }: Edge): number[] {
  const first = stripAt(Math.min(east[1], west[1]));
  const last = stripAt(Math.max(east[1], west[1]));
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

function stripAt(lat: number): number {
  return Math.max(0, Math.min(STRIPS - 1, Math.floor((lat + 90) * STRIPS_PER_DEGREE)));
}
