/** The `meta` section: JSON with what the other sections refer to by number. Checked field by field when opened. */
import { damagedSection } from './format-error.ts';
import type { Meta } from './layout.ts';

const COUNTRY = /^[A-Z]{2}$/;
/** Empty where the language is not known. Languages become names of fields, so nothing like `toString` may pass. */
const LANGUAGE = /^([A-Za-z]{2,3}([-_][A-Za-z0-9]+)*)?$/;

/** Throws IndexFormatError. */
export function parseMeta(bytes: Uint8Array): Meta {
  const fields = parseObject(Buffer.from(bytes).toString());
  const meta = {
    version: text(fields, 'version'),
    attribution: texts(fields, 'attribution'),
    places: count(fields, 'places'),
    names: count(fields, 'names'),
    countries: texts(fields, 'countries', COUNTRY),
    timezones: texts(fields, 'timezones'),
    languages: texts(fields, 'languages', LANGUAGE),
  };
  return fields.replaces === undefined ? meta : { ...meta, replaces: texts(fields, 'replaces') };
}

type Fields = Readonly<Record<string, unknown>>;

function parseObject(json: string): Fields {
  try {
    const value = JSON.parse(json) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // reported below, like any other value
  }
  throw damagedSection('meta', 'it is not a JSON object');
}

function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw damagedSection('meta', `${name} is not a string`);
  return value;
}

function count(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw damagedSection('meta', `${name} is not a count`);
  }
  return value;
}

function texts(fields: Fields, name: string, pattern?: RegExp): string[] {
  const value = fields[name];
  if (!Array.isArray(value)) throw damagedSection('meta', `${name} is not a list`);
  return value.map((item: unknown) => {
    if (typeof item === 'string' && (pattern === undefined || pattern.test(item))) return item;
    throw damagedSection('meta', `${name} holds ${JSON.stringify(item)}`);
  });
}
