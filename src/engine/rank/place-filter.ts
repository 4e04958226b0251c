/**
 * Decides which places may be hits: by type, country, distance, and the region words of the query.
 * One instance per engine, set for each query.
 */
import type { Index } from '../../index-file/layout.ts';
import { PLACE_TYPES, type PlaceType } from '../../place/place.ts';
import { distanceMeters, type LatLng } from '../../place/sphere.ts';

export interface FilterOptions {
  readonly types?: readonly PlaceType[] | undefined;
  readonly countries?: readonly string[] | undefined;
  readonly around?: LatLng | undefined;
  readonly radiusMeters?: number | undefined;
}

/** Bits of the region levels. */
const LEVEL = { country: 1, first: 2, second: 4 } as const;

export class PlaceFilter {
  private readonly index: Index;
  private typeMask = 0;
  private readonly countryAllowed: Uint8Array;
  private hasCountries = false;
  private around: LatLng | undefined;
  private radiusMeters: number | undefined;
  /** For each region, a bit for each group of region words that names it. */
  private readonly regionBits: Uint8Array;
  /** Regions that have bits in `regionBits`. */
  private markedRegions: number[] = [];
  private requiredBits = 0;
  /** Bits of the levels of the marked regions: mostly one, so the other levels need no lookup. */
  private markedLevels = 0;
  /** Whether the query has filters or region words. */
  isActive = false;
  private readonly isHidden: Uint8Array | undefined;

  /** `isHidden`: 1 for each place that an overlay replaces. */
  constructor(index: Index, isHidden: Uint8Array | undefined) {
    this.index = index;
    this.isHidden = isHidden;
    this.countryAllowed = new Uint8Array(index.metadata.countries.length + 1);
    this.regionBits = new Uint8Array(index.regionText.length);
  }

  set({ types, countries, around, radiusMeters }: FilterOptions): void {
    this.typeMask = 0;
    for (const type of types ?? []) this.typeMask |= 1 << PLACE_TYPES.indexOf(type);
    if (this.hasCountries) this.countryAllowed.fill(0);
    this.hasCountries = countries !== undefined && countries.length > 0;
    for (const code of countries ?? []) {
      const id = this.index.metadata.countries.indexOf(code) + 1;
      if (id > 0) this.countryAllowed[id] = 1;
    }
    this.around = around;
    this.radiusMeters = radiusMeters;
    this.clearRegions();
  }

  /** Adds requirement number `bit`: a place must be in one of these regions. All must be met. */
  requireRegions(bit: number, regions: Uint32Array): void {
    this.requiredBits |= 1 << bit;
    for (const region of regions) {
      this.regionBits[region]! |= 1 << bit;
      this.markedRegions.push(region);
      this.markedLevels |= 1 << this.index.regionLevel[region]!;
    }
    this.isActive = true;
  }

  clearRegions(): void {
    if (this.requiredBits !== 0) {
      for (const region of this.markedRegions) this.regionBits[region] = 0;
      this.markedRegions = []; // setting the length to 0 would be a slower call into the runtime
    }
    this.requiredBits = 0;
    this.markedLevels = 0;
    this.isActive = this.typeMask !== 0 || this.hasCountries || this.radiusMeters !== undefined;
  }

  accepts(place: number): boolean {
    return (
      this.acceptsIgnoringRadius(place) &&
      (this.radiusMeters === undefined || this.metersTo(place) <= this.radiusMeters)
    );
  }

  /** Whether a place passes all filters except the radius. */
  acceptsIgnoringRadius(place: number): boolean {
    const { index } = this;
    if (this.isHidden?.[place] === 1) return false;
    if (this.typeMask !== 0 && (this.typeMask & (1 << index.placeType[place]!)) === 0) return false;
    if (this.hasCountries && this.countryAllowed[index.placeCountry[place]!] === 0) return false;
    return this.requiredBits === 0 || (this.regionBitsOf(place) & this.requiredBits) === this.requiredBits;
  }

  private regionBitsOf(place: number): number {
    const { index, regionBits, markedLevels } = this;
    let bits = 0;
    if ((markedLevels & LEVEL.country) !== 0) bits |= regionBits[index.placeCountry[place]!]!;
    if ((markedLevels & LEVEL.first) !== 0) bits |= regionBits[index.placeAdmin1[place]!]!;
    if ((markedLevels & LEVEL.second) !== 0) bits |= regionBits[index.placeAdmin2[place]!]!;
    return bits;
  }

  get acceptsAll(): boolean {
    return !this.isActive && this.isHidden === undefined;
  }

  /** Number of filters in the query: Algolia's `filters`. */
  get count(): number {
    return Number(this.typeMask !== 0) + Number(this.hasCountries) + Number(this.radiusMeters !== undefined);
  }

  private metersTo(place: number): number {
    const { around, index } = this;
    if (around === undefined) return 0;
    return distanceMeters(around.lat, around.lng, index.placeLatE7[place]! / 1e7, index.placeLngE7[place]! / 1e7);
  }
}
