/** The client's types agree with the OpenAPI document. The compiler checks the lists in this file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  ApiErrorCode,
  FullRecord,
  GetOptions,
  Hit,
  Hits,
  PlaceType,
  QueryOptions,
  RankingInfo,
  ReverseOptions,
} from '../../src/client/client.ts';
import { createOpenApi } from '../../src/http/response/openapi.ts';

/** The name of every field of T, and whether it may be absent. */
type Fields<T> = { readonly [K in keyof T]-?: object extends Pick<T, K> ? 'optional' : 'required' };
type Names<T extends string> = { readonly [K in T]: true };

interface Schema {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const api = createOpenApi({ keyHeader: 'X-Service-Key', version: '0.0.0' }) as {
  readonly paths: Readonly<Record<string, { readonly post: { readonly parameters: readonly { name: string }[] } }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema & { readonly enum?: readonly string[] }>>;
    readonly securitySchemes: { readonly key: object };
  };
};
const { schemas } = api.components;

const RECORD = {
  objectID: 'required',
  name: 'required',
  type: 'required',
  label: 'required',
  country: 'required',
  country_code: 'required',
  administrative: 'required',
  county: 'required',
  population: 'optional',
  importance: 'required',
  timezone: 'optional',
  _geoloc: 'required',
  bbox: 'required',
} as const;

const HIT: Fields<Hit> = {
  ...RECORD,
  distance: 'optional',
  bearing: 'optional',
  inside: 'optional',
  confidence: 'optional',
  matchCode: 'optional',
  matchedName: 'optional',
  _highlightResult: 'required',
  _rankingInfo: 'optional',
};

const FULL_RECORD: Fields<FullRecord> = { ...RECORD, names: 'required', supersededBy: 'optional' };

const HITS: Fields<Hits> = {
  hits: 'required',
  nbHits: 'required',
  exhaustiveNbHits: 'optional',
  exhaustive: 'optional',
  hitsPerPage: 'required',
  query: 'required',
  params: 'required',
  processingTimeMS: 'required',
  aroundLatLng: 'optional',
  pointCountry: 'optional',
  message: 'optional',
  matchedRegion: 'optional',
  degradedQuery: 'optional',
  dataset: 'required',
};

const RANKING_INFO: Fields<RankingInfo> = {
  stage: 'required',
  nbTypos: 'required',
  firstMatchedWord: 'required',
  proximityDistance: 'required',
  userScore: 'required',
  geoDistance: 'required',
  geoPrecision: 'required',
  nbExactWords: 'required',
  words: 'required',
  filters: 'required',
  matchedGeoLocation: 'optional',
  criteria: 'required',
  decidedBy: 'optional',
};

const MATCHED_NAME: Fields<NonNullable<Hit['matchedName']>> = {
  value: 'required',
  language: 'optional',
  typos: 'required',
};
const HIGHLIGHT: Fields<Hit['_highlightResult']['name']> = {
  value: 'required',
  matchLevel: 'required',
  matchedWords: 'required',
};
const MATCHED_REGION: Fields<NonNullable<Hits['matchedRegion']>> = {
  name: 'required',
  code: 'required',
  level: 'required',
};
const DEGRADED_QUERY: Fields<NonNullable<Hits['degradedQuery']>> = {
  query: 'required',
  dropped: 'required',
  corrected: 'required',
  expanded: 'required',
};
const DATASET: Fields<Hits['dataset']> = { version: 'required', attribution: 'required', places: 'required' };

for (const [name, fields, schema] of [
  ['a hit', HIT, schemas.Hit],
  ['a full record', FULL_RECORD, schemas.FullRecord],
  ['the response of query and reverse', HITS, schemas.Hits],
  ['the ranking information', RANKING_INFO, schemas.RankingInfo],
  ['a matched name', MATCHED_NAME, schemas.MatchedName],
  ['a highlighted name', HIGHLIGHT, schemas.HighlightedName],
  ['a matched region', MATCHED_REGION, schemas.MatchedRegion],
  ['a degraded query', DEGRADED_QUERY, schemas.DegradedQuery],
  ['the data set', DATASET, schemas.Dataset],
] as const) {
  test(`the type of ${name} has the fields of the OpenAPI document`, () => {
    const { properties = {}, required = [] } = schema ?? {};
    const documented = Object.keys(properties).map((field) => [
      field,
      required.includes(field) ? 'required' : 'optional',
    ]);
    assert.deepEqual(fields, Object.fromEntries(documented));
  });
}

for (const [endpoint, options] of [
  [
    'query',
    {
      type: ['city', 'town'],
      aroundLatLng: { lat: 1, lng: 2 },
      aroundLatLngViaIP: true,
      insideBoundingBox: [1, 2, 3, 4],
      minConfidence: 0.5,
      countries: 'fr',
    } satisfies QueryOptions,
  ],
  ['id', { language: 'fr' } satisfies GetOptions],
  ['reverse', { type: 'city', mode: 'containing', hitsPerPage: 1, language: 'fr' } satisfies ReverseOptions],
  // @ts-expect-error: the text is an argument of `query`
  ['query', { query: 'paris' } satisfies QueryOptions],
  // @ts-expect-error: not text
  ['query', { minConfidence: '0.5' } satisfies QueryOptions],
  // @ts-expect-error: the point is an argument of `reverse`
  ['reverse', { aroundLatLng: '1,2' } satisfies ReverseOptions],
] as const) {
  test(`the endpoint ${endpoint} has the options ${Object.keys(options)} of the client`, () => {
    const { parameters = [] } = api.paths[`/api/1/${endpoint}`]?.post ?? {};
    const names = new Set(parameters.map(({ name }) => name));
    assert.deepEqual(new Set(Object.keys(options)).difference(names), new Set());
  });
}

const ERROR_CODES: Names<ApiErrorCode> = {
  invalid_option: true,
  missing_option: true,
  unknown_option: true,
  duplicate_option: true,
  invalid_body: true,
  bad_request: true,
  key_missing: true,
  key_unknown: true,
  key_expired: true,
  key_revoked: true,
  origin_not_allowed: true,
  address_not_allowed: true,
  not_found: true,
  object_not_found: true,
  method_not_allowed: true,
  request_timeout: true,
  body_too_large: true,
  unsupported_media_type: true,
  expectation_failed: true,
  rate_limited: true,
  quota_exceeded: true,
  headers_too_large: true,
  internal: true,
  overloaded: true,
  draining: true,
  not_ready: true,
};
const PLACE_TYPES: Names<PlaceType> = {
  city: true,
  town: true,
  village: true,
  hamlet: true,
  locality: true,
  'suburban area': true,
};
const MATCH_CODES: Names<NonNullable<Hit['matchCode']>> = {
  exact: true,
  alias: true,
  ambiguous: true,
  corrected: true,
  partial: true,
  region: true,
};
const MATCH_LEVELS: Names<Hit['_highlightResult']['name']['matchLevel']> = { none: true, partial: true, full: true };

for (const [name, values, schema] of [
  ['error codes', ERROR_CODES, schemas.ErrorCode],
  ['types of places', PLACE_TYPES, schemas.PlaceType],
  ['match codes', MATCH_CODES, schemas.MatchCode],
  ['match levels', MATCH_LEVELS, schemas.MatchLevel],
] as const) {
  test(`the client knows the ${name} of the OpenAPI document`, () => {
    assert.deepEqual(Object.keys(values).sort(), [...(schema?.enum ?? [])].sort());
  });
}
