/** The place model: importers create gazetteers of places, the builder indexes them. */
import type { BoundingBox } from './bounding-box.ts';
import type { LatLng } from './sphere.ts';

/** Types of places. The index file stores positions in this list. */
export const PLACE_TYPES = ['city', 'town', 'village', 'hamlet', 'locality', 'suburban area'] as const;
export type PlaceType = (typeof PLACE_TYPES)[number];
/** Its position in the list. */
export const SUBURBAN_AREA = PLACE_TYPES.indexOf('suburban area');

/** The highest `Place.adminRank`. */
export const MAX_ADMIN_RANK = 5;

/**
 * Smaller settlements have few suburbs with names of their own. With 10,000, every tenth city found for a suburb would
 * be a suburb: Prospect instead of Adelaide.
 */
export const MIN_CITY_POPULATION = 50_000;

/**
 * Kinds of names. The index file stores positions in this list. "NYC" is a `code`. A `postcode`
 * finds the place, but is never shown as its name. A second `main` name is an
 * older spelling of the first.
 */
export const NAME_KINDS = ['main', 'alternate', 'romanized', 'code', 'historic', 'postcode'] as const;
export type NameKind = (typeof NAME_KINDS)[number];

/**
 * The language of a nickname that people use in several languages: BCP 47 tag. A `historic` name with it
 * was the main one before the place was renamed, and counts as a main name.
 */
export const SEVERAL_LANGUAGES = 'mul';

export interface PlaceName {
  readonly value: string;
  readonly kind: NameKind;
  /** BCP 47 tag, if known. */
  readonly language?: string;
  /** The name does not count in the importance of the place. */
  readonly isUnranked?: true;
}

export interface Place {
  /**
   * One capital letter, then digits: G GeoNames, C embedded, N/W/R OpenStreetMap, F Who's On First, L rows without ids.
   * The letter decides which of merged records counts first: see the gazetteer's build/merge/place-ids.ts.
   */
  readonly id: string;
  readonly type: PlaceType;
  /** Never empty; the main name comes first. */
  readonly names: readonly PlaceName[];
  /** WGS 84, in degrees, as is `lng`. */
  readonly lat: number;
  readonly lng: number;
  /** The true extent, if the source has it. Contains the point. */
  readonly box?: BoundingBox;
  /** Airports at its edge, which centres and populations would put elsewhere. All airports that serve it are names. */
  readonly edgeAirports?: readonly LatLng[];
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string;
  /** `Region.key`, such as `US.TX`. */
  readonly admin1?: string;
  /** `Region.key`, such as `US.TX.113`. */
  readonly admin2?: string;
  readonly population?: number;
  /** A population that is too doubtful to show, but counts in the importance. Only without `population`. */
  readonly likelyPopulation?: number;
  readonly timezone?: string;
  /** 5 capital; 4, 3 or 2 seat of a first- to third-level division; 1 lower seat; 0 others. */
  readonly adminRank: number;
  /** 0..1. Stated by overlays and by indexes that are a source. The builder computes the others. */
  readonly importance?: number;
  /** `wd:Q90` Wikidata, `gn:2988507` GeoNames, `wof:101` Who's On First. */
  readonly externalIds?: readonly string[];
}

/** A first- or second-level division of a country. */
export interface Region {
  /** Unique. Starts with the country code: `US.TX`. */
  readonly key: string;
  readonly level: 1 | 2;
  readonly country: string;
  readonly name: string;
  readonly aliases: readonly string[];
  /** Whether the aliases are spellings, as an index has them, which have no further spellings. */
  readonly areAliasesFolded?: boolean;
  /** Names to show in other languages. Only `aliases` and `name` find the region. */
  readonly translations?: Translations;
}

/** One name per BCP 47 tag. */
export type Translations = ReadonlyMap<string, string>;

export interface Country {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly code: string;
  readonly name: string; // in English
  /** Names in other languages, codes and abbreviations. */
  readonly aliases: readonly string[];
}

/** The output of an importer: places, their countries and divisions, and a report. */
export interface Gazetteer {
  /** Such as `geonames-cities500-2026-05-02`. */
  readonly version: string;
  readonly attribution: readonly string[];
  readonly countries: readonly Country[];
  readonly regions: readonly Region[];
  readonly places: AsyncIterable<Place>;
  /** Ids that are no longer in use, with the ids of the places that they lead to. */
  readonly retiredIds?: ReadonlyMap<string, string>;
  /** Whether no two places are records of the same settlement, as in an index: the builder then merges none. */
  readonly isMerged?: boolean;
  /** Final once `places` has been read to its end. */
  readonly report: SourceReport;
}

export interface SourceReport {
  rowsRead: number;
  rowsKept: number;
  /** By reason. Samples are `file:line: what was found`. */
  readonly rejected: Map<string, { count: number; readonly samples: string[] }>;
}

/** The fields that are known. Optional fields of a place are absent, never undefined. */
export function definedFields<Fields extends object>(
  fields: Fields,
): { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const defined: Partial<Fields> = {};
  for (const name in fields) if (fields[name] !== undefined) defined[name] = fields[name]; // called millions of times
  return defined as Fields;
}
