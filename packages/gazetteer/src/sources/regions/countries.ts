/**
 * The countries of ISO 3166-1 and Kosovo, with the names and abbreviations that people type, and
 * the rows of GeoNames' countryInfo.txt that add to them.
 */

import type { Country } from 'toponym-engine/place/place';
import { fold } from 'toponym-engine/text/fold';
import { UsageError } from 'toponym-files/errors/errors';
import { readTable } from '../tables.ts';

/** Languages in which people are likely to type names of countries. */
const LOCALES = (
  'en fr de es it pt nl pl ru uk be cs sk hu ro bg el tr ar he fa ur ps ku hi bn mr gu pa ta te kn ml or si ne th lo km my ' +
  'vi id ms fil jv ja ko zh zh-Hant yue sv da nb nn fi et lv lt sl hr sr sr-Latn bs sq mk ka hy az kk ky uz tk tg mn ' +
  'sw am so ha yo ig zu xh af is ga cy gd mt ca eu gl lb fo rm br fy hsb eo tt ug'
).split(' ');

const rows = readTable('countries');
export const COUNTRY_CODES: ReadonlySet<string> = new Set(rows.map(({ country }) => country));
const ALPHA2_BY_ALPHA3: ReadonlyMap<string, string> = new Map(rows.map(({ alpha3, country }) => [alpha3, country]));

let countries: readonly Country[] | undefined;

/** The list, which the first call creates in a tenth of a second. */
export function createCountries(): readonly Country[] {
  countries ??= listCountries();
  return countries;
}

function listCountries(): Country[] {
  const listedAliases = Map.groupBy(readTable('country-aliases'), ({ country }) => country);
  const displayNames = LOCALES.filter((locale) => Intl.DisplayNames.supportedLocalesOf(locale).length > 0).map(
    (locale) => new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' }),
  );
  const english = new Intl.DisplayNames(['en'], { type: 'region' });
  return rows.map(({ country: code, alpha3 }) => {
    const name = english.of(code) ?? code;
    const listed = listedAliases.get(code)?.map(({ alias }) => alias) ?? [];
    const aliases = new Set([alpha3, name.replace(' & ', ' and '), ...listed]);
    for (const localized of displayNames) {
      const translated = localized.of(code);
      if (translated !== undefined) aliases.add(translated);
    }
    aliases.delete(name);
    return { code, name, aliases: [...aliases] };
  });
}

const GEONAME_ID_COLUMN = 16;

export interface CountryRow {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly alpha3: string;
  readonly name: string;
  readonly geonameId?: number;
}

/** Parses a row of countryInfo.txt. Undefined means a comment. */
export function parseCountryRow(line: string): CountryRow | 'malformed' | undefined {
  if (line.startsWith('#')) return undefined;
  const columns = line.split('\t');
  const [code = '', alpha3 = '', , , name = ''] = columns;
  if (!/^[A-Z]{2}$/.test(code) || name === '') return 'malformed';
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

let codesByName: Map<string, string | undefined> | undefined;

/** The code of a country by its code or a name in any language; undefined if none or two have the name. */
export function findCountryCode(text: string): string | undefined {
  const upper = text.trim().toUpperCase();
  if (COUNTRY_CODES.has(upper)) return upper;
  const code = ALPHA2_BY_ALPHA3.get(text.trim()); // NGA is Nigeria, Nga is Vietnamese for Russia
  if (code !== undefined) return code;
  if (codesByName === undefined) {
    codesByName = new Map();
    for (const { code, name, aliases } of createCountries()) {
      for (const each of new Set([name, ...aliases].map(fold))) {
        codesByName.set(each, codesByName.has(each) ? undefined : code);
      }
    }
  }
  return codesByName.get(fold(text));
}

/** Parses the value of a flag: an ISO 3166-1 alpha-2 code, upper or lower case. Throws UsageError. */
export function parseCountryCode(text: string, flag = '--country'): string {
  const code = text.trim().toUpperCase();
  if (COUNTRY_CODES.has(code)) return code;
  const suggestion = ALPHA2_BY_ALPHA3.get(code);
  throw new UsageError(
    `${flag}: must be an ISO 3166-1 alpha-2 code such as FR, got ${JSON.stringify(text)}${
      suggestion === undefined ? '.' : `; did you mean ${suggestion}?`
    }`,
  );
}
