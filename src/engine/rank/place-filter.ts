/**
 * Decides which places may be hits: by type, country, distance, and the region words of the query.
 * One instance per engine, set for each query.
 */
import type { Index } from '../../index-file/layout.ts';
import { PLACE_TYPES } from '../../place/place.ts';
import { distanceMeters, type LatLng } from '../../place/sphere.ts';
import type { SearchQuery } from '../engine.ts';

type FilterOptions = Pick<SearchQuery, 'types' | 'countries' | 'around' | 'radiusMeters'>;

/** Bits of the region levels: 1 << `regionLevel`. */
const LEVEL_BITS = { country: 1, admin1: 2, admin2: 4 } as const;

export class PlaceFilter {
  private readonly index: Index;
  /** A bit for each type that is accepted; 0 accepts all. */
  private typeMask = 0;
  /** By the region id of a country: 1 if the country is accepted. */
  private readonly isCountryAccepted: Uint8Array;
  private hasCountries = false;
  private around: LatLng | undefined;
  private radiusMeters: number | undefined;
  /** For each region, the bits of the requirements that it meets: see `requireRegions`. */
  private readonly regionBits: Uint8Array;
  /** The regions with bits in `regionBits`. */
  private markedRegions: number[] = [];
  private requiredBits = 0;
  /** LEVEL_BITS of the marked regions: mostly one bit, so the other levels need no lookup. */
  private markedLevels = 0;
  /** Whether the query has filters or region words; if not, only hidden places are rejected. */
  isActive = false;
  private readonly isHidden: Uint8Array | undefined;

  /** `isHidden`, by place: 1 if an overlay hides the place. */
  constructor(index: Index, isHidden: Uint8Array | undefined) {
    this.index = index;
    this.isHidden = isHidden;
    this.isCountryAccepted = new Uint8Array(index.metadata.countries.length + 1);
    this.regionBits = new Uint8Array(index.regionText.length);
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
    this.clearRegions();
  }

  /** Adds requirement number `bit` (0..7): places must be in one of these regions. */
  requireRegions(bit: number, regions: Uint32Array): void {
    this.requiredBits |= 1 << bit;
    for (const region of regions) {
      this.regionBits[region]! |= 1 << bit;
      this.markedRegions.push(region);
      this.markedLevels |= 1 << this.index.regionLevel[region]!;
    }
    this.isActive = true;
  }

  /** Removes the requirements of `requireRegions`. */
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
    if (this.hasCountries && this.isCountryAccepted[index.placeCountry[place]!] === 0) return false;
    return this.requiredBits === 0 || (this.regionBitsOf(place) & this.requiredBits) === this.requiredBits;
  }

  private regionBitsOf(place: number): number {
    const { index, regionBits, markedLevels } = this;
    let bits = 0;
    if ((markedLevels & LEVEL_BITS.country) !== 0) bits |= regionBits[index.placeCountry[place]!]!;
    if ((markedLevels & LEVEL_BITS.admin1) !== 0) bits |= regionBits[index.placeAdmin1[place]!]!;
    if ((markedLevels & LEVEL_BITS.admin2) !== 0) bits |= regionBits[index.placeAdmin2[place]!]!;
    return bits;
  }

  get acceptsAll(): boolean {
    return !this.isActive && this.isHidden === undefined;
  }

  /** Number of filters in the query: `filters` in its ranking info. */
  get count(): number {
    return Number(this.typeMask !== 0) + Number(this.hasCountries) + Number(this.radiusMeters !== undefined);
  }

  /** Distance from the query's point; 0 without one, so that a radius alone has no effect. */
  private metersTo(place: number): number {
    const { around, index } = this;
    if (around === undefined) return 0;
    return distanceMeters(around.lat, around.lng, index.placeLatE7[place]! / 1e7, index.placeLngE7[place]! / 1e7);
  }
}
