/** Creates divisions (regions within a country) with the aliases that people type. */
import type { PlaceName, Region, Translations } from 'toponym-engine/place/place';
import { fold } from 'toponym-engine/text/fold';
import { collapseSpaces } from '../place-values.ts';
import { findRows, readTable } from '../tables.ts';

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

/** Divisions of March 2023 that are no more, or have another code. */
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
    const name = collapseSpaces(row.name);
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
  const level = isFirstLevel(key) ? 1 : 2;
  const region = { key, level, country: key.slice(0, 2), name, aliases: [...aliases] } as const;
  return translations === undefined || translations.size === 0 ? region : { ...region, translations };
}

function isFirstLevel(key: string): boolean {
  return key.indexOf('.') === key.lastIndexOf('.');
}

/** Key of a division without a code. `parent` is a country code or the key of a division. */
export function namedDivisionKey(parent: string, name: string): string {
  // a dot would start another part of the key, and `~` avoids clashes with codes
  return `${parent}.~${name.toLowerCase().replaceAll('.', '·')}`;
}

/** Parses a row of admin1CodesASCII.txt or admin2Codes.txt. Undefined means a comment. */
export function parseRegionRow(line: string): RegionRow | 'malformed' | undefined {
  if (line.startsWith('#')) return undefined;
  const [key = '', name = '', asciiName = '', id = ''] = line.split('\t');
  if (!/^[A-Z]{2}\.\S/.test(key) || name === '') return 'malformed';
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

/** CLDR's names of a first-level division. With the name, because the code may stand for another division now. */
function findTranslations(key: string, name: string): Translations | undefined {
  if (!isFirstLevel(key)) return undefined;
  const rows = findRows('region-translations', key).filter((row) => row.name === name);
  return rows.length === 0 ? undefined : new Map(rows.map(({ language, translation }) => [language, translation]));
}

function secondLevelCodeAliases(country: string, code: string): string[] {
  return COUNTRIES_WITH_TYPED_SECOND_LEVEL_CODES.has(country) && /^[A-Z\d]{2}$/.test(code) ? [code] : [];
}

/** Other names to search a division by. */
export function collectAliases({ key, asciiName = '' }: RegionRow, name: string): string[] {
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

/** By the key of the division: `CA.10` → QC, PQ, … */
let aliasesByKey: ReadonlyMap<string, readonly string[]> | undefined;
/** By country and folded name: `VN.saigon`. */
let synonymsByName: ReadonlyMap<string, readonly string[]> | undefined;

/** The aliases in the tables. */
export function listedAliases(key: string, name: string): string[] {
  aliasesByKey ??= new Map(
    [...Map.groupBy(readTable('region-aliases'), ({ region }) => region)].map(([region, rows]) => [
      region,
      rows.map(({ alias }) => alias),
    ]),
  );
  return [...(aliasesByKey.get(key) ?? []), ...findSynonyms(key, name)];
}

/** The other names of a first-level division, whatever its key. */
function findSynonyms(key: string, name: string): string[] {
  const [country, ...codes] = key.split('.');
  if (codes.length !== 1) return [];
  synonymsByName ??= readSynonyms();
  const foldedNames = [name, ...plainNames(name)].map(fold);
  return foldedNames
    .flatMap((folded) => synonymsByName?.get(`${country}.${folded}`) ?? [])
    .filter((synonym) => !foldedNames.includes(fold(synonym)));
}

function readSynonyms(): Map<string, string[]> {
  const synonyms = new Map<string, string[]>();
  for (const rows of Map.groupBy(readTable('region-synonyms'), ({ region }) => region).values()) {
    const names = rows.map(({ name }) => name);
    for (const { country, name } of rows) synonyms.set(`${country}.${fold(name)}`, names);
  }
  return synonyms;
}

const divisionWords = Map.groupBy(readTable('division-words'), ({ position }) => position);
/** "Kreis Gotha", "Provincia de Salta". */
const GENERIC_PREFIX = new RegExp(
  `^(?:(?:${listWords('before')})\\s+(?:de l['’]|d['’]|dell['’]|(?:de la|de las|de los|del|de|da|do|dos|das|di|du|des|of the|of|van|ob)\\s+)?)(?=\\S)`,
  'u',
);
/** "Dallas County", "Kyiv Oblast". */
const GENERIC_SUFFIX = new RegExp(`\\s+(?:${listWords('after')})$`, 'u');
/** Remainders that are no names, such as "Northern", and any of up to two letters. */
const NOT_A_NAME =
  /^(?:(?:North|South|East|West|Central|Upper|Lower|Capital|Free|Federal|Metropolitan|Regional|National|Urban|Rural)(?:ern)?|(?:of|de|du|da|do)\b.*|\P{L}.*|.{0,2})$/iu;

/** The longest come first: "Provincia autonoma" before "Provincia". */
function listWords(position: 'before' | 'after'): string {
  const words = divisionWords.get(position)?.map(({ word }) => word) ?? [];
  return words.sort((a, b) => b.length - a.length).join('|');
}

/** Without generic words before or after it, if a name remains: people type "Dallas", not "Dallas County". */
export function plainNames(name: string): string[] {
  const names = new Set<string>();
  const withoutPrefix = name.replace(GENERIC_PREFIX, '');
  for (const plain of [withoutPrefix, name.replace(GENERIC_SUFFIX, ''), withoutPrefix.replace(GENERIC_SUFFIX, '')]) {
    if (plain !== name && !NOT_A_NAME.test(plain)) names.add(plain);
  }
  return [...names];
}

/** `variant` is a replacement string for `names`. */
type Rule = readonly [countries: string, names: RegExp, variant: string];

const RULES: readonly Rule[] = [
  ['GB IE', /^County (?=\S)/, 'Co '],
  ['PL', /^(.+[cs]kie)$/, 'woj. $1'],
  ['PL', /^(.+[cs]kie)$/, 'województwo $1'],
  ['RU UA KZ BY', / область$/, ' обл.'],
  ['US', /^(\p{Script=Cyrillic}.+)$/u, 'штат $1'],
  // words for state in Japanese, Chinese and Korean, and the Chinese word for province
  ['US AU DE CA', /^([\p{Script=Katakana}ー・＝]+)$/u, '$1州'],
  ['US AU DE', /^([\p{Script=Han}-]+[^州区區])$/u, '$1州'],
  ['CA', /^([\p{Script=Han}-]+[^省区區])$/u, '$1省'],
  ['US AU DE CA', /^(\p{Script=Hangul}+)$/u, '$1주'],
  // Chinese writes 県 (prefecture) in its own forms
  ['JP', /^(\p{Script=Han}+)県$/u, '$1县'],
  ['JP', /^(\p{Script=Han}+)県$/u, '$1縣'],
  // local words for governorate, province and region
  ['EG IQ SY JO LB YE OM KW BH', /^(\p{Script=Arabic}.+)$/u, 'محافظة $1'],
  ['SA', /^(\p{Script=Arabic}.+)$/u, 'منطقة $1'],
  ['DZ TN SD', /^(\p{Script=Arabic}.+)$/u, 'ولاية $1'],
  ['MA', /^(\p{Script=Arabic}.+)$/u, 'جهة $1'],
  ['IR', /^(\p{Script=Arabic}.+)$/u, 'استان $1'],
  ['TH', /^(\p{Script=Thai}.+)$/u, 'จังหวัด$1'],
  ['BG', /^(\p{Script=Cyrillic}.+)$/u, 'област $1'],
];

const rulesByCountry = new Map<string, Rule[]>();
for (const rule of RULES) {
  for (const country of rule[0].split(' ')) rulesByCountry.set(country, [...(rulesByCountry.get(country) ?? []), rule]);
}

/** Variants that follow a rule of the country: "Co Down" for "County Down". */
export function aliasVariants(country: string, name: string): string[] {
  const rules = rulesByCountry.get(country) ?? [];
  return rules.filter(([, names]) => names.test(name)).map(([, names, variant]) => name.replace(names, variant));
}
