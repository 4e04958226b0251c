/** Parses and checks the `meta` section, which is JSON. */
import { decodeUtf8 } from '../text/utf8.ts';
import { damagedSection } from './format-error.ts';
import type { Meta } from './layout.ts';

const COUNTRY_CODE = /^[A-Z]{2}$/;
/** Tags become property names, so `toString`, say, must not match. */
const LANGUAGE_TAG = /^([A-Za-z]{2,3}([-_][A-Za-z0-9]+)*)?$/;

/** Throws IndexFormatError. */
export function parseMeta(bytes: Uint8Array): Meta {
  const fields = parseObject(decodeUtf8(bytes));
  const meta = {
    version: readString(fields, 'version'),
    attribution: readStrings(fields, 'attribution'),
    places: readCount(fields, 'places'),
    names: readCount(fields, 'names'),
    countries: readStrings(fields, 'countries', COUNTRY_CODE),
    timezones: readStrings(fields, 'timezones'),
    languages: readStrings(fields, 'languages', LANGUAGE_TAG),
  };
  return fields.replaces === undefined ? meta : { ...meta, replaces: readStrings(fields, 'replaces') };
}

type Fields = Readonly<Record<string, unknown>>;

function parseObject(json: string): Fields {
  try {
    const value = JSON.parse(json) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // reported below
  }
  throw damagedSection('meta', 'it is not a JSON object');
}

function readString(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw damagedSection('meta', `${name} is not a string`);
  return value;
}

function readCount(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw damagedSection('meta', `${name} is not a count`);
  }
  return value;
}

function readStrings(fields: Fields, name: string, pattern?: RegExp): string[] {
  const value = fields[name];
  if (!Array.isArray(value)) throw damagedSection('meta', `${name} is not a list`);
  return value.map((item: unknown) => {
    if (typeof item === 'string' && (pattern === undefined || pattern.test(item))) return item;
    throw damagedSection('meta', `${name} contains ${JSON.stringify(item)}`);
  });
}
