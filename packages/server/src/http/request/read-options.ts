/**
 * Reads the options of a request from its URL and body, by the kinds of values in the table OPTIONS. Each
 * option may be given once.
 */
import { type Address, parseAddress } from 'toponym-access/address';
import { MAX_QUERY_BYTES, type ReverseMode } from 'toponym-engine/engine';
import {
  OPTIONS,
  type OptionDefinition,
  type OptionKind,
  type OptionName,
  REVERSE_MODES,
} from 'toponym-engine/options';
import { type BoundingBox, boxBetween } from 'toponym-engine/place/bounding-box';
import { PLACE_TYPES, type PlaceType } from 'toponym-engine/place/place';
import { HALF_CIRCUMFERENCE_METERS, type LatLng } from 'toponym-engine/place/sphere';
import { invalidOption, quote, RequestError } from '../errors.ts';
import { MAX_BODY_BYTES, type RequestBody } from './body.ts';
import { type JsonScalar, nameOfType, readForm, readJson } from './option-pairs.ts';

const MAX_RADIUS_METERS = Math.ceil(HALF_CIRCUMFERENCE_METERS);

/** An invalid value. The message lacks the option's name. */
class OptionValueError extends Error {}

interface Kind {
  /** JSON Schema for the OpenAPI document. */
  readonly schema: (option: OptionDefinition) => object;
  /** JSON types accepted in addition to strings. */
  readonly jsonTypes?: readonly ('number' | 'boolean')[];
  /** Maximum length in bytes of UTF-8; 32 by default. */
  readonly maxBytes?: number;
  readonly parse: (text: string, option: OptionDefinition) => unknown;
}

const KINDS = {
  text: {
    schema: () => ({ type: 'string', maxLength: MAX_QUERY_BYTES }), // JSON Schema can only count characters
    maxBytes: MAX_QUERY_BYTES,
    parse: (text: string) => text,
  },
  types: {
    schema: () => ({ type: 'string', pattern: listPattern(PLACE_TYPES.join('|')) }),
    maxBytes: 200,
    parse: parseTypes,
  },
  integer: {
    schema: () => ({ type: 'integer', minimum: 1 }),
    jsonTypes: ['number'],
    parse: parsePositiveInteger,
  },
  number: {
    schema: ({ min, max }) => ({ type: 'number', minimum: min, maximum: max }),
    jsonTypes: ['number'],
    parse: parseNumber,
  },
  metres: {
    schema: () => ({ type: 'integer', minimum: 1 }),
    jsonTypes: ['number'],
    parse: (text: string) => Math.min(parsePositiveInteger(text), MAX_RADIUS_METERS),
  },
  boolean: {
    schema: () => ({ type: 'boolean' }),
    jsonTypes: ['boolean', 'number'], // the numbers 0 and 1
    parse: parseBoolean,
  },
  mode: {
    schema: () => ({ type: 'string', enum: REVERSE_MODES }),
    parse: (text: string): ReverseMode =>
      REVERSE_MODES.find((known) => known === text) ?? refuse(`must be ${REVERSE_MODES.join(' or ')}`, text),
  },
  point: {
    schema: () => ({ type: 'string', pattern: '^\\s*[-+0-9.eE]+\\s*,\\s*[-+0-9.eE]+\\s*$' }),
    maxBytes: 100,
    parse: parseLatLng,
  },
  box: {
    schema: () => ({ type: 'string', pattern: '^\\s*[-+0-9.eE]+\\s*(,\\s*[-+0-9.eE]+\\s*){3}$' }),
    maxBytes: 200,
    parse: parseBoundingBox,
  },
  address: {
    schema: () => ({ type: ['string', 'boolean'] }),
    jsonTypes: ['boolean'],
    maxBytes: 100,
    parse: parseAddressOrOwn,
  },
  countries: {
    schema: () => ({ type: 'string', pattern: listPattern('[A-Za-z]{2}') }),
    maxBytes: 1024,
    parse: parseCountries,
  },
  language: {
    schema: () => ({ type: 'string' }),
    maxBytes: MAX_BODY_BYTES, // invalid tags are ignored, however long
    parse: parseLanguage,
  },
  id: {
    schema: () => ({ type: 'string', minLength: 1, maxLength: 64 }),
    maxBytes: 64,
    parse: (text: string) => text || refuse('must be the objectID of a record such as G2988507', text),
  },
} as const satisfies Readonly<Record<OptionKind, Kind>>;

