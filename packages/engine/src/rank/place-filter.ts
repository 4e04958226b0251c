/** Decides which places may be hits, by the query's filters and by required regions and cities. */

import type { Filters, SearchQuery } from '../engine.ts';
import type { Index } from '../index-file/layout.ts';
import { type BoundingBox, circleAround, isInBox } from '../place/bounding-box.ts';
import { PLACE_TYPES } from '../place/place.ts';
import { type Circle, distanceMeters, type LatLng, METERS_PER_DEGREE } from '../place/sphere.ts';
import type { City, Interpretation } from '../query/interpretations.ts';

type FilterOptions = Filters & Pick<SearchQuery, 'around'>;
/** The regions and cities that an interpretation names. */
type Areas = Pick<Interpretation, 'regionGroups' | 'cities'>;

/** If the circle around a box is larger, reading all places is faster than searching the circle. */
const MAX_BOX_RADIUS_METERS = 5_000_000;
/** A bit for each level of regions: 1 << `index.regionLevel`. */
const LEVEL_BITS = { country: 1, admin1: 2, admin2: 4 } as const;
/** More than the rounding error of a distance. */
const ROUNDING_METERS = 1;
const NO_AREAS: Areas = { regionGroups: [], cities: [] };

/** The filters of a query, as `accepts` needs them. */
interface QueryFilter {
  /** A bit for each type that is accepted; 0 accepts all. */
  readonly typeMask: number;
  /** Ids of the accepted countries that the index has. Undefined accepts all. */
  readonly countryIds: readonly number[] | undefined;
  /** By country id: 1 if accepted. */
  readonly isCountryAccepted: Uint8Array;
  readonly around: LatLng | undefined;
  readonly radiusMeters: number | undefined;
  readonly box: BoundingBox | undefined;
  /** A circle with all places that pass. Undefined without a radius or with too wide a box. */
  readonly searchCircle: Circle | undefined;
  /** How many filters are given. With none, most searches do not call `accepts`. */
  readonly count: number;
  /** Whether at most types and countries are given: such filters are fast, and `PlaceCounts` counts them. */
  readonly isByTypeAndCountry: boolean;
}

/** Places must be in one of these regions. */
interface RegionSet {
  readonly regions: ReadonlySet<number>;
  /** LEVEL_BITS of the regions. */
  readonly levels: number;
}

/** Immutable. A search has one for its query, and more for the interpretations that name regions or cities. */
export class PlaceFilter {
  readonly query: QueryFilter;
  /** Whether any place may be rejected. */
  readonly isActive: boolean;
  private readonly index: Index;
  private readonly regionSets: readonly RegionSet[];
  private readonly cities: readonly City[];

  constructor(index: Index, query: QueryFilter, { regionGroups, cities }: Areas = NO_AREAS) {
    this.index = index;
    this.query = query;
    this.regionSets = regionGroups.map(({ regions }) => createRegionSet(index, regions));
    this.cities = cities;
    this.isActive = query.count > 0 || regionGroups.length > 0 || cities.length > 0;
  }

  /** The filter for places that are also in a region of each group and, if there are cities, in one of those. */
  within(areas: Areas): PlaceFilter {
    if (areas.regionGroups.length === 0 && areas.cities.length === 0) return this;
    return new PlaceFilter(this.index, this.query, areas);
  }

  accepts(place: number): boolean {
    const { radiusMeters } = this.query;
    return this.acceptsIgnoringRadius(place) && (radiusMeters === undefined || this.metersTo(place) <= radiusMeters);
  }

  /** Number of places that `accepts` tests in one unit of work (work-budget.ts). */
  get placesPerWorkUnit(): number {
    const { count, isByTypeAndCountry } = this.query;
    if (!isByTypeAndCountry || this.cities.length > 0) return 1;
    return count > 0 ? 2 : 4;
  }

  /** Does what `accepts` does, for a place in `searchCircle`. Mostly it saves the distance. */
  acceptsInCircle(place: number): boolean {
    const { searchCircle, radiusMeters } = this.query;
    return searchCircle?.radiusMeters === radiusMeters ? this.acceptsIgnoringRadius(place) : this.accepts(place);
  }

  private acceptsIgnoringRadius(place: number): boolean {
    const { index } = this;
    const { typeMask, countryIds, isCountryAccepted } = this.query;
    if (typeMask !== 0 && (typeMask & (1 << index.placeType[place]!)) === 0) return false;
    if (countryIds !== undefined && isCountryAccepted[index.placeCountry[place]!] === 0) return false;
    if (!this.isInRegions(place)) return false;
    if (!this.isInBox(place)) return false; // after the regions, which take less time and which few places are in
    return this.cities.length === 0 || this.isInAnyCity(place);
  }

