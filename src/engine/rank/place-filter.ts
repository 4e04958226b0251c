/** Decides which places may be hits, by the query's filters and by required regions and cities. */
import type { Index } from '../../index-file/layout.ts';
import { type BoundingBox, circleAround, isInBox } from '../../place/bounding-box.ts';
import { PLACE_TYPES } from '../../place/place.ts';
import { type Circle, distanceMeters, type LatLng, METERS_PER_DEGREE } from '../../place/sphere.ts';
import type { SearchQuery } from '../engine.ts';

type FilterOptions = Pick<SearchQuery, 'types' | 'countries' | 'around' | 'radiusMeters' | 'box'>;

/** If the circle around a box is larger, reading all places is faster than searching the circle. */
const MAX_BOX_RADIUS_METERS = 5_000_000;
/** Stands for all countries in `counts`. Ids of countries start at 1. */
const ALL_COUNTRIES = 0;
/** A bit for each level of regions: 1 << `index.regionLevel`. */
const LEVEL_BITS = { country: 1, admin1: 2, admin2: 4 } as const;
/** More than the rounding error of a distance. */
const ROUNDING_METERS = 1;

export class PlaceFilter {
  private readonly index: Index;
  /** A bit for each type that is accepted; 0 accepts all. */
  private typeMask = 0;
  private readonly idByCountry: ReadonlyMap<string, number>;
  /** By country id, from 1. */
  private readonly isCountryAccepted: Uint8Array;
  private hasCountries = false;
  /** Ids of the accepted countries that the index has. */
  countryIds: number[] = [];
  private around: LatLng | undefined;
  private radiusMeters: number | undefined;
  private box: BoundingBox | undefined;
  /** A circle with all places that pass. Undefined without a radius or with too wide a box. */
  searchCircle: Circle | undefined;
  /** By region: a bit for each group of `requireRegions` that contains the region. */
  private readonly requirementsMet: Uint8Array;
  private requiredRegions: number[] = [];
  /** A bit for each group of `requireRegions`. */
  private requirements = 0;
  /** LEVEL_BITS of `requiredRegions`. */
  private requiredLevels = 0;
  /** Whether there are filters or requirements. */
  isActive = false;
  private circles: readonly Circle[] = [];
  /** By country id, then by type: the number of places. Counted when first needed. */
  private counts: Uint32Array | undefined;

  constructor(index: Index) {
    this.index = index;
    this.idByCountry = new Map(index.metadata.countries.map((code, i) => [code, i + 1]));
    this.isCountryAccepted = new Uint8Array(index.metadata.countries.length + 1);
    this.requirementsMet = new Uint8Array(index.regionText.length);
  }

  set({ types, countries, around, radiusMeters, box }: FilterOptions): void {
    this.typeMask = 0;
    for (const type of types ?? []) this.typeMask |= 1 << PLACE_TYPES.indexOf(type);
    for (const id of this.countryIds) this.isCountryAccepted[id] = 0;
    this.hasCountries = countries !== undefined && countries.length > 0;
    this.countryIds = [];
    for (const code of countries ?? []) {
      const id = this.idByCountry.get(code);
      if (id === undefined) continue;
      this.isCountryAccepted[id] = 1;
      this.countryIds.push(id);
    }
    this.around = around;
    this.radiusMeters = radiusMeters;
    this.box = box;
    this.searchCircle = smallestCircle(around, radiusMeters, box);
    this.clearRequirements();
  }

  /** Requires that places are in a region of each group. Each group takes a bit, so at most 8. */
  requireRegions(groups: readonly { readonly regions: Uint32Array }[]): void {
    for (let i = 0; i < groups.length; i++) {
      const bit = 1 << i;
      this.requirements |= bit;
      for (const region of groups[i]!.regions) {
        this.requirementsMet[region]! |= bit;
        this.requiredRegions.push(region);
        this.requiredLevels |= 1 << this.index.regionLevel[region]!;
      }
      this.isActive = true;
    }
  }

  /** Requires that places are in one of these circles. */
  requireCircles(circles: readonly Circle[]): void {
    this.circles = circles;
    if (circles.length > 0) this.isActive = true;
  }

