/** Parses rows of GeoNames' countryInfo.txt and adds them to Toponym's own list of countries. */
import type { Country } from '../../place/gazetteer.ts';

const GEONAME_ID_COLUMN = 16;

export interface CountryRow {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly alpha3: string;
  readonly name: string;
  readonly geonameId?: number;
}

/** Parses a row. Undefined means that the line is malformed. */
export function parseCountryRow(line: string): CountryRow | undefined {
  const columns = line.split('\t');
  const [code = '', alpha3 = '', , , name = ''] = columns;
  if (!/^[A-Z]{2}$/.test(code) || name === '') return undefined;
  const geonameId = Number(columns[GEONAME_ID_COLUMN]);
  return Number.isInteger(geonameId) && geonameId > 0 ? { code, alpha3, name, geonameId } : { code, alpha3, name };
}

/** Adds countries that only the rows have. The names of each row's country become aliases. */
export function extendCountries(
  countries: readonly Country[],
  rows: readonly CountryRow[],
  namesById: (geonameId: number) => readonly string[],
): Country[] {
  const byCode = new Map(countries.map((country) => [country.code, country]));
  for (const row of rows) {
    // `countries` already have their alpha-3 codes as aliases
    const { name, aliases } = byCode.get(row.code) ?? { name: row.name, aliases: [row.alpha3] };
    const alternateNames = row.geonameId === undefined ? [] : namesById(row.geonameId);
    const all = new Set([...aliases, row.name, ...alternateNames].filter((alias) => alias !== '' && alias !== name));
    byCode.set(row.code, { code: row.code, name, aliases: [...all] });
  }
  return [...byCode.values()];
}