export type OptionValues = {
  readonly [N in OptionName]?: ReturnType<(typeof KINDS)[(typeof OPTIONS)[N]['kind']]['parse']> | undefined;
};

/** Throws RequestError if an option is invalid, unknown or given twice. */
export function readOptions(
  queryString: string,
  body: RequestBody | undefined,
  allowed: readonly OptionName[],
): OptionValues {
  const given = new Map<OptionName, JsonScalar>();
  const collect = (name: string, value: JsonScalar) => {
    const option = allowed.find((candidate) => candidate === name);
    if (option === undefined) {
      const message = `${quote(name)} is not an option here; the options are ${allowed.join(', ')}`;
      throw new RequestError('unknown_option', message);
    }
    if (given.has(option)) {
      const message = `${option} was given twice; give it once, in the body or in the URL`;
      throw new RequestError('duplicate_option', message);
    }
    given.set(option, value);
  };

  readForm(queryString, collect);
  if (body?.format === 'form') {
    // `curl -d '{…}'` sends JSON labelled as a form
    if (body.byteString.startsWith('{')) throw new RequestError('invalid_body', JSON_LABELLED_AS_FORM);
    readForm(body.byteString, collect);
  }
  if (body?.format === 'json' && body.byteString.length > 0) {
    for (const [name, value] of body.pairs ?? readJson(body.byteString)) collect(name, value);
  }

  // the overridden value is not even checked
  if (given.has('aroundLatLng')) given.delete('aroundLatLngViaIP');
  const values: Partial<Record<OptionName, unknown>> = {};
  for (const [name, value] of given) values[name] = parseOption(name, value);
  return values as OptionValues;
}

export function requireOption<T>(name: OptionName, value: T | undefined): T {
  if (value !== undefined) return value;
  const message = `${name} is required, for example ${name}=${OPTIONS[name].example}`;
  throw new RequestError('missing_option', message);
}

/** The JSON Schema of an option's values. */
export function optionSchema(name: OptionName): object {
  const option: OptionDefinition = OPTIONS[name];
  const schema = KINDS[option.kind].schema(option);
  return option.default === undefined ? schema : { ...schema, default: option.default };
}

/** Returns undefined for an invalid tag. */
export function parseLanguage(text: string): string | undefined {
  return /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,8}$/.test(text) ? text.replaceAll('_', '-') : undefined;
}

const JSON_LABELLED_AS_FORM =
  'the body looks like JSON, but its Content-Type says it is a form; send Content-Type: application/json with it';

/** Errors call the option `shownName`. Throws RequestError. */
export function parseOption(name: OptionName, value: JsonScalar, shownName: string = name): unknown {
  const option: OptionDefinition = OPTIONS[name];
  const kind: Kind = KINDS[option.kind];
  try {
    return kind.parse(checkedText(kind, value), option);
  } catch (error) {
    if (!(error instanceof OptionValueError)) throw error;
    throw invalidOption(shownName, error.message);
  }
}

