/**
 * Parses a line of a GeoNames dump into a place or a rejection. Columns and codes:
 * https://download.geonames.org/export/dump/readme.txt
 */
import {
  type NameKind,
  type Place,
  type PlaceName,
  type PlaceType,
  SEVERAL_LANGUAGES,
} from 'toponym-engine/place/place';
import { collapseSpaces, divisionKeys, guessType, parseDegrees } from '../place-values.ts';
import type { Rejection } from '../report.ts';
import { readTable } from '../tables.ts';
import { addedNames } from './added-names.ts';
import { assignLanguages } from './assign-languages.ts';

const COLUMN_COUNT = 19;
export const COLUMN = {
  id: 0,
  name: 1,
  asciiName: 2,
  alternateNames: 3,
  lat: 4,
  lng: 5,
  featureClass: 6,
  featureCode: 7,
  country: 8,
  admin1: 10,
  admin2: 11,
  population: 14,
  timezone: 17,
} as const;
export const POPULATED_PLACE = 'P';

/** `Place.adminRank` by feature code. */
const ADMIN_RANKS = new Map<string, number>(
  Object.entries({
    PPLC: 5, // national capital
    PPLG: 4, // seat of government outside the capital
    // seats of first- to fifth-level divisions
    PPLA: 4,
    PPLA2: 3,
    PPLA3: 2,
    PPLA4: 1,
    PPLA5: 1,
  }),
);

/** Types that do not depend on the population. */
const TYPES_BY_CODE = new Map<string, PlaceType>(
  Object.entries({
    PPLC: 'city',
    PPLX: 'suburban area',
    PPLL: 'locality',
    // abandoned, historical and destroyed places
    PPLQ: 'locality',
    PPLH: 'locality',
    PPLW: 'locality',
  }),
);

const airportsById = Map.groupBy(readTable('airport-positions'), ({ id }) => id);

/** A name without capitals whose first letter is Latin. */
const LOWER_CASE_LATIN = /^[^\p{Ll}\p{Lu}\p{Lo}]*(?=\p{Ll})\p{Script=Latin}\P{Lu}*$/u;

export function parseGeonamesRow(line: string): Place | Rejection {
  const columns = line.split('\t');
  if (columns.length < COLUMN_COUNT) return { reason: 'short row', got: `${columns.length} columns: ${quote(line)}` };
  if (columns.length > COLUMN_COUNT) return { reason: 'long row', got: `${columns.length} columns: ${quote(line)}` };
  const column = (index: number): string => columns[index] as string;

  // most rows of a full dump fail here, so this check comes first
  const featureClass = column(COLUMN.featureClass);
  if (featureClass !== POPULATED_PLACE) {
    return { reason: 'not a populated place', got: `feature class ${quote(featureClass)}` };
  }
  const id = column(COLUMN.id);
  if (!isPositiveId(id)) return { reason: 'bad id', got: quote(id) };
  const name = collapseSpaces(column(COLUMN.name));
  if (name === '') return { reason: 'empty name', got: quote(column(COLUMN.name)) };
  const lat = parseDegrees(column(COLUMN.lat), 90);
  const lng = parseDegrees(column(COLUMN.lng), 180);
  if (lat === undefined || lng === undefined) {
    return { reason: 'bad coordinates', got: describeCoordinates(column(COLUMN.lat), column(COLUMN.lng)) };
  }
  const country = column(COLUMN.country).toUpperCase();
  if (!/^[A-Z]{2}$/.test(country)) return { reason: 'bad country', got: quote(column(COLUMN.country)) };

  const featureCode = column(COLUMN.featureCode);
  const population = parsePopulation(column(COLUMN.population));
  const adminRank = ADMIN_RANKS.get(featureCode) ?? 0;
  const timezone = column(COLUMN.timezone);
  const added = addedNames(id);
  // optional fields are assigned one by one: spreading objects took a fifth of an import
  const place: { -readonly [Field in keyof Place]: Place[Field] } = {
    id: `G${id}`,
    type: TYPES_BY_CODE.get(featureCode) ?? guessType(population, adminRank),
    names: assignLanguages(
      withAddedNames(
        collectNames(name, collapseSpaces(column(COLUMN.asciiName)), column(COLUMN.alternateNames)),
        added,
      ),
      { country, timezone, population: population ?? 0, added },
    ),
    lat,
    lng,
    country,
    adminRank,
  };
  const { admin1, admin2 } = divisionKeys(country, column(COLUMN.admin1), column(COLUMN.admin2));
  if (admin1 !== undefined) place.admin1 = admin1;
  if (admin2 !== undefined) place.admin2 = admin2;
  if (population !== undefined) place.population = population;
  if (timezone !== '') place.timezone = timezone;
  const airports = airportsById.get(id);
  if (airports !== undefined)
    place.edgeAirports = airports.map(({ lat, lng }) => ({ lat: Number(lat), lng: Number(lng) }));
  return place;
}

export function isPositiveId(text: string): boolean {
  return /^[1-9]\d{0,9}$/.test(text);
}

/** Key of the division that a row describes (`US.TX`). Undefined for other features. */
export function divisionKey(columns: readonly string[]): string | undefined {
  const featureCode = columns[COLUMN.featureCode];
  const firstLevelKey = `${columns[COLUMN.country]}.${columns[COLUMN.admin1]}`;
  if (featureCode === 'ADM1') return firstLevelKey;
  return featureCode === 'ADM2' ? `${firstLevelKey}.${columns[COLUMN.admin2]}` : undefined;
}

function collectNames(name: string, asciiName: string, alternates: string): PlaceName[] {
  const names: PlaceName[] = [];
  const seen = new Set<string>();
  const add = (value: string, kind: NameKind): void => {
    if (value === '' || seen.has(value)) return;
    seen.add(value);
    names.push({ value, kind });
  };
  add(name, 'main');
  add(asciiName, 'alternate');
  if (alternates === '') return names;
  for (const raw of alternates.split(',')) {
    if (raw.includes('://')) continue;
    const value = collapseSpaces(raw);
    add(value, alternateKind(value));
  }
  return names;
}

/** Adds the names that GeoNames lacks, each once. `assignLanguages` adds the languages. */
function withAddedNames(names: PlaceName[], added: readonly PlaceName[]): PlaceName[] {
  if (added.length === 0) return names;
  const nicknames = new Set(added.filter(({ language }) => language === SEVERAL_LANGUAGES).map(({ value }) => value));
  const merged = names.filter(({ value, kind }) => kind === 'main' || !nicknames.has(value));
  const values = new Set(merged.map(({ value }) => value));
  for (const name of added) {
    if (values.has(name.value)) continue;
    values.add(name.value);
    merged.push(name);
  }
  return merged;
}

function alternateKind(value: string): NameKind {
  // airport codes and abbreviations: PAR, NYC, LA
  if (/^[A-Z]{2,4}$/.test(value)) return 'code';
  // machine-made romanizations are all lower case ("niu yue"), real names are not ("la Massana")
  if (LOWER_CASE_LATIN.test(value)) return 'romanized';
  return 'alternate';
}

function describeCoordinates(lat: string, lng: string): string {
  const mayBeSwapped = parseDegrees(lat, 180) !== undefined && parseDegrees(lng, 90) !== undefined;
  return `${quote(lat)}, ${quote(lng)}${mayBeSwapped ? ' (latitude and longitude swapped?)' : ''}`;
}

/** GeoNames writes 0 for an unknown population. */
function parsePopulation(text: string): number | undefined {
  if (!/^\d{1,15}$/.test(text)) return undefined;
  return Number(text) || undefined;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
