/**
 * What the engine is asked and what it answers, in plain data. The door (`http/`), the command line and the
 * benchmarks know this file and nothing behind it.
 * The engine is pure and synchronous: no clock, no file, no environment, no await between question and answer.
 */
import type { PlaceType } from '../place/place.ts';
import type { LatLng } from '../place/sphere.ts';
import type { StoredText } from './page/stored-text.ts';

export interface SearchQuery {
  /** As typed. Empty means browse: the most important places that pass the filters. */
  readonly text: string;
  /** At most this many hits, 1..20. */
  readonly limit: number;
  readonly types?: readonly PlaceType[] | undefined;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countries?: readonly string[] | undefined;
  /** Without a radius a point biases the order; with one it restricts. */
  readonly around?: LatLng | undefined;
  readonly radiusMeters?: number | undefined;
  /** BCP 47 tag for names in the answer. */
  readonly language?: string | undefined;
  /** Whether hits carry `ranking`. */
  readonly explain?: boolean;
}

/** What hits show is made when it is read: who needs only ids pays for no records. */
export interface SearchResult {
  readonly hits: readonly Hit[];
  readonly total: number;
  /** False when `total` is an estimate. */
  readonly isTotalExact: boolean;
  /** False when the search used up its work budget: the hits are the best found by then. */
  readonly isExhaustive: boolean;
  /** Units of work the search took: see work-budget.ts. */
  readonly work?: number | undefined;
  /** Present when the words as typed matched nothing together. */
  readonly degraded?: DegradedQuery | undefined;
}

export interface DegradedQuery {
  /** The query that was answered instead. */
  readonly query: string;
  /** Words left out. */
  readonly dropped: readonly string[];
  /** Words read as another word. */
  readonly corrected: readonly { readonly from: string; readonly to: string }[];
  /** Words read as a longer one. */
  readonly expanded: readonly { readonly from: string; readonly to: string }[];
}

export interface ReverseQuery {
  readonly at: LatLng;
  readonly limit: number;
  readonly types?: readonly PlaceType[] | undefined;
  readonly language?: string | undefined;
}

/** One place as answers show it: names already in the language asked for, where known. */
export interface PlaceRecord {
  readonly objectID: string;
  readonly name: string;
  readonly type: PlaceType;
  readonly country: string;
  /** Lower case. */
  readonly countryCode: string;
  readonly administrative: readonly string[];
  readonly county: readonly string[];
  readonly population: number | undefined;
  /** 0..1 */
  readonly importance: number;
  readonly timezone: string | undefined;
  readonly lat: number;
  readonly lng: number;
  /** One for all records of the same country, regions and language: for what is made of those. */
  readonly regionsMemo: Memo;
  /** The same as it lies in an index, if it does: for whoever writes bytes. */
  readonly stored?: StoredRecord | undefined;
}

export interface StoredRecord {
  readonly storedName: StoredText;
  /** The object id in two parts: the code of its letter, and its number. */
  readonly idLetter: number;
  readonly idNumber: number;
}

/** Room for whoever shows records to keep what they made of them. */
export interface Memo {
  made?: unknown;
}

export interface Hit {
  readonly objectID: string;
  readonly record: PlaceRecord;
  /** What hits are ordered by, the highest first: see docs/ranking.md; in reverse, how near, in metres below zero. */
  readonly score: number;
  /** Name and the shortest chain of regions that tells it from the other hits, ending in the country. */
  readonly label: string;
  /** Whether that is just the name and the country. */
  readonly hasShortLabel: boolean;
  /** Where a point was given. */
  readonly distanceMeters?: number | undefined;
  /** Reverse only: from the point asked about to the place. */
  readonly bearingDegrees?: number | undefined;
  /** Search only: present when another name than `record.name` matched. */
  readonly matchedName?: MatchedName | undefined;
  /** Search with words only. */
  readonly highlight?: Highlight | undefined;
  /** Present if the hit is on every page of two hits or more: see `Guarantee`. */
  readonly guarantee?: Guarantee | undefined;
  /** Only when `explain` was asked. */
  readonly ranking?: Ranking | undefined;
}

/** With a point to prefer, the page shows the best match anywhere and the best match near the point. */
export interface Guarantee {
  readonly kind: 'anywhere' | 'nearby';
  /** What hits of one kind are compared by: the hit's score, for `anywhere` without what the point adds. */
  readonly score: number;
}

export interface MatchedName {
  readonly value: string;
  readonly language?: string;
  readonly typos: number;
}

export const MATCH_LEVELS = ['none', 'partial', 'full'] as const;

/** Which parts of `record.name` the typed words matched: UTF-16 ranges [start, end), ascending, not touching. */
export interface Highlight {
  readonly ranges: readonly (readonly [number, number])[];
  readonly matchLevel: (typeof MATCH_LEVELS)[number];
  /** The words as typed that matched. */
  readonly matchedWords: readonly string[];
}

export interface Ranking {
  readonly typos: number;
  /** Index of the first matched word in the name that matched. */
  readonly firstMatchedWord: number;
  /** Words of the name between matched words; 0 if they are adjacent, or if there is only one. */
  readonly proximityDistance: number;
  /** Importance, 0..10000. */
  readonly userScore: number;
  /** Query words that are whole words of the name, or names of regions, as typed. */
  readonly exactWords: number;
  /** Query words that matched. */
  readonly words: number;
  /** Filters that were set. */
  readonly filters: number;
  readonly geoDistanceMeters: number;
  /** Always 1: distances are exact to the metre. */
  readonly geoPrecision: number;
  /** The score and its parts, which add up to it. */
  readonly criteria: Readonly<Record<string, number>>;
  /** The part of the score in which this hit is furthest ahead of the next one; absent on the last. */
  readonly decidedBy?: string;
}

/** A record with all its names. */
export interface FullRecord {
  readonly record: PlaceRecord;
  readonly label: string;
  /** By BCP 47 tag; names of unknown language under `und`. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** Set when the id asked for was merged or retired: the id that answers now. */
  readonly supersededBy?: string;
}

export interface Dataset {
  /** Changes whenever the data does. */
  readonly version: string;
  readonly places: number;
  readonly attribution: readonly string[];
}

export interface Engine {
  /** One object for as long as the engine lives: what is made of its data can be kept by it. */
  readonly dataset: Dataset;
  search(query: SearchQuery): SearchResult;
  reverse(query: ReverseQuery): SearchResult;
  get(objectID: string, language?: string): FullRecord | undefined;
}
