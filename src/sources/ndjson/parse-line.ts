/** Parses a line of Toponym's NDJSON format, and creates the place that a line describes. */
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import type { Place, PlaceName } from '../../place/place.ts';
import { canonicalLanguage, guessType } from '../place-values.ts';
import type { DivisionKeys } from '../regions/known-divisions.ts';
import { previewJson, type Rejection } from '../report.ts';
import {
  bboxFault,
  type DatasetLine,
  DatasetLineSchema,
  formatFieldPath,
  type PlaceLine,
  PlaceLineSchema,
  parseBbox,
  type RegionLine,
  RegionLineSchema,
  UNKNOWN_LANGUAGE,
} from './schema.ts';

type ParsedLine =
  | { readonly kind: 'place'; readonly place: PlaceLine }
  | { readonly kind: 'region'; readonly region: RegionLine['region'] }
  | { readonly kind: 'dataset'; readonly dataset: DatasetLine['dataset'] }
  | ({ readonly kind: 'rejected' } & Rejection);

const placeValidator = Compile(PlaceLineSchema);
const regionValidator = Compile(RegionLineSchema);
const datasetValidator = Compile(DatasetLineSchema);

/** Never throws. */
export function parseNdjsonLine(text: string): ParsedLine {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch (error) {
    return reject('not JSON', `${(error as Error).message}: ${text}`);
  }
  if (typeof line !== 'object' || line === null || Array.isArray(line)) return reject('not an object', text);
  if ('region' in line) {
    return regionValidator.Check(line) ? { kind: 'region', ...line } : mismatch(line, regionValidator.Errors(line));
  }
  if ('dataset' in line) {
    return datasetValidator.Check(line) ? { kind: 'dataset', ...line } : mismatch(line, datasetValidator.Errors(line));
  }
  if (!placeValidator.Check(line)) return mismatch(line, placeValidator.Errors(line));
  const fault = line.bbox && bboxFault(line.bbox, line);
  return fault === undefined ? { kind: 'place', place: line } : reject('bad bbox', fault);
}

/** Without `divisionKeys`, `admin1` and `admin2` stay as written, as keys or names. */
export function createPlace(line: PlaceLine, divisionKeys: DivisionKeys = {}): Place {
  const { name: _name, population: statedPopulation, adminRank = 0, bbox, ...fields } = line;
  // 0 means unknown
  const population = statedPopulation || undefined;
  return {
    ...fields,
    ...divisionKeys,
    type: line.type ?? guessType(population, adminRank),
    names: collectNames(line),
    adminRank,
    ...(population === undefined ? {} : { population }),
    ...(bbox === undefined ? {} : { box: parseBbox(bbox) }),
  };
}

function collectNames({ name, names = {} }: PlaceLine): PlaceName[] {
  const all: PlaceName[] = [{ value: name, kind: 'main' }];
  const seen = new Set([`\t${name}`]);
  for (const [tag, values] of Object.entries(names)) {
    const language = tag === UNKNOWN_LANGUAGE ? undefined : canonicalLanguage(tag);
    for (const entry of values) {
      const { value, kind } = typeof entry === 'string' ? ({ value: entry, kind: 'alternate' } as const) : entry;
      const key = `${language ?? ''}\t${value}`;
      if (seen.has(key)) continue;
      seen.add(key);
      // only the field `name` is the main name
      const otherName = { value, kind: kind === 'main' ? 'alternate' : kind } as const;
      all.push(language === undefined ? otherName : { ...otherName, language });
    }
  }
  return all;
}

function mismatch(line: object, [error]: readonly TLocalizedValidationError[]): ParsedLine {
  if (error === undefined) return reject('does not match the schema', previewJson(line));
  if (error.keyword === 'required') {
    return reject(`${error.params.requiredProperties.join(', ')} missing`, previewJson(line));
  }
  const path = error.instancePath.slice(1).split('/');
  // the keyword for fields that are not allowed
  if (error.keyword === 'boolean') return reject('unknown field', `${path.join('.')} in ${previewJson(line)}`);
  const value = path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], line);
  const prefix = path.length === 1 ? '' : `${formatFieldPath(error.instancePath)}: `;
  return reject(`bad ${path[0]}`, `${prefix}${previewJson(value)} ${error.message}${swapHint(line)}`);
}

function reject(reason: string, got: string): ParsedLine {
  return { kind: 'rejected', reason, got };
}

function swapHint(line: object): string {
  const { lat, lng } = line as { lat?: unknown; lng?: unknown };
  const mayBeSwapped = typeof lat === 'number' && typeof lng === 'number' && Math.abs(lat) > 90 && Math.abs(lng) <= 90;
  return mayBeSwapped ? ' (lat and lng swapped?)' : '';
}
