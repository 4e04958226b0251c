/**
 * The place model: importers create places, the builder indexes them.
 * Coordinates are decimal degrees, WGS 84.
 */

/** The record types of the API, in the order of their numeric codes in the index file. */
export const PLACE_TYPES = ['city', 'town', 'village', 'hamlet', 'locality', 'suburban area'] as const;
export type PlaceType = (typeof PLACE_TYPES)[number];

/** Kinds of names, which affect the rank; in the order of their codes in the index file. */
export const NAME_KINDS = ['main', 'alternate', 'romanized', 'code', 'historic'] as const;
export type NameKind = (typeof NAME_KINDS)[number];

export interface PlaceName {
  readonly value: string;
  readonly kind: NameKind;
  /** BCP 47 tag, if the source has one. */
  readonly language?: string;
}

export interface Place {
  /** One letter for the source, then digits: G GeoNames, N/W/R OpenStreetMap, F Who's On First. */
  readonly id: string;
  readonly type: PlaceType;
  /** Never empty; the main name comes first. */
  readonly names: readonly PlaceName[];
  readonly lat: number;
  readonly lng: number;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string;
  /** `key` of its `Region` of level 1, and of level 2 (for GeoNames: `US.TX`, `US.TX.113`). */
  readonly admin1?: string;
  readonly admin2?: string;
  readonly population?: number;
  readonly timezone?: string;
  /**
   * 5 for a national capital; 4, 3 or 2 for the seat of a division of the first, second or third
   * level; 1 for the seat of a lower division; 0 for others.
   */
  readonly adminRank: number;
  /** 0..1, if set by hand; otherwise the builder computes it. */
  readonly importance?: number;
  /** Ids in other data: `wd:Q90` Wikidata, `gn:2988507` GeoNames, `wof:101` Who's On First. */
  readonly externalIds?: readonly string[];
}

/** A first- or second-level division of a country. */
export interface Region {
  readonly key: string;
  readonly level: 1 | 2;
  readonly country: string;
  readonly name: string;
  /** Alternate names, codes and abbreviations that people type. */
  readonly aliases: readonly string[];
}
