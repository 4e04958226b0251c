/** The `meta` section: JSON with counts and lookup tables. Every field is checked. */
import { damagedSection } from './format-error.ts';
import type { Meta } from './layout.ts';

const COUNTRY = /^[A-Z]{2}$/;
/** A tag, or empty if unknown. Tags become property names, so `toString` must not match. */
const LANGUAGE = /^([A-Za-z]{2,3}([-_][A-Za-z0-9]+)*)?$/;

/** Throws IndexFormatError. */
export function parseMeta(bytes: Uint8Array): Meta {
  const fields = parseObject(Buffer.from(bytes).toString());
  const meta = {
    version: readText(fields, 'version'),
    attribution: readTexts(fields, 'attribution'),
    places: readCount(fields, 'places'),
    names: readCount(fields, 'names'),
    countries: readTexts(fields, 'countries', COUNTRY),
    timezones: readTexts(fields, 'timezones'),
    languages: readTexts(fields, 'languages', LANGUAGE),
  };
  return fields.replaces === undefined ? meta : { ...meta, replaces: readTexts(fields, 'replaces') };
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

function readText(fields: Fields, name: string): string {
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

function readTexts(fields: Fields, name: string, pattern?: RegExp): string[] {
  const value = fields[name];
  if (!Array.isArray(value)) throw damagedSection('meta', `${name} is not a list`);
  return value.map((item: unknown) => {
    if (typeof item === 'string' && (pattern === undefined || pattern.test(item))) return item;
    throw damagedSection('meta', `${name} contains ${JSON.stringify(item)}`);
  });
}
