/** Finds the items near a point, by cells of a grid. */
import { addToGroup } from 'toponym-engine/collections/sets';
import { distanceMeters, type LatLng, METERS_PER_DEGREE } from 'toponym-engine/place/sphere';

/** Closer to a pole, all cells are near. */
const MAX_LAT = 89;

export interface Near<Item> {
  readonly item: Item;
  readonly meters: number;
}

export class PointGrid<Item extends LatLng> {
  readonly #cells = new Map<number, Item[]>();
  readonly #cellsPerDegree: number;

  constructor(items: Iterable<Item>, cellsPerDegree = 10) {
    this.#cellsPerDegree = cellsPerDegree;
    for (const item of items) addToGroup(this.#cells, this.#key(this.#index(item.lat), this.#index(item.lng)), item);
  }

  /** In no particular order. */
  near({ lat, lng }: LatLng, maxMeters: number): Near<Item>[] {
    const found: Near<Item>[] = [];
    const latSpan = maxMeters / METERS_PER_DEGREE;
    const edgeLat = Math.abs(lat) + latSpan; // where a circle is widest in degrees
    const lngSpan = edgeLat > MAX_LAT ? 180 : Math.min(180, latSpan / Math.cos((edgeLat * Math.PI) / 180));
    const west = this.#index(lng - lngSpan);
    const east = Math.min(this.#index(lng + lngSpan), west + 360 * this.#cellsPerDegree - 1); // each column once
    for (let row = this.#index(lat - latSpan); row <= this.#index(lat + latSpan); row++) {
      for (let column = west; column <= east; column++) {
        for (const item of this.#cells.get(this.#key(row, column)) ?? []) {
          const meters = distanceMeters(lat, lng, item.lat, item.lng);
          if (meters <= maxMeters) found.push({ item, meters });
        }
      }
    }
    return found;
  }

  nearest(point: LatLng, maxMeters: number, accepts: (item: Item) => boolean = () => true): Item | undefined {
    const accepted = this.near(point, maxMeters).filter(({ item }) => accepts(item));
    return minBy(accepted, ({ meters }) => meters)?.item;
  }

  #index(degrees: number): number {
    return Math.floor(degrees * this.#cellsPerDegree);
  }

  /** Columns continue across the antimeridian. */
  #key(row: number, column: number): number {
    const columns = 360 * this.#cellsPerDegree;
    return row * columns + (((column % columns) + columns) % columns);
  }
}

/** The first item with the smallest value. */
export function minBy<Item>(items: Iterable<Item>, numberOf: (item: Item) => number): Item | undefined {
  let best: Item | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const number = numberOf(item);
    if (number >= least) continue;
    best = item;
    least = number;
  }
  return best;
}
