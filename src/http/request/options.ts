/** The table of the API's options, for reading requests and for the OpenAPI document. */
import { type Address, parseAddress } from '../../access/address.ts';
import { MAX_RECORDS } from '../../access/keys/key-record.ts';
import { MAX_QUERY_BYTES, REVERSE_MODES, type ReverseMode } from '../../engine/engine.ts';
import { type BoundingBox, boxBetween } from '../../place/bounding-box.ts';
import { PLACE_TYPES, type PlaceType } from '../../place/place.ts';
import { HALF_CIRCUMFERENCE_METERS, type LatLng } from '../../place/sphere.ts';
import { quote } from '../errors.ts';
import { MAX_BODY_BYTES } from './body.ts';

const MAX_RADIUS_METERS = Math.ceil(HALF_CIRCUMFERENCE_METERS);

/** An invalid value. The message lacks the option's name, which read-options.ts adds. */
export class OptionValueError extends Error {}

export interface OptionSpec {
  readonly description: string;
  readonly example: string | number | boolean;
  /** JSON Schema for the OpenAPI document, as a literal so that typebox is not loaded here. */
  readonly schema: object;
  /** JSON types accepted in addition to strings. */
  readonly jsonTypes: readonly ('number' | 'boolean')[];
  /** Maximum length in bytes of UTF-8. */
  readonly maxBytes: number;
  readonly parse: (text: string) => unknown;
}

export const OPTIONS = {
  query: {
    description:
      'The search text. If empty or absent, the hits are the most important places that pass the filters. Coordinates in any usual form, or a link of a map with coordinates, find the place there.',
    example: 'par',
    schema: { type: 'string', maxLength: MAX_QUERY_BYTES }, // JSON Schema can only count characters
    jsonTypes: [],
    maxBytes: MAX_QUERY_BYTES,
    parse: (text: string) => text,
  },
  type: {
    description: `Types of places to return: ${PLACE_TYPES.join(', ')}; separate several with commas.`,
    example: 'city,town',
    schema: { type: 'string', pattern: listPattern(PLACE_TYPES.join('|')) },
    jsonTypes: [],
    maxBytes: 200,
    parse: parseTypes,
  },
  hitsPerPage: {
    description: `Maximum number of hits. A value above ${MAX_RECORDS}, or above the key's maximum, is lowered to that maximum.`,
    example: 5,
    schema: { type: 'integer', minimum: 1, default: MAX_RECORDS },
    jsonTypes: ['number'],
    maxBytes: 32,
    parse: parsePositiveInteger,
  },
  aroundLatLng: {
    description: 'The point to search around, as latitude and longitude in decimal degrees: `lat,lng`.',
    example: '48.8566,2.3522',
    schema: { type: 'string', pattern: '^\\s*[-+0-9.eE]+\\s*,\\s*[-+0-9.eE]+\\s*$' },
    jsonTypes: [],
    maxBytes: 100,
    parse: parseLatLng,
  },
  mode: {
    description:
      '`nearest`: hits by distance. `containing`: first the settlement that the point most plausibly lies in, then the nearest others in the same country.',
    example: 'containing',
    schema: { type: 'string', enum: REVERSE_MODES, default: 'nearest' },
    jsonTypes: [],
    maxBytes: 32,
    parse: parseMode,
  },
  aroundLatLngViaIP: {
    description:
      "Search around the location of this IPv4 or IPv6 address; `true` means the caller's own address, `false` means no point. Ignored if aroundLatLng is given.",
    example: '203.0.113.7',
    schema: { type: ['string', 'boolean'] },
    jsonTypes: ['boolean'],
    maxBytes: 100,
    parse: parseAddressOrOwn,
  },
  aroundRadius: {
    description:
      "Return only places within this distance of the point, in metres. Needs aroundLatLng or aroundLatLngViaIP. A value above half the Earth's circumference is lowered to that. Without a radius, a point moves nearby places up and hides none.",
    example: 50_000,
    schema: { type: 'integer', minimum: 1 },
    jsonTypes: ['number'],
    maxBytes: 32,
    parse: parseRadius,
  },
  insideBoundingBox: {
    description:
      'Return only places in this box, given by two opposite corners in decimal degrees: `lat1,lng1,lat2,lng2`. If the longitudes differ by more than 180, the first corner is the western one, so `-20,175,-15,-175` crosses the antimeridian.',
    example: '47.3165,4.9665,47.3424,5.0201',
    schema: { type: 'string', pattern: '^\\s*[-+0-9.eE]+\\s*(,\\s*[-+0-9.eE]+\\s*){3}$' },
    jsonTypes: [],
    maxBytes: 200,
    parse: parseBoundingBox,
  },
  typoTolerance: {
    description:
      'Whether misspelt names and regions match. If `false`, words must match as typed; the last word may still be unfinished.',
    example: false,
    schema: { type: 'boolean', default: true },
    jsonTypes: ['boolean', 'number'], // the numbers 0 and 1
    maxBytes: 32,
    parse: parseBoolean,
  },
  minConfidence: {
    description: 'Return only hits of at least this confidence, from 0 to 1.',
    example: 0.9,
    schema: { type: 'number', minimum: 0, maximum: 1, default: 0 },
    jsonTypes: ['number'],
    maxBytes: 32,
    parse: parseProbability,
  },
  getRankingInfo: {
    description: 'Whether each hit has `_rankingInfo`, which explains its rank.',
    example: true,
    schema: { type: 'boolean', default: false },
    jsonTypes: ['boolean', 'number'], // the numbers 0 and 1
    maxBytes: 32,
    parse: parseBoolean,
  },
  language: {
    description:
      'BCP 47 tag of the language of names in the response. A place or division without a name in that language keeps its usual name.',
    example: 'fr',
    schema: { type: 'string' },
    jsonTypes: [],
    maxBytes: MAX_BODY_BYTES, // invalid tags are ignored, however long
    parse: parseLanguage,
  },
  countries: {
    description: 'Countries to search, as ISO 3166-1 alpha-2 codes; separate several with commas.',
    example: 'fr,be',
    schema: { type: 'string', pattern: listPattern('[A-Za-z]{2}') },
    jsonTypes: [],
    maxBytes: 1024,
    parse: parseCountries,
  },
  objectID: {
    description: 'Identifier of the record: a letter for its source, then digits.',
    example: 'G2988507',
    schema: { type: 'string', minLength: 1, maxLength: 64 },
    jsonTypes: [],
    maxBytes: 64,
    parse: parseObjectID,
  },
} as const satisfies Record<string, OptionSpec>;

