/** The countries of ISO 3166-1 and Kosovo, with the names and abbreviations that people type. */
import type { Country } from '../../place/gazetteer.ts';
import { readTable } from '../tables.ts';

/** Languages in which people are likely to type names of countries. */
const LOCALES = (
  'en fr de es it pt nl pl ru uk be cs sk hu ro bg el tr ar he fa ur ps ku hi bn mr gu pa ta te kn ml or si ne th lo km my ' +
  'vi id ms fil jv ja ko zh zh-Hant yue sv da nb nn fi et lv lt sl hr sr sr-Latn bs sq mk ka hy az kk ky uz tk tg mn ' +
  'sw am so ha yo ig zu xh af is ga cy gd mt ca eu gl lb fo rm br fy hsb eo tt ug'
).split(' ');

const rows = readTable('countries');
export const COUNTRY_CODES: ReadonlySet<string> = new Set(rows.map(({ country }) => country));
export const ALPHA2_BY_ALPHA3: ReadonlyMap<string, string> = new Map(
  rows.map(({ alpha3, country }) => [alpha3, country]),
);

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
