/** Checks the queries that callers of the library pass. The engine itself trusts its callers. */
import { MAX_QUERY_BYTES, REVERSE_MODES, type ReverseQuery, type SearchQuery } from '../engine/engine.ts';
import { MAX_HITS } from '../engine/page/cut-page.ts';
import { PLACE_TYPES } from '../place/place.ts';
import { isPlainObject, preview } from './values.ts';

/** A query for `search`. `limit` is 20 by default. */
export type SearchOptions = Omit<SearchQuery, 'limit'> & { readonly limit?: number | undefined };
/** A query for `reverse`. `limit` is 20 by default. */
export type ReverseOptions = Omit<ReverseQuery, 'limit' | 'city' | 'country' | 'filters'> & {
  readonly limit?: number | undefined;
};

/** Whether a value is valid, and which values are. */
interface Check {
  readonly isValid: (value: unknown) => boolean;
  readonly expected: string;
}

const TEXT: Check = {
  isValid: (value) => typeof value === 'string' && new TextEncoder().encode(value).length <= MAX_QUERY_BYTES,
  expected: `a string of at most ${MAX_QUERY_BYTES} bytes of UTF-8`,
};
const LIMIT: Check = {
  isValid: (value) => Number.isInteger(value) && (value as number) >= 1,
  expected: 'an integer of at least 1',
};
const TYPES: Check = {
  isValid: (value) => isListOf(value, (item) => (PLACE_TYPES as readonly unknown[]).includes(item)),
  expected: `a list of ${PLACE_TYPES.map((type) => `"${type}"`).join(', ')}`,
};
const COUNTRIES: Check = {
  isValid: (value) => isListOf(value, (item) => typeof item === 'string' && /^[A-Za-z]{2}$/.test(item)),
  expected: 'a list of two-letter country codes such as ["FR", "BE"]',
};
const POINT: Check = {
  isValid: (value) => isPlainObject(value) && isLat(value.lat) && isLng(value.lng),
  expected: 'an object such as { lat: 48.85, lng: 2.35 }, lat from -90 to 90 and lng from -180 to 180',
};
const RADIUS: Check = { isValid: (value) => isNumber(value) && value > 0, expected: 'a number of metres above 0' };
const BOX: Check = {
  isValid: (value) =>
    isPlainObject(value) &&
    [value.south, value.north].every(isLat) &&
    [value.west, value.east].every(isLng) &&
    (value.south as number) <= (value.north as number),
  expected: 'an object such as { south: 36.9, west: -123, north: 38.9, east: -121.2 }, south not above north',
};
const BOOLEAN: Check = { isValid: (value) => typeof value === 'boolean', expected: 'true or false' };
const LANGUAGE: Check = { isValid: (value) => typeof value === 'string', expected: 'a language tag such as "fr"' };
const PROBABILITY: Check = {
  isValid: (value) => isNumber(value) && value >= 0 && value <= 1,
  expected: 'a number from 0 to 1',
};
const MODE: Check = {
  isValid: (value) => (REVERSE_MODES as readonly unknown[]).includes(value),
  expected: REVERSE_MODES.map((mode) => `"${mode}"`).join(' or '),
};

const SEARCH_CHECKS: Readonly<Record<keyof SearchQuery, Check>> = {
  text: TEXT,
  limit: LIMIT,
  types: TYPES,
  countries: COUNTRIES,
  around: POINT,
  radiusMeters: RADIUS,
  box: BOX,
  allowsTypos: BOOLEAN,
  language: LANGUAGE,
  minConfidence: PROBABILITY,
  explain: BOOLEAN,
};
const REVERSE_CHECKS: Readonly<Record<keyof ReverseOptions, Check>> = {
  at: POINT,
  limit: LIMIT,
  mode: MODE,
  types: TYPES,
  language: LANGUAGE,
};

/** Options of the API, which the client has too, and their fields here. docs/library.md explains them. */
const FIELDS_BY_OPTION: Readonly<Record<string, readonly string[]>> = {
  query: ['text'],
  hitsPerPage: ['limit'],
  type: ['types'],
  aroundLatLng: ['around', 'at'],
  aroundRadius: ['radiusMeters'],
  insideBoundingBox: ['box'],
  typoTolerance: ['allowsTypos'],
  getRankingInfo: ['explain'],
};

/** Throws TypeError. */
export function checkedSearchQuery(given: SearchOptions): SearchQuery {
  const query = checkedFields('search', given, SEARCH_CHECKS, 'text');
  if (query.radiusMeters !== undefined && query.around === undefined) {
    throw new TypeError('search: radiusMeters needs a point: pass around, such as { lat: 48.85, lng: 2.35 }');
  }
  const countries = query.countries?.map((code) => code.toUpperCase());
  return { ...query, ...(countries && { countries }), limit: clampedLimit(query) };
}

/** Throws TypeError. */
export function checkedReverseQuery(given: ReverseOptions): ReverseQuery {
  const query = checkedFields('reverse', given, REVERSE_CHECKS, 'at');
  return { ...query, limit: clampedLimit(query) };
}

/** Copies the fields, because those of a class may be getters, which the engine would not see. */
function checkedFields<T extends object>(
  method: string,
  query: T,
  checks: Readonly<Record<keyof T, Check>>,
  requiredField: keyof T,
): T {
  if (!isPlainObject(query)) throw new TypeError(`${method}: the query must be an object, got ${preview(query)}`);
  const unknown = Object.keys(query).find((field) => !Object.hasOwn(checks, field));
  if (unknown !== undefined) {
    const known = Object.keys(checks);
    const field = Object.hasOwn(FIELDS_BY_OPTION, unknown)
      ? FIELDS_BY_OPTION[unknown]?.find((name) => known.includes(name))
      : undefined;
    const advice = field === undefined ? '' : `: this option of the API is the field "${field}" here`;
    throw new TypeError(`${method}: unknown field "${unknown}"${advice}. Known fields: ${known.join(', ')}`);
  }
  const fields: Partial<T> = {};
  for (const field of Object.keys(checks) as (keyof T & string)[]) {
    const value = query[field];
    if (value === undefined && field !== requiredField) continue;
    const { isValid, expected } = checks[field];
    if (!isValid(value)) throw new TypeError(`${method}: ${field} must be ${expected}, got ${preview(value)}`);
    fields[field] = value;
  }
  return fields as T;
}

function clampedLimit({ limit = MAX_HITS }: { readonly limit?: number | undefined }): number {
  return Math.min(limit, MAX_HITS);
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isLat(value: unknown): boolean {
  return isNumber(value) && Math.abs(value) <= 90;
}

function isLng(value: unknown): boolean {
  return isNumber(value) && Math.abs(value) <= 180;
}
