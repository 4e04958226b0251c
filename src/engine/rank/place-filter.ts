/** Decides which places may be hits, by the query's filters and by required regions and cities. */
import type { Index } from '../../index-file/layout.ts';
import { PLACE_TYPES } from '../../place/place.ts';
import { distanceMeters, type LatLng, METERS_PER_DEGREE } from '../../place/sphere.ts';
import type { SearchQuery } from '../engine.ts';
import type { Circle } from '../query/city-lookup.ts';

type FilterOptions = Pick<SearchQuery, 'types' | 'countries' | 'around' | 'radiusMeters'>;

/** A bit for each level of regions: 1 << `index.regionLevel`. */
const LEVEL_BITS = { country: 1, admin1: 2, admin2: 4 } as const;
/** More than the rounding error of a distance. */
const ROUNDING_METERS = 1;

export class PlaceFilter {
  private readonly index: Index;
  /** A bit for each type that is accepted; 0 accepts all. */
  private typeMask = 0;
  /** By country id, from 1. */
  private readonly isCountryAccepted: Uint8Array;
  private hasCountries = false;
  private around: LatLng | undefined;
  private radiusMeters: number | undefined;
  /** By region: a bit for each group of `requireRegions` that contains the region. */
  private readonly requirementsMet: Uint8Array;
  private requiredRegions: number[] = [];
  /** A bit for each group of `requireRegions`. */
  private requirements = 0;
  /** LEVEL_BITS of `requiredRegions`. */
  private requiredLevels = 0;
  /** Whether there are filters or requirements. If not, only hidden places are rejected. */
  isActive = false;
  private circles: readonly Circle[] = [];
  private readonly isHidden: Uint8Array | undefined;
  /** By type: the number of places that are not hidden. Counted when first needed. */
  private typeCounts: Uint32Array | undefined;

  /** `isHidden`, by place: 1 if an overlay replaces or removes the place. */
  constructor(index: Index, isHidden: Uint8Array | undefined) {
    this.index = index;
    this.isHidden = isHidden;
    this.isCountryAccepted = new Uint8Array(index.metadata.countries.length + 1);
    this.requirementsMet = new Uint8Array(index.regionText.length);
  }

  set({ types, countries, around, radiusMeters }: FilterOptions): void {
    this.typeMask = 0;
    for (const type of types ?? []) this.typeMask |= 1 << PLACE_TYPES.indexOf(type);
    if (this.hasCountries) this.isCountryAccepted.fill(0);
    this.hasCountries = countries !== undefined && countries.length > 0;
    for (const code of countries ?? []) {
      const id = this.index.metadata.countries.indexOf(code) + 1;
      if (id > 0) this.isCountryAccepted[id] = 1;
    }
    this.around = around;
    this.radiusMeters = radiusMeters;
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
    this.isActive = this.typeMask !== 0 || this.hasCountries || this.radiusMeters !== undefined;
  }

  accepts(place: number): boolean {
    return (
      this.acceptsIgnoringRadius(place) &&
      (this.radiusMeters === undefined || this.metersTo(place) <= this.radiusMeters)
    );
  }

  acceptsIgnoringRadius(place: number): boolean {
    const { index } = this;
    if (this.isHidden?.[place] === 1) return false;
    if (this.typeMask !== 0 && (this.typeMask & (1 << index.placeType[place]!)) === 0) return false;
    if (this.hasCountries && this.isCountryAccepted[index.placeCountry[place]!] === 0) return false;
    if (this.requirements !== 0 && (this.requirementsMetBy(place) & this.requirements) !== this.requirements)
      return false;
    return this.circles.length === 0 || this.isInAnyCircle(place);
  }

  /** A method of its own, because a closure slows down the method that creates it. */
  private isInAnyCircle(place: number): boolean {
    return this.circles.some((circle) => this.isInside(place, circle));
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
    return !this.isActive && this.isHidden === undefined;
  }

  /** Number of places that pass the filter by type, which must be the only filter. */
  countByType(): number {
    this.typeCounts ??= this.countTypes();
    const accepted = this.typeCounts.filter((_, type) => this.typeMask === 0 || (this.typeMask & (1 << type)) !== 0);
    return accepted.reduce((sum, count) => sum + count, 0);
  }

  private countTypes(): Uint32Array {
    const { placeType } = this.index;
    const counts = new Uint32Array(PLACE_TYPES.length);
    for (let place = 0; place < placeType.length; place++) {
      if (this.isHidden?.[place] !== 1) counts[placeType[place]!]!++;
    }
    return counts;
  }

  get queryFilterCount(): number {
    return Number(this.typeMask !== 0) + Number(this.hasCountries) + Number(this.radiusMeters !== undefined);
  }

  /** Distance from the query's point; 0 without one, so that a radius alone rejects nothing. */
  private metersTo(place: number): number {
    const { around, index } = this;
    if (around === undefined) return 0;
    return distanceMeters(around.lat, around.lng, index.placeLatE7[place]! / 1e7, index.placeLngE7[place]! / 1e7);
  }
}
