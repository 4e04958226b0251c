/**
 * The options of the API, one entry each. From this table come the reading of requests and its error
 * messages, the check of the library's queries, the OpenAPI document, the client's types, the flags of the
 * command line, and the tables of options in docs/. It is data only, because it is also a part of
 * `toponym-engine`. `npm run docs` writes the tables and the types; the types have the first sentence of each
 * description.
 */
import type { ReverseQuery, SearchQuery } from './engine.ts';
import { PLACE_TYPES } from './place/place.ts';
import { MAX_HITS } from './work-budget.ts';

export type EndpointName = 'query' | 'id' | 'reverse';

/** What the values are. Requests, the library, the client and the docs have a table by kind: the compiler names them. */
export type OptionKind =
  | 'address'
  | 'boolean'
  | 'box'
  | 'countries'
  | 'id'
  | 'integer'
  | 'language'
  | 'metres'
  | 'mode'
  | 'number'
  | 'point'
  | 'text'
  | 'types';

export interface OptionDefinition {
  readonly kind: OptionKind;
  /** The endpoints that take it, with its field in the query of engine and library; null for none. */
  readonly fields: {
    readonly query?: keyof SearchQuery | null;
    readonly id?: null;
    readonly reverse?: keyof ReverseQuery | null;
  };
  /** Of kind `number`. */
  readonly min?: number;
  readonly max?: number;
  /** All values, if they are a fixed list. */
  readonly values?: readonly string[];
  readonly default?: string | number | boolean;
  readonly example: string | number | boolean;
  readonly description: string;
  /** Sentences that only docs/api.md has. */
  readonly details?: string;
}

/** The modes of a reverse lookup: see docs/api.md. */
export const REVERSE_MODES = ['nearest', 'containing'] as const;

export const OPTIONS = {
  query: {
    kind: 'text',
    fields: { query: 'text' },
    example: 'par',
    description:
      'The search text. If empty or absent, the hits are the most important places that pass the filters. Coordinates in any usual form, or a link of a map with coordinates, find the place there.',
    details: 'See [Searching for coordinates](#searching-for-coordinates).',
  },
  type: {
    kind: 'types',
    fields: { query: 'types', reverse: 'types' },
    values: PLACE_TYPES,
    example: 'city,town',
    description: `Types of places to return: ${PLACE_TYPES.join(', ')}. Separate several with commas.`,
  },
  hitsPerPage: {
    kind: 'integer',
    fields: { query: 'limit', reverse: 'limit' },
    default: MAX_HITS,
    example: 5,
    description: `Maximum number of hits. A value above ${MAX_HITS}, or above the key's maximum, is lowered to that maximum.`,
    details:
      'A smaller page is the beginning of a larger one, with one exception: with a point, the famous match and the best nearby match are on every page of two hits or more.',
  },
  aroundLatLng: {
    kind: 'point',
    fields: { query: 'around', reverse: 'at' },
    example: '48.8566,2.3522',
    description: 'The point to search around, as latitude and longitude in decimal degrees: `lat,lng`.',
    details: 'A space after the comma is allowed.',
  },
  mode: {
    kind: 'mode',
    fields: { reverse: 'mode' },
    values: REVERSE_MODES,
    default: 'nearest',
    example: 'containing',
    description:
      '`nearest`: hits by distance; `containing`: first the settlement that the point most plausibly lies in, then the nearest others in the same country.',
    details: 'See [The place that contains a point](#the-place-that-contains-a-point).',
  },
  aroundLatLngViaIP: {
    kind: 'address',
    fields: { query: null },
    example: '203.0.113.7',
    description:
      "Search around the location of this IPv4 or IPv6 address; `true` means the caller's own address, `false` means no point. Ignored if aroundLatLng is given.",
  },
  aroundRadius: {
    kind: 'metres',
    fields: { query: 'radiusMeters' },
    example: 50_000,
    description:
      "Return only places within this distance of the point, in metres. Needs aroundLatLng or aroundLatLngViaIP. A value above half the Earth's circumference is lowered to that. Without a radius, a point moves nearby places up and hides none.",
  },
  insideBoundingBox: {
    kind: 'box',
    fields: { query: 'box' },
    example: '47.3165,4.9665,47.3424,5.0201',
    description:
      'Return only places in this box, given by two opposite corners in decimal degrees: `lat1,lng1,lat2,lng2`. If the longitudes differ by more than 180, the first corner is the western one, so `-20,175,-15,-175` crosses the antimeridian.',
    details: 'Edges belong to the box. See [Searching in a box](#searching-in-a-box).',
  },
  typoTolerance: {
    kind: 'boolean',
    fields: { query: 'allowsTypos' },
    default: true,
    example: false,
    description:
      'Whether misspelt names and regions match. If `false`, words must match as typed; the last word may still be unfinished.',
    details:
      'With `false`, a name with a missing or extra space does not match either. Alternate names, codes, regions, other word orders and left-out words still do.',
  },
  minConfidence: {
    kind: 'number',
    fields: { query: 'minConfidence' },
    min: 0,
    max: 1,
    default: 0,
    example: 0.9,
    description: 'Return only hits of at least this confidence, from 0 to 1.',
    details: 'See [Confidence](#confidence). `nbHits` then counts the hits that are left.',
  },
  getRankingInfo: {
    kind: 'boolean',
    fields: { query: 'explain' },
    default: false,
    example: true,
    description: 'Whether each hit has `_rankingInfo`, which explains its rank.',
    details: 'See [Ranking information](#ranking-information).',
  },
  objectID: {
    kind: 'id',
    fields: { id: null },
    example: 'G2988507',
    description: 'Identifier of the record: a letter for its source, then digits.',
  },
  language: {
    kind: 'language',
    fields: { query: 'language', id: null, reverse: 'language' },
    example: 'fr',
    description:
      'BCP 47 tag of the language of names in the response. A place or division without a name in that language keeps its usual name.',
    details:
      '`de` shows München, `zh-TW` 慕尼黑: see [Names in a language](#names-in-a-language). An unknown or malformed tag is not an error.',
  },
  countries: {
    kind: 'countries',
    fields: { query: 'countries' },
    example: 'fr,be',
    description: 'Countries to search, as ISO 3166-1 alpha-2 codes. Separate several with commas.',
    details: 'Upper and lower case are the same.',
  },
} as const satisfies Readonly<Record<string, OptionDefinition>>;

export type OptionName = keyof typeof OPTIONS;

/** The order of lists, where it is not that of the table: these come first. */
const FIRST_OPTIONS: Partial<Record<EndpointName, readonly OptionName[]>> = {
  reverse: ['aroundLatLng', 'mode', 'hitsPerPage'],
};

export function optionsOf(endpoint: EndpointName): readonly OptionName[] {
  const names = (Object.keys(OPTIONS) as OptionName[]).filter((name) => endpoint in OPTIONS[name].fields);
  return [...new Set<OptionName>([...(FIRST_OPTIONS[endpoint] ?? []), ...names])];
}

/** The field of an option in the query of an endpoint, undefined if it has none. */
export function fieldOf(name: OptionName, endpoint: EndpointName): string | undefined {
  const { fields }: OptionDefinition = OPTIONS[name];
  return fields[endpoint] ?? undefined;
}