  /** Whether the place is in a region of each group. */
  isInRegions(place: number): boolean {
    const { index, regionSets } = this;
    for (let i = 0; i < regionSets.length; i++) {
      const { regions, levels } = regionSets[i]!;
      const isInside =
        ((levels & LEVEL_BITS.country) !== 0 && regions.has(index.placeCountry[place]!)) ||
        ((levels & LEVEL_BITS.admin1) !== 0 && regions.has(index.placeAdmin1[place]!)) ||
        ((levels & LEVEL_BITS.admin2) !== 0 && regions.has(index.placeAdmin2[place]!));
      if (!isInside) return false;
    }
    return true;
  }

  /** A method of its own, because a closure slows down the method that creates it. */
  private isInAnyCity(place: number): boolean {
    // less important places have higher ids
    return this.cities.some((city) => place > city.place && this.isInside(place, city));
  }

  /** Whether the place is in the query's box; true if the query has none. */
  isInBox(place: number): boolean {
    const { index } = this;
    const { box } = this.query;
    return box === undefined || isInBox(box, index.placeLatE7[place]! / 1e7, index.placeLngE7[place]! / 1e7);
  }

  private isInside(place: number, { lat, lng, radiusMeters }: Circle): boolean {
    const placeLat = this.index.placeLatE7[place]! / 1e7;
    // the latitude alone rules out most places, without trigonometry
    if (Math.abs(placeLat - lat) * METERS_PER_DEGREE > radiusMeters + ROUNDING_METERS) return false;
    return distanceMeters(lat, lng, placeLat, this.index.placeLngE7[place]! / 1e7) <= radiusMeters;
  }

  /** Distance from the query's point; 0 without one, so that a radius alone rejects nothing. */
  private metersTo(place: number): number {
    const { index } = this;
    const { around } = this.query;
    if (around === undefined) return 0;
    return distanceMeters(around.lat, around.lng, index.placeLatE7[place]! / 1e7, index.placeLngE7[place]! / 1e7);
  }
}

export function createFilter(
  index: Index,
  { types = [], countries = [], around, radiusMeters, box }: FilterOptions,
): PlaceFilter {
  const codes = index.metadata.countries;
  const ids = countries.map((code) => codes.indexOf(code) + 1).filter((id) => id !== 0);
  const isCountryAccepted = new Uint8Array(codes.length + 1);
  for (const id of ids) isCountryAccepted[id] = 1;
  const isGiven: Readonly<Record<keyof Filters, boolean>> = {
    types: types.length > 0,
    countries: countries.length > 0,
    radiusMeters: radiusMeters !== undefined,
    box: box !== undefined,
  };
  const count = Object.values(isGiven).filter(Boolean).length;
  return new PlaceFilter(index, {
    typeMask: types.reduce((mask, type) => mask | (1 << PLACE_TYPES.indexOf(type)), 0),
    countryIds: countries.length > 0 ? ids : undefined,
    isCountryAccepted,
    around,
    radiusMeters,
    box,
    searchCircle: smallestCircle(around, radiusMeters, box),
    count,
    isByTypeAndCountry: count === Number(isGiven.types) + Number(isGiven.countries),
  });
}

function createRegionSet({ regionLevel }: Index, regions: Uint32Array): RegionSet {
  return { regions: new Set(regions), levels: regions.reduce((bits, region) => bits | (1 << regionLevel[region]!), 0) };
}

/** The query's circle or the one around its box, whichever is smaller. */
function smallestCircle(
  around: LatLng | undefined,
  radiusMeters: number | undefined,
  box: BoundingBox | undefined,
): Circle | undefined {
  const aroundBox = box && circleAround(box);
  const maxMeters = around === undefined ? undefined : radiusMeters;
  if (aroundBox !== undefined && aroundBox.radiusMeters < (maxMeters ?? MAX_BOX_RADIUS_METERS)) return aroundBox;
  return around && radiusMeters !== undefined ? { ...around, radiusMeters } : undefined;
}

/** Stands for all countries. Ids of countries start at 1. */
const ALL_COUNTRIES = 0;

/** The number of places by type and country. */
export class PlaceCounts {
  private readonly index: Index;
  /** By country id, then by type. Counted when first needed. */
  private counts: Uint32Array | undefined;

  constructor(index: Index) {
    this.index = index;
  }

  /** Number of places that pass a filter that `isByTypeAndCountry`. */
  passing({ query: { typeMask, countryIds = [ALL_COUNTRIES] } }: PlaceFilter): number {
    this.counts ??= this.countPlaces();
    let count = 0;
    for (const country of countryIds) {
      for (let type = 0; type < PLACE_TYPES.length; type++) {
        const isAccepted = typeMask === 0 || (typeMask & (1 << type)) !== 0;
        if (isAccepted) count += this.counts[country * PLACE_TYPES.length + type]!;
      }
    }
    return count;
  }

  private countPlaces(): Uint32Array {
    const { placeType, placeCountry, metadata } = this.index;
    const counts = new Uint32Array((metadata.countries.length + 1) * PLACE_TYPES.length);
    for (let place = 0; place < placeType.length; place++) {
      const type = placeType[place]!;
      const country = placeCountry[place]!;
      counts[ALL_COUNTRIES + type]!++;
      if (country !== 0) counts[country * PLACE_TYPES.length + type]!++;
    }
    return counts;
  }
}