  clearRequirements(): void {
    this.circles = [];
    if (this.requirements !== 0) {
      for (const region of this.requiredRegions) this.requirementsMet[region] = 0;
      this.requiredRegions = []; // faster than setting the length to 0
    }
    this.requirements = 0;
    this.requiredLevels = 0;
    this.isActive = this.queryFilterCount > 0;
  }

  accepts(place: number): boolean {
    return (
      this.acceptsIgnoringRadius(place) &&
      (this.radiusMeters === undefined || this.metersTo(place) <= this.radiusMeters)
    );
  }

  /** Number of places that `accepts` tests in one unit of work (work-budget.ts). */
  get placesPerWorkUnit(): number {
    if (this.box !== undefined || this.radiusMeters !== undefined || this.circles.length > 0) return 1;
    return this.typeMask !== 0 || this.hasCountries ? 2 : 4;
  }

  /** Does what `accepts` does, for a place in `searchCircle`. Mostly it saves the distance. */
  acceptsInCircle(place: number): boolean {
    return this.searchCircle?.radiusMeters === this.radiusMeters
      ? this.acceptsIgnoringRadius(place)
      : this.accepts(place);
  }

  private acceptsIgnoringRadius(place: number): boolean {
    const { index } = this;
    if (this.typeMask !== 0 && (this.typeMask & (1 << index.placeType[place]!)) === 0) return false;
    if (this.hasCountries && this.isCountryAccepted[index.placeCountry[place]!] === 0) return false;
    if (this.requirements !== 0 && (this.requirementsMetBy(place) & this.requirements) !== this.requirements)
      return false;
    if (!this.isInBox(place)) return false; // after the requirements, which take less time and which few places meet
    return this.circles.length === 0 || this.isInAnyCircle(place);
  }

  /** A method of its own, because a closure slows down the method that creates it. */
  private isInAnyCircle(place: number): boolean {
    return this.circles.some((circle) => this.isInside(place, circle));
  }

  /** Whether the place is in the query's box; true if the query has none. */
  isInBox(place: number): boolean {
    const { box, index } = this;
    return box === undefined || isInBox(box, index.placeLatE7[place]! / 1e7, index.placeLngE7[place]! / 1e7);
  }

  private isInside(place: number, { lat, lng, radiusMeters }: Circle): boolean {
    const placeLat = this.index.placeLatE7[place]! / 1e7;
    // the latitude alone rules out most places, without trigonometry
    if (Math.abs(placeLat - lat) * METERS_PER_DEGREE > radiusMeters + ROUNDING_METERS) return false;
    return distanceMeters(lat, lng, placeLat, this.index.placeLngE7[place]! / 1e7) <= radiusMeters;
  }

  private requirementsMetBy(place: number): number {
    const { index, requirementsMet, requiredLevels } = this;
    let bits = 0;
    if ((requiredLevels & LEVEL_BITS.country) !== 0) bits |= requirementsMet[index.placeCountry[place]!]!;
    if ((requiredLevels & LEVEL_BITS.admin1) !== 0) bits |= requirementsMet[index.placeAdmin1[place]!]!;
    if ((requiredLevels & LEVEL_BITS.admin2) !== 0) bits |= requirementsMet[index.placeAdmin2[place]!]!;
    return bits;
  }

  get acceptsAll(): boolean {
    return !this.isActive;
  }

  /** Number of places that pass the filters by type and country, which must be the only filters. */
  count(): number {
    this.counts ??= this.countPlaces();
    let count = 0;
    for (const country of this.hasCountries ? this.countryIds : [ALL_COUNTRIES]) {
      for (let type = 0; type < PLACE_TYPES.length; type++) {
        const isAccepted = this.typeMask === 0 || (this.typeMask & (1 << type)) !== 0;
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

  get queryFilterCount(): number {
    return (
      Number(this.typeMask !== 0) +
      Number(this.hasCountries) +
      Number(this.radiusMeters !== undefined) +
      Number(this.box !== undefined)
    );
  }

  /** Distance from the query's point; 0 without one, so that a radius alone rejects nothing. */
  private metersTo(place: number): number {
    const { around, index } = this;
    if (around === undefined) return 0;
    return distanceMeters(around.lat, around.lng, index.placeLatE7[place]! / 1e7, index.placeLngE7[place]! / 1e7);
  }
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
