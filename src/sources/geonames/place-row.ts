/**
 * One line of a GeoNames dump (19 tab-separated columns) as a place, or the reason why it is none.
 * Pure and total: whatever the line holds, it never throws.
 */
import type { NameKind, Place, PlaceName, PlaceType } from '../../place/place.ts';
import { languageOfScript } from './name-script.ts';

export interface Rejection {
  readonly reason: RejectionReason;
  /** What was found where something else was needed. */
  readonly got: string;
}

export type RejectionReason =
  | 'short row'
  | 'long row'
  | 'bad id'
  | 'not a populated place'
  | 'empty name'
  | 'bad coordinates'
  | 'bad country';

const COLUMN_COUNT = 19;

/** How high the division is whose seat a place is; other feature codes are seats of nothing. */
const ADMIN_RANKS: Readonly<Record<string, number>> = {
  PPLC: 5,
  // Seat of a government that sits outside the capital, as in The Hague.
  PPLG: 4,
  PPLA: 4,
  PPLA2: 3,
  PPLA3: 2,
  PPLA4: 1,
  PPLA5: 1,
};

/** Feature codes that decide the type by themselves, whatever the population. */
const TYPES_BY_CODE: Readonly<Record<string, PlaceType>> = {
  PPLX: 'suburban area',
  PPLL: 'locality',
  PPLQ: 'locality',
  PPLH: 'locality',
  PPLW: 'locality',
  PPLC: 'city',
};

/**
 * Where the population is unknown, the rank of the place's seat stands in for it. The seat of a first-level division is
 * at the least a town somewhere; below that, seats without a census figure are mostly those of rural districts and
 * municipalities. Fourth-level seats (communes) and places without rank could be anything, so they get the most common type.
 */
const TYPES_BY_RANK: readonly PlaceType[] = ['hamlet', 'hamlet', 'village', 'village', 'town', 'city'];

/** The first letter, after any apostrophes and modifier letters, is Latin, and none is a capital. */
const LATIN_IN_LOWER_CASE = /^[^\p{Ll}\p{Lu}\p{Lo}]*(?=\p{Ll})\p{Script=Latin}\P{Lu}*$/u;
const UNTIDY_SPACE = /^\s|\s\s|[^\S ]|\s$/;

export function parseGeonamesRow(line: string): Place | Rejection {
  const columns = line.split('\t');
  if (columns.length < COLUMN_COUNT) return { reason: 'short row', got: `${columns.length} columns: ${quote(line)}` };
  if (columns.length > COLUMN_COUNT) return { reason: 'long row', got: `${columns.length} columns: ${quote(line)}` };
  // The check above makes every one of the 19 present.
  const column = (index: number): string => columns[index] as string;

  // Most rows of a full dump fail here, so it comes before anything that costs.
  if (column(6) !== 'P') return { reason: 'not a populated place', got: `feature class ${quote(column(6))}` };
  const id = parseId(column(0));
  if (id === undefined) return { reason: 'bad id', got: quote(column(0)) };
  const name = tidy(column(1));
  if (name === '') return { reason: 'empty name', got: quote(column(1)) };
  const lat = parseDegrees(column(4), 90);
  const lng = parseDegrees(column(5), 180);
  if (lat === undefined || lng === undefined) {
    return { reason: 'bad coordinates', got: describeCoordinates(column(4), column(5)) };
  }
  const country = column(8).toUpperCase();
  if (!/^[A-Z]{2}$/.test(country)) return { reason: 'bad country', got: quote(column(8)) };

  const code = column(7);
  const population = parsePopulation(column(14));
  const adminRank = ADMIN_RANKS[code] ?? 0;
  // Assigned one by one: spreading objects together took a fifth of an import.
  const place: { -readonly [Field in keyof Place]: Place[Field] } = {
    id: `G${id}`,
    type: TYPES_BY_CODE[code] ?? typeBySize(population, adminRank),
    names: namesOf(name, tidy(column(2)), column(3)),
    lat,
    lng,
    country,
    adminRank,
  };
  // An absent code, or 00 ("general"), names no division; without a first-level one there is no second-level key.
  if (isRegionCode(column(10))) {
    place.admin1 = `${country}.${column(10)}`;
    if (isRegionCode(column(11))) place.admin2 = `${place.admin1}.${column(11)}`;
  }
  if (population !== undefined) place.population = population;
  if (column(17) !== '') place.timezone = column(17);
  return place;
}

export function isRejection(row: Place | Rejection): row is Rejection {
  return 'reason' in row;
}

function isRegionCode(code: string): boolean {
  return code !== '' && code !== '00';
}

/** The type of a place of which no more is known. */
export function typeBySize(population: number | undefined, adminRank: number): PlaceType {
  if (population === undefined) return TYPES_BY_RANK[adminRank] ?? 'hamlet';
  if (population >= 100_000) return 'city';
  if (population >= 10_000) return 'town';
  if (population >= 1_000) return 'village';
  return 'hamlet';
}

function namesOf(name: string, asciiName: string, alternates: string): PlaceName[] {
  const names: PlaceName[] = [];
  const seen = new Set<string>();
  const add = (value: string, kind: NameKind): void => {
    if (value === '' || seen.has(value)) return;
    seen.add(value);
    const language = languageOfScript(value);
    names.push(language === undefined ? { value, kind } : { value, kind, language });
  };
  add(name, 'main');
  add(asciiName, 'alternate');
  if (alternates === '') return names;
  for (const raw of alternates.split(',')) {
    // Some contributors put the address of an article among the names.
    if (raw.includes('://')) continue;
    const value = tidy(raw);
    add(value, kindOfAlternate(value));
  }
  return names;
}

/**
 * GeoNames writes its machine romanisations of other scripts ("niu yue", "pyrs") in lower case throughout. Real names
 * may start with a lower-case particle ("la Massana", "'s-Gravenhage", "al-Basra") but carry a capital further on.
 */
function kindOfAlternate(value: string): NameKind {
  // Airport codes and abbreviations: PAR, NYC, LA.
  if (/^[A-Z]{2,4}$/.test(value)) return 'code';
  if (LATIN_IN_LOWER_CASE.test(value)) return 'romanized';
  return 'alternate';
}

function parseId(text: string): number | undefined {
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
}

function parseDegrees(text: string, limit: number): number | undefined {
  if (!/^[+-]?\d+(\.\d*)?(e[+-]?\d+)?$/i.test(text)) return undefined;
  const degrees = Number(text);
  return Math.abs(degrees) <= limit ? degrees : undefined;
}

function describeCoordinates(lat: string, lng: string): string {
  const areSwapped = parseDegrees(lat, 180) !== undefined && parseDegrees(lng, 90) !== undefined;
  return `${quote(lat)}, ${quote(lng)}${areSwapped ? ' (latitude and longitude swapped?)' : ''}`;
}

/** GeoNames writes 0 where it does not know. */
function parsePopulation(text: string): number | undefined {
  if (!/^\d{1,15}$/.test(text)) return undefined;
  const population = Number(text);
  return population === 0 ? undefined : population;
}

/** Dropping a comma inside a name leaves two spaces behind in the dumps. */
function tidy(text: string): string {
  return UNTIDY_SPACE.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
