/**
 * Finds the city that each suburban area belongs to: a place of another type with at least
 * MIN_CITY_POPULATION people. Sources do not state it, so it is guessed. It is in the same state
 * and, if known, the same county (the first- and second-level divisions), or else a metropolis in
 * the same state. It has more people than the suburban area, which its estimated radius reaches. Of
 * several such cities, the one with the most people per kilometre of distance is taken: Chelsea is
 * nearer to the middle of Westminster, but belongs to London.
 *
 * In the embedded data, 3,089 of 6,247 suburban areas get a city. The others are parts of smaller
 * towns, or too far from a city to be sure.
 */
import { GrowingArray } from '../collections/growing-array.ts';
import type { Sections } from '../index-file/layout.ts';
import type { Place } from '../place/place.ts';
import { distanceMeters, METERS_PER_DEGREE } from '../place/sphere.ts';
import type { StringPool } from './pack/string-pool.ts';
import type { PlaceStore } from './place-store.ts';
import type { RankedPlaces } from './rank-places.ts';

/** Why not 10,000: every tenth city found would be a suburb: Prospect instead of Adelaide. */
export const MIN_CITY_POPULATION = 50_000;
/** Cities of this size have suburbs in other counties: Toorak belongs to Melbourne. */
const MIN_METROPOLIS_POPULATION = 1_000_000;
/**
 * People per square kilometre, from which the radius of a city is estimated. In the same county the
 * radius reaches the outskirts: Van Nuys in Los Angeles. If the counties differ, or one is unknown,
 * so long a radius would be wrong: it would put suburbs of Yonkers into New York City.
 */
const DENSITY = { sameCounty: 1500, otherCounty: 4000 };
/** Shorter distances count as this one: Polanco belongs to Mexico City, not to its own borough. */
const MIN_METERS = 1000;

/**
 * Lists the dense ids of the suburban areas that get a city, and the object ids of these cities.
 * `readBaseCities` is for overlays, whose suburban areas may belong to cities of the base index.
 */
export function buildSuburbSections(
  { store, rows }: RankedPlaces,
  { strings, readBaseCities }: { strings: StringPool; readBaseCities: () => Iterable<Place> },
): Pick<Sections, 'suburbPlace' | 'suburbCity'> {
  const suburbPlace = new GrowingArray(Uint32Array);
  const suburbCity = new GrowingArray(Uint32Array);
  let citiesByState: ReadonlyMap<string, readonly Place[]> | undefined;
  rows.forEach((row, place) => {
    if (store.type(row) !== 'suburban area') return;
    citiesByState ??= Map.groupBy([...listCities(store, rows), ...readBaseCities()], stateKey);
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

/** Identifies the state (first-level division); if it is unknown, the country. */
function stateKey({ country, admin1 = '' }: Place): string {
  return `${country}\t${admin1}`;
}

function findCity(suburb: Place, cities: readonly Place[]): Place | undefined {
  const mayBeInCounty = ({ admin2 }: Place) =>
    admin2 === suburb.admin2 || admin2 === undefined || suburb.admin2 === undefined;
  const isMetropolis = ({ population = 0 }: Place) => population >= MIN_METROPOLIS_POPULATION;
  return strongestCity(suburb, cities.filter(mayBeInCounty)) ?? strongestCity(suburb, cities.filter(isMetropolis));
}

/** The city that reaches the suburban area with the most people per kilometre (`pull`). */
function strongestCity(suburb: Place, cities: readonly Place[]): Place | undefined {
  let strongest: Place | undefined;
  let greatestPull = 0;
  for (const city of cities) {
    const { population = 0 } = city;
    if (population <= (suburb.population ?? 0)) continue;
    const isSameCounty = city.admin2 !== undefined && city.admin2 === suburb.admin2;
    const density = isSameCounty ? DENSITY.sameCounty : DENSITY.otherCounty;
    const radiusMeters = 1000 * Math.sqrt(population / (Math.PI * density));
    if (Math.abs(suburb.lat - city.lat) * METERS_PER_DEGREE > radiusMeters) continue; // saves computing most distances
    const meters = distanceMeters(suburb.lat, suburb.lng, city.lat, city.lng);
    const pull = population / Math.max(meters, MIN_METERS);
    if (meters > radiusMeters || pull <= greatestPull) continue;
    strongest = city;
    greatestPull = pull;
  }
  return strongest;
}
