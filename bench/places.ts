/**
 * The embedded places for the peers: the same rows that our index is built from, sorted by
 * descending population, so that a position in the list is also the rank by population.
 */

import type { Gazetteer, Place } from 'toponym-engine/place/place';
import { fold } from 'toponym-engine/text/fold';
import { openEmbedded } from 'toponym-gazetteer/sources/embedded/embedded';

export interface BenchPlace {
  readonly id: string;
  readonly name: string;
  /** The ASCII spelling from GeoNames, or the folded name if there is none. */
  readonly asciiName: string;
  /** First-level division; may be empty. In English if it has an English name. */
  readonly region: string;
  readonly country: string;
  readonly lat: number;
  readonly lng: number;
  readonly population: number;
}

const ASCII = /^[\x20-\x7e]+$/;

export async function readEmbeddedPlaces(): Promise<BenchPlace[]> {
  const places: BenchPlace[] = [];
  for await (const place of benchPlaces(openEmbedded())) places.push(place);
  return places.sort((a, b) => b.population - a.population || (a.id < b.id ? -1 : 1));
}

export async function* benchPlaces(gazetteer: Gazetteer): AsyncIterable<BenchPlace> {
  const regions = new Map(gazetteer.regions.map(({ key, name }) => [key, name]));
  const countries = new Map(gazetteer.countries.map(({ code, name }) => [code, name]));
  for await (const { id, names, lat, lng, population, admin1, country } of gazetteer.places) {
    const name = names[0]!.value;
    yield {
      id,
      name,
      asciiName: asciiSpelling(names),
      region: (admin1 && regions.get(admin1)) ?? '',
      country: countries.get(country) ?? country,
      lat,
      lng,
      population: population ?? 0,
    };
  }
}

/** GeoNames' own ASCII name if the place has it. */
function asciiSpelling([first, ...others]: Place['names']): string {
  const name = first?.value ?? '';
  if (ASCII.test(name)) return name;
  return others.find(({ value }) => ASCII.test(value) && fold(value) === fold(name))?.value ?? fold(name);
}
