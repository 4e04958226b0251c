/**
 * Parses a line of a GeoNames dump (19 tab-separated columns) into a place or a rejection.
 * Pure and total: it never throws.
 */
import type { NameKind, Place, PlaceName, PlaceType } from '../../place/place.ts';
import { languageOfScript } from './name-script.ts';

export interface Rejection {
  readonly reason: RejectionReason;
  /** The offending value. */
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

/** Administrative rank by feature code; others have none. */
const ADMIN_RANKS: Readonly<Record<string, number>> = {
  PPLC: 5,
  // seat of government outside the capital, such as The Hague
  PPLG: 4,
  PPLA: 4,
  PPLA2: 3,
  PPLA3: 2,
  PPLA4: 1,
  PPLA5: 1,
};

/** Feature codes that determine the type, whatever the population. */
const TYPES_BY_CODE: Readonly<Record<string, PlaceType>> = {
  PPLX: 'suburban area',
  PPLL: 'locality',
  PPLQ: 'locality',
  PPLH: 'locality',
  PPLW: 'locality',
  PPLC: 'city',
};

/**
 * Types by administrative rank, for places of unknown population. The seat of a first-level
 * division is at least a town. Below that, seats of unknown population are mostly those of rural
 * districts and municipalities. Fourth-level seats (communes) and other places get the most common
 * type.
 */
const TYPES_BY_RANK: readonly PlaceType[] = ['hamlet', 'hamlet', 'village', 'village', 'town', 'city'];

/** Matches names without capitals whose first letter is Latin. */
const LATIN_IN_LOWER_CASE = /^[^\p{Ll}\p{Lu}\p{Lo}]*(?=\p{Ll})\p{Script=Latin}\P{Lu}*$/u;
const UNTIDY_SPACE = /^\s|\s\s|[^\S ]|\s$/;

export function parseGeonamesRow(line: string): Place | Rejection {
  const columns = line.split('\t');
  if (columns.length < COLUMN_COUNT) return { reason: 'short row', got: `${columns.length} columns: ${quote(line)}` };
  if (columns.length > COLUMN_COUNT) return { reason: 'long row', got: `${columns.length} columns: ${quote(line)}` };
  // all 19 columns are present: see the check above
  const column = (index: number): string => columns[index] as string;

  // most rows of a full dump fail here, so this comes before all costly checks
  if (column(6) !== 'P') return { reason: 'not a populated place', got: `feature class ${quote(column(6))}` };
  const id = parseId(column(0));
  if (id === undefined) return { reason: 'bad id', got: quote(column(0)) };
  const name = collapseSpaces(column(1));
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
  // fields are assigned one by one: spreading objects took a fifth of an import
  const place: { -readonly [Field in keyof Place]: Place[Field] } = {
    id: `G${id}`,
    type: TYPES_BY_CODE[code] ?? typeBySize(population, adminRank),
    names: collectNames(name, collapseSpaces(column(2)), column(3)),
    lat,
    lng,
    country,
    adminRank,
  };
  // without a first-level code (empty or 00, "general") there is no second-level key
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

/** The type of a place, from its population or else its administrative rank. */
export function typeBySize(population: number | undefined, adminRank: number): PlaceType {
  if (population === undefined) return TYPES_BY_RANK[adminRank] ?? 'hamlet';
  if (population >= 100_000) return 'city';
  if (population >= 10_000) return 'town';
  if (population >= 1_000) return 'village';
  return 'hamlet';
}

function collectNames(name: string, asciiName: string, alternates: string): PlaceName[] {
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
    // some contributors add URLs of articles to the names
    if (raw.includes('://')) continue;
    const value = collapseSpaces(raw);
    add(value, alternateKind(value));
  }
  return names;
}

/**
 * GeoNames writes its machine romanisations of other scripts ("niu yue", "pyrs") entirely in lower
 * case. Real names may start with a lower-case particle ("la Massana", "'s-Gravenhage",
 * "al-Basra"), but have a capital later on.
 */
function alternateKind(value: string): NameKind {
  // airport codes and abbreviations: PAR, NYC, LA
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

/** Undefined for 0, which GeoNames writes for an unknown population. */
function parsePopulation(text: string): number | undefined {
  if (!/^\d{1,15}$/.test(text)) return undefined;
  const population = Number(text);
  return population === 0 ? undefined : population;
}

/** Collapses white space: where GeoNames removes a comma from a name, two spaces remain. */
function collapseSpaces(text: string): string {
  return UNTIDY_SPACE.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
