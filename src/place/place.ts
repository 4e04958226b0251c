/**
 * A place as every gazetteer is turned into one, before it is indexed.
 * Importers make these; the builder alone reads them. Coordinates are decimal degrees, WGS 84.
 */

/** The record types of the API, in the order of their numeric codes in the index file. */
export const PLACE_TYPES = ['city', 'town', 'village', 'hamlet', 'locality', 'suburban area'] as const;
export type PlaceType = (typeof PLACE_TYPES)[number];

/** How a name came to be: decides how much a match on it is worth. */
export const NAME_KINDS = ['main', 'alternate', 'romanized', 'code', 'historic'] as const;
export type NameKind = (typeof NAME_KINDS)[number];

export interface PlaceName {
  readonly value: string;
  readonly kind: NameKind;
  /** BCP 47 tag where the source tells it. */
  readonly language?: string;
}

export interface Place {
  /** A letter for the source, then digits: G GeoNames, N/W/R OpenStreetMap, F Who's On First. */
  readonly id: string;
  readonly type: PlaceType;
  /** The main name first. Never empty. */
  readonly names: readonly PlaceName[];
  readonly lat: number;
  readonly lng: number;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string;
  /** Keys into the builder's region table (for GeoNames: `US.TX`, `US.TX.113`). */
  readonly admin1?: string;
  readonly admin2?: string;
  readonly population?: number;
  readonly timezone?: string;
  /** 0 none, 1 seat of a lower division … 4 seat of a first-level division, 5 national capital. */
  readonly adminRank: number;
  /** 0..1, where it is set by hand; otherwise it is worked out from the rest. */
  readonly importance?: number;
  /** Ids by which other data knows the same settlement: `wd:Q90` Wikidata, `gn:2988507` GeoNames, `wof:101751119` Who's On First. */
  readonly externalIds?: readonly string[];
}

/** A first- or second-level division that places belong to. */
export interface Region {
  readonly key: string;
  readonly level: 1 | 2;
  readonly country: string;
  readonly name: string;
  /** Other names, codes and abbreviations people type. */
  readonly aliases: readonly string[];
}
