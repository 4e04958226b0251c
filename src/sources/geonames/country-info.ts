/** Rows of GeoNames' countryInfo.txt: codes and English names of countries. */
import type { Country } from '../../place/gazetteer.ts';

export interface CountryRow {
  readonly code: string;
  readonly alpha3: string;
  readonly name: string;
  readonly geonameId?: number;
}

/** Undefined if the line is malformed. */
export function parseCountryRow(line: string): CountryRow | undefined {
  const columns = line.split('\t');
  const [code = '', alpha3 = '', , , name = ''] = columns;
  if (!/^[A-Z]{2}$/.test(code) || name === '') return undefined;
  const id = Number(columns[16]);
  return Number.isInteger(id) && id > 0 ? { code, alpha3, name, geonameId: id } : { code, alpha3, name };
}

/** Adds the names of the rows to known countries, and adds unknown countries. */
export function extendCountries(
  countries: readonly Country[],
  rows: readonly CountryRow[],
  namesById: (geonameId: number) => readonly string[],
): Country[] {
  const known = new Map(countries.map((country) => [country.code, country]));
  for (const row of rows) {
    const { name = row.name, aliases = [row.alpha3] } = known.get(row.code) ?? {};
    const alternateNames = row.geonameId === undefined ? [] : namesById(row.geonameId);
    const all = new Set([...aliases, row.name, ...alternateNames].filter((alias) => alias !== '' && alias !== name));
    known.set(row.code, { code: row.code, name, aliases: [...all] });
  }
  return [...known.values()];
}
