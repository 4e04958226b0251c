/**
 * Guesses the city that each suburban area belongs to, because sources do not state it. A city in
 * the same county comes first, then a metropolis in the same state. Among several cities, the one
 * with the most people per kilometre of distance wins: Chelsea belongs to London, not Westminster.
 */
import { GrowingArray } from 'toponym-engine/collections/typed-array';
import type { Sections } from 'toponym-engine/index-file/layout';
import { MIN_CITY_POPULATION, type Place } from 'toponym-engine/place/place';
import { distanceMeters, METERS_PER_DEGREE } from 'toponym-engine/place/sphere';
import type { PlaceStore } from './place-store.ts';
import type { RankedPlaces } from './rank-places.ts';
import type { StringPool } from './string-pool.ts';

/** Cities of this size have suburbs in other counties: Toorak belongs to Melbourne. */
const MIN_METROPOLIS_POPULATION = 1_000_000;
/** People per km². With 1500 for other counties, New York City would get suburbs of Yonkers. */
const DENSITY = { sameCounty: 1500, otherCounty: 4000 };
/** A minimum for distances: Polanco belongs to Mexico City, not to its own borough. */
const MIN_METERS = 1000;

export function buildSuburbSections(
  { store, rows }: RankedPlaces,
  strings: StringPool,
): Pick<Sections, 'suburbPlace' | 'suburbCity'> {
  const suburbPlace = new GrowingArray(Uint32Array);
  const suburbCity = new GrowingArray(Uint32Array);
  let citiesByState: ReadonlyMap<string, readonly Place[]> | undefined;
  rows.forEach((row, place) => {
    if (store.type(row) !== 'suburban area') return;
    citiesByState ??= Map.groupBy(listCities(store, rows), stateKey);
    const suburb = store.place(row);
    const city = findCity(suburb, citiesByState.get(stateKey(suburb)) ?? []);
    if (city === undefined) return;
    suburbPlace.push(place);
    suburbCity.push(strings.add(city.id));
  });
  return { suburbPlace: suburbPlace.toArray(), suburbCity: suburbCity.toArray() };
}

function listCities(store: PlaceStore, rows: Uint32Array): Place[] {
  const cityRows = rows.filter((row) => {
    return store.type(row) !== 'suburban area' && (store.population(row) ?? 0) >= MIN_CITY_POPULATION;
  });
  return Array.from(cityRows, (row) => store.place(row));
}

function stateKey({ country, admin1 = '' }: Place): string {
  return `${country}\t${admin1}`;
}

function findCity(suburb: Place, cities: readonly Place[]): Place | undefined {
  const mayBeInCounty = ({ admin2 }: Place) =>
    admin2 === suburb.admin2 || admin2 === undefined || suburb.admin2 === undefined;
  const isMetropolis = ({ population = 0 }: Place) => population >= MIN_METROPOLIS_POPULATION;
  return strongestCity(suburb, cities.filter(mayBeInCounty)) ?? strongestCity(suburb, cities.filter(isMetropolis));
}

function strongestCity(suburb: Place, cities: readonly Place[]): Place | undefined {
  let strongest: Place | undefined;
  let greatestPull = 0;
  for (const city of cities) {
    const { population = 0 } = city;
    if (population <= (suburb.population ?? 0)) continue;
    const isSameCounty = city.admin2 !== undefined && city.admin2 === suburb.admin2;
    const density = isSameCounty ? DENSITY.sameCounty : DENSITY.otherCounty;
    const radiusMeters = 1000 * Math.sqrt(population / (Math.PI * density));
    if (Math.abs(suburb.lat - city.lat) * METERS_PER_DEGREE > radiusMeters) continue; // saves most distances
    const meters = distanceMeters(suburb.lat, suburb.lng, city.lat, city.lng);
    const pull = population / Math.max(meters, MIN_METERS);
    if (meters > radiusMeters || pull <= greatestPull) continue;
    strongest = city;
    greatestPull = pull;
  }
  return strongest;
}
