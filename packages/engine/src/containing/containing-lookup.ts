/**
 * Finds the settlement that a point lies in, and the nearest other places of the same country. A
 * place in another country is never a result, unless the point itself is in no country.
 */

import type { ReverseQuery } from '../engine.ts';
import type { Index } from '../index-file/layout.ts';
import type { SpatialIndex } from '../nearest.ts';
import { distanceMeters, type LatLng } from '../place/sphere.ts';
import { createFilter, type PlaceCounts, type PlaceFilter } from '../rank/place-filter.ts';
import { countEvenly, type MatchCount } from '../search/match-counter.ts';
import type { WorkBudget } from '../work-budget.ts';
import { MAX_HITS } from '../work-budget.ts';
import { type CountrySources, PointCountries } from './point-countries.ts';
import { type FinderSources, type FindOptions, type Settlement, SettlementFinder } from './settlement-finder.ts';

const NO_MATCHES: MatchCount = { total: 0, isExact: true };
/**
 * Places that pass a box or radius are listed up to this number: measuring them takes under 1 ms.
 */
const MAX_LISTED = 1000;
/**
 * Units of work for a place that the tree offers to a filter: about 70 ns, and as much for a
 * distance.
 */
const FILTER_WORK = 4;
const RADIUS_WORK = 8;
/** Maximum number of places of a small country. Measuring them takes less than 10 µs. */
const MAX_SMALL_COUNTRY = 100;
/** If no place of the country is this near, the data may assign the area to another country. */
const FAR_METERS = 10_000;

interface Containing {
  /** The country of the point; null if it is in none. */
  readonly country: string | null;
  /** The settlement first, then the nearest others. */
  readonly places: readonly ContainingPlace[];
  /** Number of places of the country that pass the filters. */
  readonly total: number;
  readonly isTotalExact: boolean;
}

interface ContainingPlace {
  readonly place: number;
  readonly meters: number;
  readonly isInside: boolean;
}

export interface LookupSources extends FinderSources, CountrySources {
  readonly counts: PlaceCounts;
}

/** The places that pass the filters of a query and are in the country of its point. */
interface PassingPlaces extends Omit<FindOptions, 'countsSuburbs'> {
  readonly count: MatchCount;
}

export class ContainingLookup {
  readonly #index: Index;
  readonly #spatial: SpatialIndex;
  readonly #counts: PlaceCounts;
  readonly #work: WorkBudget;
  readonly #settlements: SettlementFinder;
  readonly #countries: PointCountries;
  readonly #smallCountries: ReadonlyMap<number, Uint32Array>;
  readonly #neighbors = { ids: new Uint32Array(MAX_HITS), meters: new Float64Array(MAX_HITS) };

  constructor(index: Index, { records, spatial, counts, work, loadBorders }: LookupSources) {
    this.#index = index;
    this.#spatial = spatial;
    this.#counts = counts;
    this.#work = work;
    this.#settlements = new SettlementFinder(index, { records, spatial, work });
    this.#countries = new PointCountries(index, { spatial, loadBorders });
    this.#smallCountries = listSmallCountries(index);
  }

  find(query: ReverseQuery): Containing {
    let country = this.#countries.byBorders(query.at);
    let passing = this.#placesPassing(query, country);
    let settlement = this.#findSettlement(query, passing);
    const isFar = settlement === undefined || this.#settlements.metersOutside(settlement) > FAR_METERS;
    if (country !== null && isFar) {
      const countryOfData = this.#countries.byData(query.at, country);
      if (countryOfData !== country) {
        passing = this.#placesPassing(query, countryOfData);
        settlement = this.#findSettlement(query, passing);
      }
      country = countryOfData;
    }
    const { total, isExact: isTotalExact } = passing?.count ?? NO_MATCHES;
    if (passing === undefined || settlement === undefined) return { country, places: [], total, isTotalExact };
    const places = this.#withNearest(settlement, query, passing);
    return { country, places, total: Math.max(total, places.length), isTotalExact };
  }

