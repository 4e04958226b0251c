/** Discs that stand for the areas of settlements, because most data has only their centres. */

import type { Index } from '../index-file/layout.ts';
import { readPopulation } from '../index-file/packed-record.ts';
import { PLACE_TYPES } from '../place/place.ts';
import { settlementRadiusMeters } from '../place/settlement-radius.ts';
import { DEGREE, EARTH_RADIUS_METERS, type LatLng } from '../place/sphere.ts';

/** The radius of each place's disc, in metres. A search reads them faster than the populations. */
export function listRadii(index: Index): Uint16Array {
  const radii = new Uint16Array(index.metadata.places);
  for (let place = 0; place < radii.length; place++) {
    const type = PLACE_TYPES[index.placeType[place]!]!;
    radii[place] = Math.round(settlementRadiusMeters(type, readPopulation(index, place)));
  }
  return radii;
}

/**
 * How far the outskirts of a place reach beyond its disc, in radii. Of the centres of US postcodes,
 * 85.1% are in the city of their address with 2, 84.8% with 1 and 83.6% without outskirts. With
 * more, small places lose.
 */
const OUTSKIRTS_RADII = 2;

/**
 * How well a disc fits a point, the lower the better. Inside the disc: the distance as a share of
 * the radius, minus 1. Outside: metres to the edge. In the outskirts they are divided by the square
 * root of the radius in km, because larger places have longer outskirts: 3 km from the edge of a
 * disc of 9 km count as much as 1 km from that of a disc of 1 km.
 */
export function fitInDisc(meters: number, radiusMeters: number): number {
  if (meters < radiusMeters) return meters / radiusMeters - 1;
  const outside = meters - radiusMeters;
  const inOutskirts = Math.min(outside, OUTSKIRTS_RADII * radiusMeters);
  return inOutskirts / outskirtsWeight(radiusMeters) + outside - inOutskirts;
}

/** A place of this radius or a smaller one that fits better than `fit` is nearer than this. */
export function reachMeters(fit: number, radiusMeters: number): number {
  if (fit < 0) return (1 + fit) * radiusMeters;
  const weight = outskirtsWeight(radiusMeters);
  const inOutskirts = Math.min(fit * weight, OUTSKIRTS_RADII * radiusMeters);
  return radiusMeters + inOutskirts + fit - inOutskirts / weight;
}

/** Divides distances in the outskirts. */
function outskirtsWeight(radiusMeters: number): number {
  return Math.sqrt(radiusMeters / 1000);
}

/**
 * Population from which on places are listed: 2,491 of the embedded data. With a higher one, the
 * search in the k-d tree would have to go further.
 */
const MIN_POPULATION = 200_000;
/** Places with a smaller disc are not listed. */
export const MIN_LARGE_RADIUS_METERS = Math.round(settlementRadiusMeters('city', MIN_POPULATION));

/**
 * Called for each place found, with a distance that is accurate to about a metre. Returns how
 * well the best place so far fits (see `fitInDisc`); places that cannot fit better are not visited.
 */
type Visit = (place: number, meters: number) => number;

/**
 * The places with large discs, which may contain a point far from their centre, grouped by country. A
 * search measures all of one country, because they are few.
 */
export class LargePlaces {
  readonly #places: Uint32Array;
  /** Unit vectors: x, y, z of each place. */
  readonly #vectors: Float64Array;
  /** Radius of the disc in units of the Earth's radius. */
  readonly #radii: Float64Array;
  /** By place: see `outskirtsWeight`. */
  readonly #weights: Float64Array;
  /** By country id: where its places start. */
  readonly #starts: Uint32Array;

  /** `radii`, by place: see `listRadii`. */
  constructor(index: Index, radii: Uint16Array) {
    const { placeLatE7, placeLngE7, placeCountry, metadata } = index;
    const places: number[] = [];
    for (let place = 0; place < radii.length; place++) {
      if (radii[place]! >= MIN_LARGE_RADIUS_METERS) places.push(place);
    }
    this.#places = Uint32Array.from(places).sort((a, b) => placeCountry[a]! - placeCountry[b]!);
    this.#vectors = new Float64Array(places.length * 3);
    this.#radii = new Float64Array(places.length);
    this.#weights = new Float64Array(places.length);
    this.#starts = new Uint32Array(metadata.countries.length + 2);
    this.#places.forEach((place, i) => {
      this.#vectors.set(unitVector(placeLatE7[place]! / 1e7, placeLngE7[place]! / 1e7), i * 3);
      this.#radii[i] = radii[place]! / EARTH_RADIUS_METERS;
      this.#weights[i] = outskirtsWeight(radii[place]!);
      this.#starts[placeCountry[place]! + 1]!++;
    });
    for (let country = 1; country < this.#starts.length; country++) {
      this.#starts[country]! += this.#starts[country - 1]!;
    }
  }

  /** Visits the places of a country (its id), unless an earlier visit has ruled them out. */
  visit({ lat, lng }: LatLng, country: number, visit: Visit): void {
    const [x, y, z] = unitVector(lat, lng);
    const vectors = this.#vectors;
    const radii = this.#radii;
    const weights = this.#weights;
    const end = this.#starts[country + 1]!;
    let fit = Number.POSITIVE_INFINITY; // 0 if a disc contains the point; in units of the Earth's radius
    for (let i = this.#starts[country]!; i < end; i++) {
      const dx = vectors[i * 3]! - x;
      const dy = vectors[i * 3 + 1]! - y;
      const dz = vectors[i * 3 + 2]! - z;
      const squaredChord = dx * dx + dy * dy + dz * dz;
      const limit = fit * weights[i]! + radii[i]!; // at least `reachMeters`, because weights are above 1
      if (squaredChord > limit * limit) continue; // a chord is shorter than its arc
      const meters = 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(squaredChord) / 2));
      fit = Math.max(0, visit(this.#places[i]!, meters)) / EARTH_RADIUS_METERS;
    }
  }
}

function unitVector(lat: number, lng: number): [number, number, number] {
  const cosLat = Math.cos(lat * DEGREE);
  return [cosLat * Math.cos(lng * DEGREE), cosLat * Math.sin(lng * DEGREE), Math.sin(lat * DEGREE)];
}
