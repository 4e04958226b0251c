/**
 * The main (most important) places of each region. The first query that names a region and no place
 * collects them in one pass over all places.
 */
import type { Index } from '../../index-file/layout.ts';

/** Maximum per region: a page shows no more. */
const MAX_PLACES = 20;

export class RegionPlaces {
  private readonly index: Index;
  /** Number of main places by region. Undefined until they are collected. */
  private counts: Uint8Array | undefined;
  /** The main places of region r start at index r * MAX_PLACES. */
  private places = new Uint32Array(0);

  constructor(index: Index) {
    this.index = index;
  }

  /** The main places of these regions together, the most important first. */
  of(regions: Uint32Array): Uint32Array {
    this.counts ??= this.collect();
    const { counts } = this;
    const listOf = (region: number) => this.places.subarray(region * MAX_PLACES, region * MAX_PLACES + counts[region]!);
    if (regions.length === 1) return listOf(regions[0]!);
    const merged = new Set<number>();
    for (const region of regions) for (const place of listOf(region)) merged.add(place);
    return Uint32Array.from(merged).sort().subarray(0, MAX_PLACES);
  }

  /** Fills `places` and returns `counts`. */
  private collect(): Uint8Array {
    const { metadata, regionText } = this.index;
    const counts = new Uint8Array(regionText.length);
    this.places = new Uint32Array(regionText.length * MAX_PLACES);
    for (let place = 0; place < metadata.places; place++) {
      for (const region of this.regionsOf(place)) {
        if (region === 0 || counts[region] === MAX_PLACES) continue; // 0 means no region
        this.places[region * MAX_PLACES + counts[region]!++] = place;
      }
    }
    return counts;
  }

  private regionsOf(place: number): number[] {
    const { placeCountry, placeAdmin1, placeAdmin2 } = this.index;
    return [placeCountry[place]!, placeAdmin1[place]!, placeAdmin2[place]!];
  }
}