  /** The places that may be hits, if the point is in this country. A `country` of null accepts all. */
  #placesPassing({ types, filters }: ReverseQuery, country: string | null): PassingPlaces | undefined {
    const accepted = filters?.countries ?? [];
    if (country !== null && accepted.length > 0 && !accepted.includes(country)) return undefined;
    const filter = createFilter(this.#index, { ...filters, types, countries: country === null ? accepted : [country] });
    const [countryId] = country === null ? [] : (filter.query.countryIds ?? []);
    const ofCountry = countryId === undefined ? undefined : this.#smallCountries.get(countryId);
    const places = this.#listInCircle(filter) ?? ofCountry;
    // most places near the point may fail to pass
    const { radiusMeters, isByTypeAndCountry } = filter.query;
    const workPerPlace =
      radiusMeters !== undefined ? RADIUS_WORK : !isByTypeAndCountry || accepted[0] ? FILTER_WORK : 1;
    return { country: countryId, filter, places, workPerPlace, count: this.#countPassing(filter, places) };
  }

  #findSettlement({ at, types }: ReverseQuery, passing: PassingPlaces | undefined): Settlement | undefined {
    // an estimate of 0 may have missed a few places
    if (passing === undefined || (passing.count.total === 0 && passing.count.isExact)) return undefined;
    return this.#settlements.find(at, { ...passing, countsSuburbs: types?.includes('suburban area') === true });
  }

  #countPassing(filter: PlaceFilter, places: Uint32Array | undefined): MatchCount {
    if (filter.query.isByTypeAndCountry) return { total: this.#counts.passing(filter), isExact: true };
    if (places) return { total: places.filter((place) => filter.accepts(place)).length, isExact: true };
    return countEvenly(this.#index.metadata.places, (place) => filter.accepts(place));
  }

  /** The places that pass the filter, if it has a small circle; undefined if they are many. */
  #listInCircle(filter: PlaceFilter): Uint32Array | undefined {
    const { searchCircle } = filter.query;
    if (searchCircle === undefined) return undefined;
    const { lat, lng, radiusMeters } = searchCircle;
    const places: number[] = [];
    this.#spatial.within(lat, lng, radiusMeters, (place) => {
      if (filter.acceptsInCircle(place)) places.push(place);
      return this.#work.spend(1) && places.length <= MAX_LISTED;
    });
    return places.length > MAX_LISTED || this.#work.isExceeded ? undefined : Uint32Array.from(places);
  }

  #withNearest(
    { place: first, meters, fit }: Settlement,
    query: ReverseQuery,
    passing: PassingPlaces,
  ): ContainingPlace[] {
    // with a negative fit, the point is in the disc of the place or of one of its suburban areas
    const places = [{ place: first, meters, isInside: fit < 0 || this.#settlements.isInDisc(first, meters) }];
    const { ids, meters: distances } = this.#neighbors;
    const count = query.limit === 1 ? 0 : this.#findNearest(query, passing);
    for (let i = 0; i < count && places.length < query.limit; i++) {
      const place = ids[i]!;
      const distance = distances[i]!;
      if (place !== first)
        places.push({ place, meters: distance, isInside: this.#settlements.isInDisc(place, distance) });
    }
    return places;
  }

  /** Fills `#neighbors` with places that pass the filter. Returns their number. */
  #findNearest({ at, limit }: ReverseQuery, { filter, places, workPerPlace, count }: PassingPlaces): number {
    const accept = (place: number) => filter.accepts(place);
    if (places !== undefined) return this.#findNearestOf(places.filter(accept), at, limit);
    // a search for more places than there are would visit the whole tree
    const k = count.isExact ? Math.min(limit, count.total) : limit;
    return this.#spatial.nearest(at.lat, at.lng, k, this.#neighbors, { accept, work: this.#work, workPerPlace });
  }

  #findNearestOf(places: Uint32Array, { lat, lng }: LatLng, limit: number): number {
    const { placeLatE7, placeLngE7 } = this.#index;
    const metersTo = (place: number) => distanceMeters(lat, lng, placeLatE7[place]! / 1e7, placeLngE7[place]! / 1e7);
    const nearest = Array.from(places, (place) => ({ place, meters: metersTo(place) }))
      .sort((a, b) => a.meters - b.meters || a.place - b.place)
      .slice(0, limit);
    nearest.forEach(({ place, meters }, i) => {
      this.#neighbors.ids[i] = place;
      this.#neighbors.meters[i] = meters;
    });
    return nearest.length;
  }
}

/**
 * The places of each small country by its id, lowest id first. In the tree, a search for the few
 * places of one country would visit most of the world.
 */
function listSmallCountries({ placeCountry, metadata }: Index): Map<number, Uint32Array> {
  const counts = new Uint32Array(metadata.countries.length + 1);
  for (const country of placeCountry) counts[country]!++;
  const lists = new Map<number, number[]>();
  placeCountry.forEach((country, place) => {
    if (counts[country]! > MAX_SMALL_COUNTRY) return;
    const list = lists.get(country);
    if (list === undefined) lists.set(country, [place]);
    else list.push(place);
  });
  return new Map(Array.from(lists, ([country, list]) => [country, Uint32Array.from(list)]));
}
