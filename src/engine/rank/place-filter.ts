/**
 * Which places may be hits: by type, by country, by distance, and by the region words of the query.
 * One instance per engine, set up for each query; asked only about candidates good enough to be hits.
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

/** Bits of the levels of regions. */
const LEVEL = { country: 1, first: 2, second: 4 } as const;

export class PlaceFilter {
  private readonly index: Index;
  private typeMask = 0;
  private readonly countryAllowed: Uint8Array;
  private hasCountries = false;
  private around: LatLng | undefined;
  private radiusMeters: number | undefined;
  /** For each region, bits of the region words of the query that mean it. */
  private readonly regionBits: Uint8Array;
  private marked: number[] = [];
  private wantedBits = 0;
  /** Bits of the levels that the marked regions are of: mostly one, and the others need not be looked at. */
  private markedLevels = 0;
  isActive = false;
  private readonly isHidden: Uint8Array | undefined;

  /** `isHidden`: 1 for each place that an overlay replaces. */
  constructor(index: Index, isHidden: Uint8Array | undefined) {
    this.index = index;
    this.isHidden = isHidden;
    this.countryAllowed = new Uint8Array(index.head.countries.length + 1);
    this.regionBits = new Uint8Array(index.regionText.length);
  }

  set({ types, countries, around, radiusMeters }: FilterOptions): void {
    this.typeMask = 0;
    for (const type of types ?? []) this.typeMask |= 1 << PLACE_TYPES.indexOf(type);
    if (this.hasCountries) this.countryAllowed.fill(0);
    this.hasCountries = countries !== undefined && countries.length > 0;
    for (const code of countries ?? []) {
      const id = this.index.head.countries.indexOf(code) + 1;
      if (id > 0) this.countryAllowed[id] = 1;
    }
    this.around = around;
    this.radiusMeters = radiusMeters;
    this.clearRegions();
  }

  /** Word `bit` of the query means any of these regions. */
  wantRegions(bit: number, regions: Uint32Array): void {
    this.wantedBits |= 1 << bit;
    for (const region of regions) {
      this.regionBits[region]! |= 1 << bit;
      this.marked.push(region);
      this.markedLevels |= 1 << this.index.regionLevel[region]!;
    }
    this.isActive = true;
  }

  clearRegions(): void {
    if (this.wantedBits !== 0) {
      for (const region of this.marked) this.regionBits[region] = 0;
      this.marked = []; // setting its length to 0 would be a call into the runtime
    }
    this.wantedBits = 0;
    this.markedLevels = 0;
    this.isActive = this.typeMask !== 0 || this.hasCountries || this.radiusMeters !== undefined;
  }

  accepts(place: number): boolean {
    return (
      this.acceptsAnywhere(place) && (this.radiusMeters === undefined || this.metersTo(place) <= this.radiusMeters)
    );
  }

  /** Whether a place passes all filters but the radius. */
  acceptsAnywhere(place: number): boolean {
    const { index } = this;
    if (this.isHidden?.[place] === 1) return false;
    if (this.typeMask !== 0 && (this.typeMask & (1 << index.placeType[place]!)) === 0) return false;
    if (this.hasCountries && this.countryAllowed[index.placeCountry[place]!] === 0) return false;
    return this.wantedBits === 0 || (this.bitsOf(place) & this.wantedBits) === this.wantedBits;
  }

  /** Bits of the region words that mean a region of the place. */
  private bitsOf(place: number): number {
    const { index, regionBits, markedLevels } = this;
    let bits = 0;
    if ((markedLevels & LEVEL.country) !== 0) bits |= regionBits[index.placeCountry[place]!]!;
    if ((markedLevels & LEVEL.first) !== 0) bits |= regionBits[index.placeAdmin1[place]!]!;
    if ((markedLevels & LEVEL.second) !== 0) bits |= regionBits[index.placeAdmin2[place]!]!;
    return bits;
  }

  /** Whether every place passes. */
  get isOpen(): boolean {
    return !this.isActive && this.isHidden === undefined;
  }

  /** How many first-class filters of the request a hit passed: Algolia's `filters`. */
  get count(): number {
    return Number(this.typeMask !== 0) + Number(this.hasCountries) + Number(this.radiusMeters !== undefined);
  }

  private metersTo(place: number): number {
    const { around, index } = this;
    if (around === undefined) return 0;
    return distanceMeters(around.lat, around.lng, index.placeLatE7[place]! / 1e7, index.placeLngE7[place]! / 1e7);
  }
}
