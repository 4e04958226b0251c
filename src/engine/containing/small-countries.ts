/**
 * Lists the places of each small country. In the tree, a search for the few places of one country
 * would visit most of the world.
 */
import type { Index } from '../../index-file/layout.ts';
import { distanceMeters, type LatLng } from '../../place/sphere.ts';
import type { Neighbors } from '../nearest.ts';

/** Measuring this many places takes less than 10 µs. */
const MAX_PLACES = 100;

export class SmallCountries {
  readonly #index: Index;
  /** By country id. */
  readonly #lists: ReadonlyMap<number, Uint32Array>;

  constructor(index: Index) {
    this.#index = index;
    this.#lists = listPlaces(index);
  }

  /** All places of a country (its id), lowest id first. Undefined if it has many, or none. */
  placesOf(country: number): Uint32Array | undefined {
    return this.#lists.get(country);
  }

  /** Fills `into` with the `k` nearest of the places that `accept` allows. Returns their number. */
  nearestOf(places: Uint32Array, at: LatLng, { k, accept, into }: NearestOfOptions): number {
    const { placeLatE7, placeLngE7 } = this.#index;
    const metersTo = (place: number) =>
      distanceMeters(at.lat, at.lng, placeLatE7[place]! / 1e7, placeLngE7[place]! / 1e7);
    const nearest = Array.from(places.filter(accept), (place) => ({ place, meters: metersTo(place) }))
      .sort((a, b) => a.meters - b.meters || a.place - b.place)
      .slice(0, k);
    nearest.forEach(({ place, meters }, i) => {
      into.ids[i] = place;
      into.meters[i] = meters;
    });
    return nearest.length;
  }
}

interface NearestOfOptions {
  readonly k: number;
  readonly accept: (place: number) => boolean;
  readonly into: Neighbors;
}

function listPlaces({ placeCountry, metadata }: Index): Map<number, Uint32Array> {
  const counts = new Uint32Array(metadata.countries.length + 1);
  for (const country of placeCountry) counts[country]!++;
  const lists = new Map<number, number[]>();
  placeCountry.forEach((country, place) => {
    if (counts[country]! > MAX_PLACES) return;
    const list = lists.get(country);
    if (list === undefined) lists.set(country, [place]);
    else list.push(place);
  });
  return new Map(Array.from(lists, ([country, list]) => [country, Uint32Array.from(list)]));
}
