/**
 * The engine's public types. The engine is
 * synchronous and reads no clock, file or environment variable.
 */
import type { BoundingBox } from './place/bounding-box.ts';
import type { PlaceType } from './place/place.ts';
import type { LatLng } from './place/sphere.ts';
import type { ScoredPage } from './rank/confidence.ts';

/** Maximum length of a search text in bytes of UTF-8. Callers of the engine check it. */
export const MAX_QUERY_BYTES = 512;

/** What leaves out places, in all kinds of searches: see rank/place-filter.ts. */
export interface Filters {
  readonly types?: readonly PlaceType[] | undefined;
  /** ISO 3166-1 alpha-2 codes, upper case. */
  readonly countries?: readonly string[] | undefined;
  /** Used only with `around`. */
  readonly radiusMeters?: number | undefined;
  /** Hits must be in this box. */
  readonly box?: BoundingBox | undefined;
}

export interface SearchQuery extends Filters {
  /**
   * As typed. If it is empty, the hits are the most important places that pass the filters. If it
   * is a pair of coordinates, the result is that of a reverse lookup with mode `containing`.
   */
  readonly text: string;
  /** Maximum number of hits, 1..20. */
  readonly limit: number;
  /** Places near this point rank higher; with `radiusMeters`, hits must be that near. */
  readonly around?: LatLng | undefined;
  /** False: names and regions must match as typed, apart from an unfinished last word. */
  readonly allowsTypos?: boolean | undefined;
  /** BCP 47 tag of the language for the names in the result. */
  readonly language?: string | undefined;
  /** Leaves out hits whose `confidence` is lower, unless it is 0. `total` then counts those that are left. */
  readonly minConfidence?: number | undefined;
  /** Whether hits carry `ranking`. */
  readonly explain?: boolean | undefined;
}

/** Result of a search or reverse lookup: plain data. */
export interface SearchResult {
  readonly hits: readonly Hit[];
  /**
   * Number of places that match without typos (in reverse lookups: all places) and pass the
   * filters. With `minConfidence`, the number of hits that pass. At least the number of hits with
   * the maximum `limit`.
   */
  readonly total: number;
  /** False when `total` is an estimate or a minimum. */
  readonly isTotalExact: boolean;
  /** False when the work budget cut the search short. */
  readonly isExhaustive: boolean;
  /** Units of work: see work-budget.ts. */
  readonly work?: number | undefined;
  /** The point, if the text of the query is a pair of coordinates. */
  readonly typedPoint?: LatLng | undefined;
  /** What the confidence of the hits is computed from. Present if the query has words. */
  readonly scored?: ScoredPage | undefined;
  /** Present when the best hit lacks a word of the query, or has it in another form. */
  readonly degraded?: DegradedQuery | undefined;
  /** The region that the query names, if its most important places are among the hits. */
  readonly matchedRegion?: MatchedRegion | undefined;
  /** In mode `containing`: ISO 3166-1 code, upper case; null if the point is in no country. */
  readonly pointCountry?: string | null | undefined;
}

/** How the query was changed to match the best hit. */
export interface DegradedQuery {
  readonly query: string;
  readonly dropped: readonly string[];
  readonly corrected: readonly { readonly from: string; readonly to: string }[];
  /** Unfinished names of regions, and the whole names. */
  readonly expanded: readonly { readonly from: string; readonly to: string }[];
}

/** The modes of a reverse lookup: see docs/api.md. */
export type ReverseMode = 'nearest' | 'containing';

export interface ReverseQuery {
  readonly at: LatLng;
  readonly limit: number;
  /** `nearest` by default. With `containing`, the settlement that the point lies in comes first. */
  readonly mode?: ReverseMode | undefined;
  readonly types?: readonly PlaceType[] | undefined;
  readonly language?: string | undefined;
  /** For mode `containing`: the filters of a search for coordinates, apart from `types`. */
  readonly filters?: (Filters & Pick<SearchQuery, 'around'>) | undefined;
}

/** One place as results show it. Names are in the query's language if known. */
export interface PlaceRecord {
  readonly objectID: string;
  readonly name: string;
  readonly type: PlaceType;
  readonly regions: RecordRegions;
  /** Name of the city that a suburban area belongs to, if known. */
  readonly city: string | undefined;
  readonly population: number | undefined;
  /** 0..1 */
  readonly importance: number;
  readonly timezone: string | undefined;
  readonly lat: number;
  readonly lng: number;
  /** The extent: the true one if the source has it, or else an estimate. */
  readonly box: BoundingBox;
}

