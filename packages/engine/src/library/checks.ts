/** Checks what callers of the library pass, by the table OPTIONS. The engine trusts its callers. */

import { MAX_QUERY_BYTES, type ReverseQuery, type SearchQuery } from '../engine.ts';
import {
  fieldOf,
  OPTIONS,
  type OptionDefinition,
  type OptionKind,
  type OptionName,
  optionsOf,
  REVERSE_MODES,
} from '../options.ts';
import { PLACE_TYPES } from '../place/place.ts';
import { MAX_HITS } from '../work-budget.ts';

/** A query for `search`. `limit` is 20 by default. */
export type SearchOptions = Omit<SearchQuery, 'limit'> & { readonly limit?: number | undefined };
/** A query for `reverse`. `limit` is 20 by default. */
export type ReverseOptions = Omit<ReverseQuery, 'limit' | 'city' | 'country' | 'filters'> & {
  readonly limit?: number | undefined;
};

/** The bytes of an index file. They must not change later. */
export type IndexBytes = ArrayBuffer | SharedArrayBuffer | ArrayBufferView;

/** Whether a value is valid, and which values are. */
export interface Check {
  readonly isValid: (value: unknown) => boolean;
  readonly expected: string;
}

/** Addresses and identifiers are in no query. */
type FieldKind = Exclude<OptionKind, 'address' | 'id'>;

const CHECKS: Readonly<Record<FieldKind, Check | ((option: OptionDefinition) => Check)>> = {
  text: {
    isValid: (value) => typeof value === 'string' && new TextEncoder().encode(value).length <= MAX_QUERY_BYTES,
    expected: `a string of at most ${MAX_QUERY_BYTES} bytes of UTF-8`,
  },
  integer: {
    isValid: (value) => Number.isInteger(value) && (value as number) >= 1,
    expected: 'an integer of at least 1',
  },
  number: ({ min = 0, max = Number.POSITIVE_INFINITY }) => ({
    isValid: (value) => isNumber(value) && value >= min && value <= max,
    expected: `a number from ${min} to ${max}`,
  }),
  types: {
    isValid: (value) => isListOf(value, (item) => (PLACE_TYPES as readonly unknown[]).includes(item)),
    expected: `a list of ${PLACE_TYPES.map((type) => `"${type}"`).join(', ')}`,
  },
  countries: {
    isValid: (value) => isListOf(value, (item) => typeof item === 'string' && /^[A-Za-z]{2}$/.test(item)),
    expected: 'a list of two-letter country codes such as ["FR", "BE"]',
  },
  point: {
    isValid: (value) => isPlainObject(value) && isLat(value.lat) && isLng(value.lng),
    expected: 'an object such as { lat: 48.85, lng: 2.35 }, lat from -90 to 90 and lng from -180 to 180',
  },
  metres: { isValid: (value) => isNumber(value) && value > 0, expected: 'a number of metres above 0' },
  box: {
    isValid: (value) =>
      isPlainObject(value) &&
      [value.south, value.north].every(isLat) &&
      [value.west, value.east].every(isLng) &&
      (value.south as number) <= (value.north as number),
    expected: 'an object such as { south: 36.9, west: -123, north: 38.9, east: -121.2 }, south not above north',
  },
  boolean: { isValid: (value) => typeof value === 'boolean', expected: 'true or false' },
  language: { isValid: (value) => typeof value === 'string', expected: 'a language tag such as "fr"' },
  mode: {
    isValid: (value) => (REVERSE_MODES as readonly unknown[]).includes(value),
    expected: REVERSE_MODES.map((mode) => `"${mode}"`).join(' or '),
  },
};

type QueryChecks = ReadonlyMap<string, Check>;

/** The checks of a query's fields, in the order of the table, but with these fields first. */
function checksOf(endpoint: 'query' | 'reverse', first: readonly string[]): QueryChecks {
  const checks = optionsOf(endpoint).flatMap((name) => {
    const option: OptionDefinition = OPTIONS[name];
    const field = fieldOf(name, endpoint);
    const check = CHECKS[option.kind as FieldKind];
    return field === undefined ? [] : [[field, typeof check === 'function' ? check(option) : check] as const];
  });
  const rank = (field: string) => (first.includes(field) ? first.indexOf(field) : first.length);
  return new Map(checks.sort(([a], [b]) => rank(a) - rank(b)));
}

const FIRST_SEARCH_FIELDS: readonly (keyof SearchQuery)[] = [
  'text',
  'limit',
  'types',
  'countries',
  'around',
  'radiusMeters',
  'box',
  'allowsTypos',
  'language',
];
const SEARCH_CHECKS = checksOf('query', FIRST_SEARCH_FIELDS);
const REVERSE_CHECKS = checksOf('reverse', ['at', 'limit', 'mode']);

/** Throws TypeError. */
export function checkedSearchQuery(given: SearchOptions): SearchQuery {
  const query = checkedFields('query', given, SEARCH_CHECKS, 'text');
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
  endpoint: 'query' | 'reverse',
  query: T,
  checks: QueryChecks,
  requiredField: keyof T,
): T {
  const method = endpoint === 'query' ? 'search' : 'reverse';
  if (!isPlainObject(query)) throw new TypeError(`${method}: the query must be an object, got ${preview(query)}`);
  const unknown = Object.keys(query).find((field) => !checks.has(field));
  if (unknown !== undefined) {
    const field = Object.hasOwn(OPTIONS, unknown) ? fieldOf(unknown as OptionName, endpoint) : undefined;
    const advice = field === undefined ? '' : `: this option of the API is the field "${field}" here`;
    throw new TypeError(
      `${method}: unknown field "${unknown}"${advice}. Known fields: ${[...checks.keys()].join(', ')}`,
    );
  }
  const fields: Record<string, unknown> = {};
  for (const [field, { isValid, expected }] of checks) {
    const value = query[field];
    if (value === undefined && field !== requiredField) continue;
    if (!isValid(value)) throw new TypeError(`${method}: ${field} must be ${expected}, got ${preview(value)}`);
    fields[field] = value;
  }
  return fields as T;
}

function clampedLimit({ limit = MAX_HITS }: { readonly limit?: number | undefined }): number {
  return Math.min(limit, MAX_HITS);
}

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isIndexBytes(value: unknown): value is IndexBytes {
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return true;
  // pages that are not isolated from other origins have no SharedArrayBuffer
  return typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer;
}

/** The buffer with exactly these bytes: a copy if they are a part of a larger buffer. */
export function bufferOf(bytes: IndexBytes): ArrayBuffer | SharedArrayBuffer {
  if (!ArrayBuffer.isView(bytes)) return bytes;
  const { buffer, byteOffset, byteLength } = bytes;
  return byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
}

/** A value as JSON, cut to a readable length, for messages. */
export function preview(value: unknown): string {
  const text = toText(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function toText(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'string' && typeof value !== 'object') return String(value);
  try {
    return JSON.stringify(value);
  } catch {
    return `an ${typeof value} that JSON cannot show`; // such as one that contains itself
  }
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
