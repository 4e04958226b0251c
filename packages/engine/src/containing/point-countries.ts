/**
 * Finds the country of a point. Borders decide, except where the data puts a whole area into
 * another country, as in Crimea, and where a border is simplified: hits there must be the places
 * around the point.
 */
import type { Index } from '../index-file/layout.ts';
import type { SpatialIndex } from '../nearest.ts';
import type { LatLng } from '../place/sphere.ts';
import type { WorldBorders } from '../place/world-borders.ts';

/** Loads the borders when they are first needed. Without them, every point is in no country. */
export type LoadBorders = () => WorldBorders;

/** Places nearer than this to their country may just be on the wrong side of an inexact border. */
const NEAR_DEGREES = 0.1;
const NEIGHBORS = 20;
/**
 * Number of places that must contradict the borders, because one may have wrong coordinates. One is
 * enough if it is within CLOSE_METERS of the point.
 */
const MIN_CONTRADICTIONS = 2;
const CLOSE_METERS = 10_000;
/**
 * A place beyond a simplified border decides the country of the points this near to its centre. It
 * is less for points further from the border, by this many times the distance: a border is seldom
 * wrong by more than 300 m.
 */
const MAX_CENTER_METERS = 1500;
const LESS_PER_BORDER_METER = 3;

export interface CountrySources {
  readonly spatial: SpatialIndex;
  readonly loadBorders: LoadBorders | undefined;
}

export class PointCountries {
  readonly #index: Index;
  readonly #spatial: SpatialIndex;
  readonly #loadBorders: LoadBorders | undefined;
  #borders: WorldBorders | undefined;
  readonly #neighbors = { ids: new Uint32Array(NEIGHBORS), meters: new Float64Array(NEIGHBORS) };

  constructor(index: Index, { spatial, loadBorders }: CountrySources) {
    this.#index = index;
    this.#spatial = spatial;
    this.#loadBorders = loadBorders;
  }

  /** ISO 3166-1 alpha-2 code; null if the point is in no country. */
  byBorders({ lat, lng }: LatLng): string | null {
    this.#borders ??= this.#loadBorders?.();
    const country = this.#borders?.countryAt(lat, lng);
    return country === undefined ? null : this.#correctedCountry({ lat, lng }, country);
  }

  /**
   * The country that the data puts the surroundings of a point into. By the borders, the point is in
   * `country`.
   */
  byData(at: LatLng, country: string): string {
    const borders = this.#borders;
    if (borders === undefined || this.#isNearestIn(country, at)) return country;
    const count = this.#findNearest(at, NEIGHBORS);
    let contradictions = 0;
    for (let i = 0; i < count; i++) {
      const place = this.#neighbors.ids[i]!;
      const countryOfPlace = this.#countryOf(place);
      if (countryOfPlace === country) return country;
      const { lat, lng } = this.#pointOf(place);
      const isInside = borders.countryAt(lat, lng) === country;
      if (!isInside || borders.isNear(countryOfPlace, lat, lng, NEAR_DEGREES)) continue;
      const isClose = this.#neighbors.meters[i]! < CLOSE_METERS;
      if (isClose || ++contradictions === MIN_CONTRADICTIONS) return countryOfPlace;
    }
    return country;
  }

  /**
   * The country of the nearest place, if the point may be in it because the border is simplified.
   * That place must be nearer than all places of `country`, in which the point is by the borders, by
   * more than the distance from the border.
   */
  #correctedCountry(at: LatLng, country: string): string {
    const candidates = this.#borders?.countriesWithinError(at.lat, at.lng) ?? [];
    if (candidates.every((candidate) => candidate.country === country)) return country;
    const count = this.#findNearest(at, NEIGHBORS);
    const { ids, meters } = this.#neighbors;
    if (count === 0) return country;
    const nearest = this.#countryOf(ids[0]!);
    const fromBorder = candidates.reduce(
      (min, candidate) => (candidate.country === nearest ? Math.min(min, candidate.meters) : min),
      Number.POSITIVE_INFINITY,
    );
    if (meters[0]! + LESS_PER_BORDER_METER * fromBorder > MAX_CENTER_METERS) return country;
    for (let i = 0; i < count && meters[i]! <= meters[0]! + fromBorder; i++) {
      if (this.#countryOf(ids[i]!) === country) return country;
    }
    return nearest;
  }

  #isNearestIn(country: string, at: LatLng): boolean {
    return this.#findNearest(at, 1) > 0 && this.#countryOf(this.#neighbors.ids[0]!) === country;
  }

  /** Fills `#neighbors` with the `k` nearest places. Returns their number. */
  #findNearest({ lat, lng }: LatLng, k: number): number {
    return this.#spatial.nearest(lat, lng, k, this.#neighbors);
  }

  #countryOf(place: number): string {
    const { placeCountry, metadata } = this.#index;
    return metadata.countries[(placeCountry[place] ?? 0) - 1] ?? '';
  }

  #pointOf(place: number): LatLng {
    const { placeLatE7, placeLngE7 } = this.#index;
    return { lat: placeLatE7[place]! / 1e7, lng: placeLngE7[place]! / 1e7 };
  }
}