/** Without a `language`, places in the same regions mostly share one object, for caching. */
export interface RecordRegions {
  readonly country: string;
  /** Lower case. */
  readonly countryCode: string;
  /** The first-level division; empty if the place has none. */
  readonly administrative: readonly string[];
  /** The second-level division; empty if the place has none. */
  readonly county: readonly string[];
  /** The first-level division, in countries where every label shows it; otherwise undefined. */
  readonly labelDivision: string | undefined;
  /** The end of most labels, after the name: `, Texas, United States` or `, France`. */
  readonly labelEnd: string;
}

export interface Hit {
  readonly objectID: string;
  readonly record: PlaceRecord;
  /** Sort key, highest first (docs/ranking.md). In reverse lookups, minus the distance (metres). */
  readonly score: number;
  /**
   * Probability (0..1) that this is the place meant: see rank/confidence.ts. 0 if the query has no
   * words. Absent in reverse lookups.
   */
  readonly confidence?: number | undefined;
  readonly matchCode?: MatchCode | undefined;
  /** Unique among the hits: see docs/api.md. */
  readonly label: string;
  /** Whether the label is just `record.name` followed by `record.regions.labelEnd`. */
  readonly hasPlainLabel: boolean;
  /** Distance from the query's point; absent if the query has none. */
  readonly distanceMeters?: number | undefined;
  /** From the query's point to the place. Reverse lookups only. */
  readonly bearingDegrees?: number | undefined;
  /** Whether the query's point probably lies in the place. In mode `containing` only. */
  readonly isInside?: boolean | undefined;
  /** Searches only: present when a name other than `record.name` matched. */
  readonly matchedName?: MatchedName | undefined;
  /** Present if the query has words. */
  readonly highlight?: Highlight | undefined;
  /** Present if the query has `explain`. */
  readonly ranking?: Ranking | undefined;
}

/** A region that a query names without naming a place. */
export interface MatchedRegion {
  /** In the language of the query if known. */
  readonly name: string;
  /** The ISO 3166-1 code of a country, or the key of a division in the data: `US.TX`. */
  readonly code: string;
  /** 0 for a country, 1 and 2 for divisions. */
  readonly level: number;
}

export interface MatchedName {
  readonly value: string;
  readonly language?: string;
  readonly typos: number;
}

/** How the query matches a hit: see docs/api.md. */
export const MATCH_CODES = ['exact', 'alias', 'corrected', 'partial', 'region', 'ambiguous'] as const;
export type MatchCode = (typeof MATCH_CODES)[number];

export const MATCH_LEVELS = ['none', 'partial', 'full'] as const;

/** Matched parts of `record.name`: UTF-16 ranges [start, end), ascending and disjoint. */
export interface Highlight {
  readonly ranges: readonly (readonly [number, number])[];
  readonly matchLevel: (typeof MATCH_LEVELS)[number];
  /** As typed. */
  readonly matchedWords: readonly string[];
}

/** Why a hit has its rank. Most fields correspond to those of Algolia's `_rankingInfo`. */
export interface Ranking {
  /** The reading of the query that found the hit: see docs/ranking.md. */
  readonly stage: string;
  readonly typos: number;
  /** Index of the first matched word in the name that matched. */
  readonly firstMatchedWord: number;
  /** Number of words between the matched words of the name; 0 if they are adjacent. */
  readonly proximityDistance: number;
  /** Importance, 0..10000. */
  readonly userScore: number;
  /** Number of query words that match exactly: whole words of the name, and full region names. */
  readonly exactWords: number;
  /** Number of query words that matched, in the place's names or regions. */
  readonly words: number;
  readonly filters: number;
  /** Distance from the query's point; 0 if the query has none. */
  readonly geoDistanceMeters: number;
  /** Always 1. */
  readonly geoPrecision: number;
  /** The score and the parts that add up to it. */
  readonly criteria: Readonly<Record<string, number>>;
  /** The criterion in which the hit leads most over the next one. Absent on the last hit. */
  readonly decidedBy?: string;
}

export interface FullRecord {
  readonly record: PlaceRecord;
  /** As if the place were the only hit of a search. */
  readonly label: string;
  /** Names by BCP 47 tag; names of unknown language are under `und`. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** The current id, if the requested id is a retired one. */
  readonly supersededBy?: string;
}

export interface Dataset {
  /** Changes whenever the data does. */
  readonly version: string;
  readonly places: number;
  readonly attribution: readonly string[];
}

export interface Engine {
  /** The same object for the engine's lifetime, so callers can cache by identity. */
  readonly dataset: Dataset;
  search(query: SearchQuery): SearchResult;
  reverse(query: ReverseQuery): SearchResult;
  get(objectID: string, language?: string): FullRecord | undefined;
}
