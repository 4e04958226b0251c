/** The options and responses of the API, as docs/api.md describes them. */
import type { ERRORS } from '../http/error-codes.ts';
import type { EndpointName, OPTIONS, OptionKind } from '../options.ts';

type Table = typeof OPTIONS;
export type PlaceType = Table['type']['values'][number];

export interface LatLng {
  readonly lat: number;
  readonly lng: number;
}

/** What the client takes for each kind of option. It writes lists with commas and points as `lat,lng`. */
interface OptionTypes extends Record<OptionKind, unknown> {
  address: string | boolean;
  boolean: boolean;
  box: readonly [number, number, number, number] | string;
  countries: readonly string[] | string;
  id: string;
  integer: number;
  language: string;
  metres: number;
  mode: 'nearest' | 'containing';
  number: number;
  point: LatLng | string;
  text: string;
  types: PlaceType | readonly PlaceType[];
}

type AllOptions = { readonly [Name in keyof Table]?: OptionTypes[Table[Name]['kind']] | undefined };
type NamesOf<Endpoint extends EndpointName> = {
  [Name in keyof Table]: Endpoint extends keyof Table[Name]['fields'] ? Name : never;
}[keyof Table];

// without the option that is an argument of the function
export interface QueryOptions extends Pick<AllOptions, Exclude<NamesOf<'query'>, 'query'>> {}
export interface GetOptions extends Pick<AllOptions, Exclude<NamesOf<'id'>, 'objectID'>> {}
export interface ReverseOptions extends Pick<AllOptions, Exclude<NamesOf<'reverse'>, 'aroundLatLng'>> {}

/** The fields that hits and full records share. */
export interface PlaceRecord {
  readonly objectID: string;
  /** In the requested language if known. */
  readonly name: string;
  readonly type: PlaceType;
  /** The name and where the place is. No two hits of a response have the same label. */
  readonly label: string;
  readonly country: string;
  /** ISO 3166-1 alpha-2, lower case. */
  readonly country_code: string;
  /** First-level regions. */
  readonly administrative: readonly string[];
  /** Second-level regions. */
  readonly county: readonly string[];
  /** Absent if unknown. */
  readonly population?: number;
  /** 0 to 1. */
  readonly importance: number;
  /** IANA name; absent if unknown. */
  readonly timezone?: string;
  readonly _geoloc: LatLng;
  /** West, south, east, north. West is greater than east across the antimeridian. */
  readonly bbox: readonly [number, number, number, number];
}

export interface Hit extends PlaceRecord {
  /** Metres from the point, if there is one. */
  readonly distance?: number;
  /** Degrees clockwise from north, from the point to the place. */
  readonly bearing?: number;
  /** Whether the point probably lies in the place. */
  readonly inside?: boolean;
  /** Probability that this is the place meant. */
  readonly confidence?: number;
  readonly matchCode?: 'exact' | 'alias' | 'ambiguous' | 'corrected' | 'partial' | 'region';
  /** The name that matched, if it is not `name`. */
  readonly matchedName?: { readonly value: string; readonly language?: string; readonly typos: number };
  readonly _highlightResult: {
    readonly name: {
      /** HTML: matched words in `<em>`, everything else escaped. */
      readonly value: string;
      readonly matchLevel: 'none' | 'partial' | 'full';
      readonly matchedWords: readonly string[];
    };
  };
  readonly _rankingInfo?: RankingInfo;
}

export interface RankingInfo {
  readonly stage: string;
  readonly nbTypos: number;
  readonly firstMatchedWord: number;
  readonly proximityDistance: number;
  readonly userScore: number;
  readonly geoDistance: number;
  readonly geoPrecision: number;
  readonly nbExactWords: number;
  readonly words: number;
  readonly filters: number;
  readonly matchedGeoLocation?: LatLng & { readonly distance?: number };
  /** `score`, which orders the hits, and the parts that add up to it. */
  readonly criteria: Readonly<Record<string, number>>;
  readonly decidedBy?: string;
}

/** The response of `query` and `reverse`. */
export interface Hits {
  /** Best first. */
  readonly hits: readonly Hit[];
  readonly nbHits: number;
  /** `false` if `nbHits` is not exact; otherwise absent. */
  readonly exhaustiveNbHits?: boolean;
  /** `false` if the search used up its work budget; otherwise absent. */
  readonly exhaustive?: boolean;
  readonly hitsPerPage: number;
  readonly query: string;
  /** The options used, as a URL query string. */
  readonly params: string;
  readonly processingTimeMS: number;
  /** The point used, `lat,lng`. */
  readonly aroundLatLng?: string;
  /** Country of the point, `null` if it is in none. */
  readonly pointCountry?: string | null;
  /** Says why the search ran without the requested point. */
  readonly message?: string;
  readonly matchedRegion?: { readonly name: string; readonly code: string; readonly level: number };
  /** Present if the best hit does not match all words as typed. */
  readonly degradedQuery?: {
    readonly query: string;
    readonly dropped: readonly string[];
    readonly corrected: readonly WordChange[];
    readonly expanded: readonly WordChange[];
  };
  readonly dataset: { readonly version: string; readonly attribution: readonly string[]; readonly places: number };
}

export interface WordChange {
  readonly from: string;
  readonly to: string;
}

/** The response of `get`. */
export interface FullRecord extends PlaceRecord {
  /** All names by BCP 47 tag; `und` if the language is unknown. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** Identifier of the successor, if the requested one is merged or retired. */
  readonly supersededBy?: string;
}

/** The error codes of the API. */
export type ApiErrorCode = keyof typeof ERRORS;