export type OptionName = keyof typeof OPTIONS;
export type OptionValues = { readonly [N in OptionName]?: ReturnType<(typeof OPTIONS)[N]['parse']> };

function parseTypes(text: string): PlaceType[] {
  const types = listItems(text).map((item) => {
    const type = PLACE_TYPES.find((known) => known === item.toLowerCase());
    if (type === undefined) {
      throw new OptionValueError(
        `must be one of ${PLACE_TYPES.join(', ')}, or several separated by commas, got ${quote(item)}`,
      );
    }
    return type;
  });
  return [...new Set(types)];
}

function parseCountries(text: string): string[] {
  const codes = listItems(text).map((item) => {
    if (!/^[A-Za-z]{2}$/.test(item)) {
      throw new OptionValueError(`must be two-letter country codes such as fr,be, got ${quote(item)}`);
    }
    return item.toUpperCase();
  });
  return [...new Set(codes)];
}

function parsePositiveInteger(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  if (value < 1) throw new OptionValueError(`must be an integer of at least 1, got ${quote(text)}`);
  return value;
}

function parseProbability(text: string): number {
  const value = /^\s*(?:\d+\.?\d*|\.\d+)(?:[eE]-?\d+)?\s*$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 0 && value <= 1)) throw new OptionValueError(`must be a number from 0 to 1, got ${quote(text)}`);
  return value;
}

function parseRadius(text: string): number {
  return Math.min(parsePositiveInteger(text), MAX_RADIUS_METERS);
}

const DECIMAL = String.raw`\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*`;
const LAT_LNG = new RegExp(`^${DECIMAL},${DECIMAL}$`);

function parseLatLng(text: string): LatLng {
  const match = LAT_LNG.exec(text);
  if (match === null) {
    throw new OptionValueError(
      `must be latitude and longitude in decimal degrees such as 48.8566,2.3522, got ${quote(text)}`,
    );
  }
  return checkedLatLng(Number(match[1]), Number(match[2]), text);
}

const ONE_NUMBER = new RegExp(`^${DECIMAL}$`);

function parseBoundingBox(text: string): BoundingBox {
  const numbers = text.split(',').map((item) => ONE_NUMBER.exec(item)?.[1]);
  if (numbers.length > 4 && numbers.length % 4 === 0 && !numbers.includes(undefined)) {
    throw new OptionValueError(`must be one box of four numbers, got ${numbers.length} numbers: ${quote(text)}`);
  }
  if (numbers.length !== 4 || numbers.includes(undefined)) {
    throw new OptionValueError(
      `must be two opposite corners in decimal degrees, lat1,lng1,lat2,lng2, such as 47.3165,4.9665,47.3424,5.0201, got ${quote(text)}`,
    );
  }
  const [lat1, lng1, lat2, lng2] = numbers.map(Number);
  return boxBetween(checkedLatLng(lat1!, lng1!, text), checkedLatLng(lat2!, lng2!, text));
}

function checkedLatLng(lat: number, lng: number, text: string): LatLng {
  return {
    lat: checkedDegrees('latitude', lat, { max: 90, text }),
    lng: checkedDegrees('longitude', lng, { max: 180, text }),
  };
}

function checkedDegrees(what: string, value: number, { max, text }: { max: number; text: string }): number {
  if (Math.abs(value) > max) {
    throw new OptionValueError(`${what} must be between -${max} and ${max}, got ${quote(text)}`);
  }
  return value === 0 ? 0 : value; // turns -0 into 0
}

function parseMode(text: string): ReverseMode {
  const mode = REVERSE_MODES.find((known) => known === text);
  if (mode === undefined) throw new OptionValueError(`must be ${REVERSE_MODES.join(' or ')}, got ${quote(text)}`);
  return mode;
}

function parseAddressOrOwn(text: string): Address | 'own' | 'none' {
  if (text === 'true') return 'own';
  if (text === 'false') return 'none';
  const address = parseAddress(text);
  if (address === undefined) {
    throw new OptionValueError(`must be an IPv4 or IPv6 address, or true for the caller's own, got ${quote(text)}`);
  }
  return address;
}

function parseBoolean(text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new OptionValueError(`must be true or false, got ${quote(text)}`);
}

/** Returns undefined for an invalid tag. */
function parseLanguage(text: string): string | undefined {
  return /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,8}$/.test(text) ? text.replaceAll('_', '-') : undefined;
}

function parseObjectID(text: string): string {
  if (text === '') throw new OptionValueError('must be the objectID of a record such as G2988507, got ""');
  return text;
}

function listItems(text: string): string[] {
  return text.split(',').map((item) => item.trim());
}

function listPattern(item: string): string {
  return `^\\s*(${item})\\s*(,\\s*(${item})\\s*)*$`;
}