/** Returns the value as text. Throws OptionValueError if the value is invalid. */
function checkedText({ jsonTypes = [], maxBytes = 32 }: Kind, value: JsonScalar): string {
  if (typeof value !== 'string') {
    if (jsonTypes.some((type) => type === typeof value)) return String(value);
    const wanted = ['string', ...jsonTypes].join(' or ');
    throw new OptionValueError(`must be a ${wanted}, got ${nameOfType(value)} ${value}`);
  }
  if (value.includes('\0')) throw new OptionValueError('must not contain NUL characters');
  if (!value.isWellFormed()) throw new OptionValueError('must be Unicode text, got half of a surrogate pair');
  const bytes = Buffer.byteLength(value);
  if (bytes > maxBytes) {
    throw new OptionValueError(`must not be longer than ${maxBytes} bytes of UTF-8, got ${bytes}`);
  }
  return value;
}

function refuse(wanted: string, got: string): never {
  throw new OptionValueError(`${wanted}, got ${quote(got)}`);
}

function parseTypes(text: string): PlaceType[] {
  return parseList(text, (item) => {
    const type = PLACE_TYPES.find((known) => known === item.toLowerCase());
    return type ?? refuse(`must be one of ${PLACE_TYPES.join(', ')}, or several separated by commas`, item);
  });
}

function parseCountries(text: string): string[] {
  return parseList(text, (item) =>
    /^[A-Za-z]{2}$/.test(item) ? item.toUpperCase() : refuse('must be two-letter country codes such as fr,be', item),
  );
}

/** Without repeated items. */
function parseList<Item>(text: string, parseItem: (item: string) => Item): Item[] {
  return [...new Set(text.split(',').map((item) => parseItem(item.trim())))];
}

function parsePositiveInteger(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  return value >= 1 ? value : refuse('must be an integer of at least 1', text);
}

function parseNumber(text: string, { min = 0, max = Number.POSITIVE_INFINITY }: OptionDefinition): number {
  const value = /^\s*(?:\d+\.?\d*|\.\d+)(?:[eE]-?\d+)?\s*$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : refuse(`must be a number from ${min} to ${max}`, text);
}

const DECIMAL = String.raw`\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*`;
const LAT_LNG = new RegExp(`^${DECIMAL},${DECIMAL}$`);

function parseLatLng(text: string): LatLng {
  const wanted = 'must be latitude and longitude in decimal degrees such as 48.8566,2.3522';
  const [, lat, lng] = LAT_LNG.exec(text) ?? refuse(wanted, text);
  return checkedLatLng(Number(lat), Number(lng), text);
}

const ONE_NUMBER = new RegExp(`^${DECIMAL}$`);

function parseBoundingBox(text: string): BoundingBox {
  const numbers = text.split(',').map((item) => ONE_NUMBER.exec(item)?.[1]);
  if (numbers.length > 4 && numbers.length % 4 === 0 && !numbers.includes(undefined)) {
    throw new OptionValueError(`must be one box of four numbers, got ${numbers.length} numbers: ${quote(text)}`);
  }
  if (numbers.length !== 4 || numbers.includes(undefined)) {
    const example = '47.3165,4.9665,47.3424,5.0201';
    refuse(`must be two opposite corners in decimal degrees, lat1,lng1,lat2,lng2, such as ${example}`, text);
  }
  const [lat1, lng1, lat2, lng2] = numbers.map(Number);
  return boxBetween(checkedLatLng(lat1!, lng1!, text), checkedLatLng(lat2!, lng2!, text));
}

function checkedLatLng(lat: number, lng: number, text: string): LatLng {
  if (Math.abs(lat) > 90) refuse('latitude must be between -90 and 90', text);
  if (Math.abs(lng) > 180) refuse('longitude must be between -180 and 180', text);
  return { lat: lat || 0, lng: lng || 0 }; // turns -0 into 0
}

function parseAddressOrOwn(text: string): Address | 'own' | 'none' {
  if (text === 'true') return 'own';
  if (text === 'false') return 'none';
  return parseAddress(text) ?? refuse("must be an IPv4 or IPv6 address, or true for the caller's own", text);
}

function parseBoolean(text: string): boolean {
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : refuse('must be true or false', text);
}

function listPattern(item: string): string {
  return `^\\s*(${item})\\s*(,\\s*(${item})\\s*)*$`;
}
