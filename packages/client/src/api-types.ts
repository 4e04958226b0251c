/** The options and responses of the API. Written by `npm run docs`. */
export interface QueryOptions {
  /** Types of places to return: city, town, village, hamlet, locality, suburban area. */
  readonly type?: PlaceType | readonly PlaceType[] | undefined;
  /** Maximum number of hits. */
  readonly hitsPerPage?: number | undefined;
  /** The point to search around, as latitude and longitude in decimal degrees: `lat,lng`. */
  readonly aroundLatLng?: LatLng | string | undefined;
  /** Search around the location of this IPv4 or IPv6 address; `true` means the caller's own address, `false` means no point. */
  readonly aroundLatLngViaIP?: string | boolean | undefined;
  /** Return only places within this distance of the point, in metres. */
  readonly aroundRadius?: number | undefined;
  /** Return only places in this box, given by two opposite corners in decimal degrees: `lat1,lng1,lat2,lng2`. */
  readonly insideBoundingBox?: readonly [number, number, number, number] | string | undefined;
  /** Whether misspelt names and regions match. */
  readonly typoTolerance?: boolean | undefined;
  /** Return only hits of at least this confidence, from 0 to 1. */
  readonly minConfidence?: number | undefined;
  /** Whether each hit has `_rankingInfo`, which explains its rank. */
  readonly getRankingInfo?: boolean | undefined;
  /** BCP 47 tag of the language of names in the response. */
  readonly language?: string | undefined;
  /** Countries to search, as ISO 3166-1 alpha-2 codes. */
  readonly countries?: readonly string[] | string | undefined;
}
export interface GetOptions extends Pick<QueryOptions, 'language'> {}
export interface ReverseOptions extends Pick<QueryOptions, 'hitsPerPage' | 'type' | 'language'> {
  /** `nearest`: hits by distance; `containing`: first the settlement that the point most plausibly lies in, then the nearest others in the same country. */
  readonly mode?: 'nearest' | 'containing' | undefined;
}
/** The fields that hits and full records share. */
export interface PlaceRecord {
  /** Identifier: a letter for the source, then digits. */
  readonly objectID: string;
  /** The name, in the requested language if known. */
  readonly name: string;
  readonly type: PlaceType;
  /** The name and where the place is, as people write it; no two hits have the same. */
  readonly label: string;
  /** The country's name, in the requested language if known. */
  readonly country: string;
  /** ISO 3166-1 alpha-2, lower case. */
  readonly country_code: string;
  /** First-level regions, in the requested language if known. */
  readonly administrative: readonly string[];
  /** Second-level regions, in the requested language if known. */
  readonly county: readonly string[];
  /** Number of people; absent if unknown. */
  readonly population?: number;
  /** How likely people are to mean the place, mostly by its population. */
  readonly importance: number;
  /** IANA name, such as `Europe/Paris`; absent if unknown. */
  readonly timezone?: string;
  readonly _geoloc: LatLng;
  /** Extent as west, south, east, north; west is greater than east across the antimeridian. */
  readonly bbox: readonly [number, number, number, number];
}
/** The kind of settlement. */
export type PlaceType = 'city' | 'town' | 'village' | 'hamlet' | 'locality' | 'suburban area';
/** A point; that of a place is its centre. */
export interface LatLng {
  /** Latitude in decimal degrees. */
  readonly lat: number;
  /** Longitude in decimal degrees. */
  readonly lng: number;
}
/** The hits, and what was searched. */
export interface Hits {
  /** The places, best first. */
  readonly hits: readonly Hit[];
  /** Number of places that match as typed and pass the filters. */
  readonly nbHits: number;
  /** `false` if nbHits is not exact; otherwise absent. */
  readonly exhaustiveNbHits?: boolean;
  /** `false` if the search used up its work budget, so that better hits may exist; otherwise absent. */
  readonly exhaustive?: boolean;
  /** The value used, after applying the limits of the service and the key. */
  readonly hitsPerPage: number;
  /** The query as sent. */
  readonly query: string;
  /** The options used, as a URL query string. */
  readonly params: string;
  /** Time spent searching, in milliseconds. */
  readonly processingTimeMS: number;
  /** The point used, `lat,lng`. */
  readonly aroundLatLng?: string;
  /** The country of the point (ISO 3166-1 alpha-2, lower case), `null` if it is in none. */
  readonly pointCountry?: string | null;
  /** Says why the search ran without the requested point; otherwise absent. */
  readonly message?: string;
  readonly matchedRegion?: MatchedRegion;
  readonly degradedQuery?: DegradedQuery;
  readonly dataset: Dataset;
}
/** A place, and how well it matched and why. */
export interface Hit extends PlaceRecord {
  /** Metres from the point, if there is one. */
  readonly distance?: number;
  /** Degrees clockwise from north, from the point to the place. */
  readonly bearing?: number;
  /** Whether the point probably lies in the place. */
  readonly inside?: boolean;
  /** Probability that this is the place meant. */
  readonly confidence?: number;
  readonly matchCode?: MatchCode;
  readonly matchedName?: MatchedName;
  readonly _highlightResult: HighlightResult;
  readonly _rankingInfo?: RankingInfo;
}
/** How the text matches. */
export type MatchCode = 'exact' | 'alias' | 'corrected' | 'partial' | 'region' | 'ambiguous';
/** The name that matched, if it is not `name`. */
export interface MatchedName {
  /** The name as the data has it. */
  readonly value: string;
  /** BCP 47 tag of its language; absent if unknown. */
  readonly language?: string;
  /** Typos in the match. */
  readonly typos: number;
}
/** What to show of the match. */
export interface HighlightResult {
  readonly name: HighlightedName;
}
/** The name, with the matched parts marked. */
export interface HighlightedName {
  /** HTML: matched words in `<em>`, the rest escaped. */
  readonly value: string;
  readonly matchLevel: MatchLevel;
  /** The typed words that matched. */
  readonly matchedWords: readonly string[];
}
/** How much of the text the name matches. */
export type MatchLevel = 'none' | 'partial' | 'full';
/** Explains the rank of the hit. */
export interface RankingInfo {
  /** The reading of the query that found the hit. */
  readonly stage: string;
  /** Typos in the match. */
  readonly nbTypos: number;
  /** Index of the first matched word in the name that matched. */
  readonly firstMatchedWord: number;
  /** Words of the name between matched words; 0 if they are adjacent, or if there is only one. */
  readonly proximityDistance: number;
  /** Importance, from 0 to 10000. */
  readonly userScore: number;
  /** Metres; 0 without a point. */
  readonly geoDistance: number;
  /** Always 1: distances are exact to the metre. */
  readonly geoPrecision: number;
  /** Number of query words that match exactly: whole words of the name, or full names of regions. */
  readonly nbExactWords: number;
  /** Number of query words that matched, in the place's names or regions. */
  readonly words: number;
  /** Number of filters set. */
  readonly filters: number;
  readonly matchedGeoLocation?: MatchedGeoLocation;
  /** `score`, which orders the hits, and the parts that add up to it. */
  readonly criteria: Readonly<Record<string, number>>;
  /** The part of the score in which this hit is furthest ahead of the next one; `id` if the scores are equal. */
  readonly decidedBy?: string;
}
/** With a point: where the place is, and how far. */
export interface MatchedGeoLocation extends LatLng {
  /** Metres from the point. */
  readonly distance?: number;
}
/** The region that the query names, if its main places are among the hits. */
export interface MatchedRegion {
  /** In the requested language if known. */
  readonly name: string;
  /** ISO 3166-1 code of a country, or key of a division: `US.TX`. */
  readonly code: string;
  /** 0 for a country, 1 and 2 for divisions. */
  readonly level: number;
}
/** Present if the best hit does not match all words as typed. */
export interface DegradedQuery {
  /** The query used instead. */
  readonly query: string;
  /** Words that the place lacks. */
  readonly dropped: readonly string[];
  /** Misspelt words, and what they were taken for. */
  readonly corrected: readonly WordChange[];
  /** Unfinished names of regions, and the whole names. */
  readonly expanded: readonly WordChange[];
}
/** A word that was replaced. */
export interface WordChange {
  /** As typed. */
  readonly from: string;
  /** What it was taken for. */
  readonly to: string;
}
/** The data that answered. */
export interface Dataset {
  /** Source and date of the data. */
  readonly version: string;
  /** Whom to credit where the places are shown. */
  readonly attribution: readonly string[];
  /** Number of places in the data. */
  readonly places: number;
}
/** A place with all its names. */
export interface FullRecord extends PlaceRecord {
  /** All names by BCP 47 tag; `und` if the language is unknown. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** Identifier of the successor, if the requested one is merged or retired. */
  readonly supersededBy?: string;
}
/** What happened. */
export type ApiErrorCode = 'invalid_option' | 'missing_option' | 'unknown_option' | 'duplicate_option' | 'invalid_body' | 'bad_request' | 'key_missing' | 'key_unknown' | 'key_expired' | 'key_revoked' | 'origin_not_allowed' | 'address_not_allowed' | 'batch_not_allowed' | 'not_found' | 'object_not_found' | 'method_not_allowed' | 'request_timeout' | 'body_too_large' | 'unsupported_media_type' | 'expectation_failed' | 'host_not_allowed' | 'rate_limited' | 'quota_exceeded' | 'headers_too_large' | 'internal' | 'overloaded' | 'draining' | 'not_ready';
