/** Aliases of divisions: those that tables list, and those that follow from a name by a rule. */
import { fold } from '../../text/fold.ts';
import { readTable } from '../tables.ts';

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

/**
 * The name without a generic word before it, after it or both, if a name remains: people type
 * "Dallas", not "Dallas County".
 */
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
