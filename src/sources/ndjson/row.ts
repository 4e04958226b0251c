/**
 * Parses a line of Toponym's NDJSON format into a row or a rejection. Pure and total: it never
 * throws.
 */
import { Compile } from 'typebox/compile';
import type { Place, PlaceName } from '../../place/place.ts';
import { guessType } from '../geonames/place-row.ts';
import { previewJson } from '../json-preview.ts';
import { canonicalLanguage } from '../language-tag.ts';
import {
  type DatasetLine,
  DatasetLineSchema,
  type PlaceLine,
  PlaceLineSchema,
  type RegionLine,
  RegionLineSchema,
} from './schema.ts';

export type NdjsonRow =
  | { readonly kind: 'place'; readonly place: PlaceLine }
  | { readonly kind: 'region'; readonly region: RegionLine['region'] }
  | { readonly kind: 'dataset'; readonly dataset: DatasetLine['dataset'] }
  | { readonly kind: 'rejected'; readonly reason: string; readonly got: string };

const placeLines = Compile(PlaceLineSchema);
const regionLines = Compile(RegionLineSchema);
const datasetLines = Compile(DatasetLineSchema);

export function parseNdjsonRow(text: string): NdjsonRow {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch (error) {
    return { kind: 'rejected', reason: 'not JSON', got: `${(error as Error).message}: ${text}` };
  }
  if (typeof line !== 'object' || line === null || Array.isArray(line)) {
    return { kind: 'rejected', reason: 'not an object', got: text };
  }
  if ('region' in line) {
    return regionLines.Check(line) ? { kind: 'region', ...line } : reject(line, regionLines.Errors(line));
  }
  if ('dataset' in line) {
    return datasetLines.Check(line) ? { kind: 'dataset', ...line } : reject(line, datasetLines.Errors(line));
  }
  return placeLines.Check(line) ? { kind: 'place', place: line } : reject(line, placeLines.Errors(line));
}

export interface DivisionKeys {
  readonly admin1?: string;
  readonly admin2?: string;
}

/** Creates the place that a line describes, in the divisions with these keys. */
export function createPlace(line: PlaceLine, keys: DivisionKeys): Place {
  const { id, lat, lng, country, timezone, adminRank = 0, externalIds } = line;
  // as in GeoNames, 0 means unknown
  const population = line.population === 0 ? undefined : line.population;
  return {
    id,
    type: line.type ?? guessType(population, adminRank),
    names: collectNames(line),
    lat,
    lng,
    country,
    adminRank,
    ...keys,
    ...(population === undefined ? {} : { population }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(externalIds === undefined ? {} : { externalIds }),
  };
}

/** The main name comes first, then the others in the order of the line. */
function collectNames({ name, names = {} }: PlaceLine): PlaceName[] {
  const all: PlaceName[] = [{ value: name, kind: 'main' }];
  const seen = new Set([`\t${name}`]);
  for (const [tag, values] of Object.entries(names)) {
    const language = tag === 'und' ? undefined : canonicalLanguage(tag);
    for (const entry of values) {
      const { value, kind } = typeof entry === 'string' ? ({ value: entry, kind: 'alternate' } as const) : entry;
      const key = `${language ?? ''}\t${value}`;
      if (seen.has(key)) continue;
      seen.add(key);
      // only `name` is the main name
      const plainName = { value, kind: kind === 'main' ? 'alternate' : kind } as const;
      all.push(language === undefined ? plainName : { ...plainName, language });
    }
  }
  return all;
}

interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

function reject(line: object, errors: readonly SchemaError[]): NdjsonRow {
  const [error] = errors;
  if (error === undefined) return { kind: 'rejected', reason: 'does not match the schema', got: previewJson(line) };
  const { params, keyword, instancePath } = error;
  if (keyword === 'required' && 'requiredProperties' in params) {
    const missing = (params.requiredProperties as string[]).join(', ');
    return { kind: 'rejected', reason: `${missing} missing`, got: previewJson(line) };
  }
  // the validator's keyword for a field that is not allowed
  if (keyword === 'boolean') {
    const unknown = instancePath.slice(1).replaceAll('/', '.');
    return { kind: 'rejected', reason: 'unknown field', got: `${unknown} in ${previewJson(line)}` };
  }
  const path = instancePath.slice(1).split('/');
  const value = path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], line);
  const prefix = path.length === 1 ? '' : `${path.join('.')}: `;
  const got = `${prefix}${previewJson(value)} ${error.message}${hint(line)}`;
  return { kind: 'rejected', reason: `bad ${path[0]}`, got };
}

function hint(line: object): string {
  const { lat, lng } = line as { lat?: unknown; lng?: unknown };
  const areSwapped = typeof lat === 'number' && typeof lng === 'number' && Math.abs(lat) > 90 && Math.abs(lng) <= 90;
  return areSwapped ? ' (lat and lng swapped?)' : '';
}
