/**
 * The place model: importers create places, the builder indexes them.
 * Coordinates are decimal degrees, WGS 84.
 */

/** Types of places in the API, in the order of their numbers in the index file. */
export const PLACE_TYPES = ['city', 'town', 'village', 'hamlet', 'locality', 'suburban area'] as const;
export type PlaceType = (typeof PLACE_TYPES)[number];

/**
 * Kinds of names, in the order of their numbers in the index file. The order has no other meaning.
 * `romanized`: transcribed into Latin letters. `code`: an airport code or abbreviation ("NYC").
 */
export const NAME_KINDS = ['main', 'alternate', 'romanized', 'code', 'historic'] as const;
export type NameKind = (typeof NAME_KINDS)[number];

export interface PlaceName {
  readonly value: string;
  readonly kind: NameKind;
  /** BCP 47 tag, if the source states the language or the importer could tell it. */
  readonly language?: string;
}

export interface Place {
  /**
   * One capital letter for the source, then digits. G is GeoNames, N/W/R OpenStreetMap, F Who's On
   * First; users choose other letters for their own places.
   */
  readonly id: string;
  readonly type: PlaceType;
  /** Never empty; the main name comes first. */
  readonly names: readonly PlaceName[];
  readonly lat: number;
  readonly lng: number;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string;
  /** `key` of its `Region` of level 1, such as `US.TX`. */
  readonly admin1?: string;
  /** `key` of its `Region` of level 2, such as `US.TX.113`. */
  readonly admin2?: string;
  readonly population?: number;
  readonly timezone?: string;
  /**
   * 5 for a national capital; 4, 3 or 2 for the seat of a division of the first, second or third
   * level; 1 for the seat of a lower division; 0 for others.
   */
  readonly adminRank: number;
  /** 0..1, stated only by overlays (sources/overlay/); otherwise the builder computes it. */
  readonly importance?: number;
  /** Ids in other data: `wd:Q90` Wikidata, `gn:2988507` GeoNames, `wof:101` Who's On First. */
  readonly externalIds?: readonly string[];
}

/** A first- or second-level division of a country. In the engine, countries are regions too. */
export interface Region {
  /** Distinct from all other keys. Starts with the country code: `US.TX`. */
  readonly key: string;
  readonly level: 1 | 2;
  readonly country: string;
  readonly name: string;
  /** Alternate names, codes and abbreviations that people type. */
  readonly aliases: readonly string[];
  /** Names to show in other languages, if known. A search finds the region by them, too. */
  readonly translations?: Translations;
}

/** Names of a region by BCP 47 tag: one per language. */
export type Translations = ReadonlyMap<string, string>;
