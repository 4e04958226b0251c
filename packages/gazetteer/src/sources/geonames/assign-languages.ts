/**
 * Assigns languages to a place's names, which a dump lists without. The first source decides:
 * 1. tables of well-known cities by country and time zone (`listedNames`);
 * 2. letters and spelling, for shared scripts (script-languages.ts, `chooseHanNames`);
 * 3. the script itself (script-languages.ts);
 * 4. the tables of names by id, which also add names that the dump lacks (added-names.ts).
 * Of several candidates for a language, the most similar to the main name is chosen.
 */
import { addToGroup } from 'toponym-engine/collections/sets';
import { countryLanguage } from 'toponym-engine/place/country-language';
import type { PlaceName } from 'toponym-engine/place/place';
import { fold } from 'toponym-engine/text/fold';
import { isFormerJapanese, isJapaneseForm, isSimplified, isTraditional } from 'toponym-engine/text/han-variants';
import { readTable } from '../tables.ts';
import { guessLanguage, HABITS_FOR_JAPAN, type ScriptLanguage, SHARED_SCRIPTS } from './script-languages.ts';
import { romanize, similarity } from './similarity.ts';

/** Characters other than letters and marks (some vowels are marks), and the Russian stress mark. */
const IGNORED = /[^\p{L}\p{M}]|\u0301/gu;

export interface PlaceFacts {
  readonly country: string;
  readonly timezone: string;
  /** 0 if unknown. */
  readonly population: number;
  /** Names that tables have for the place, with their languages. */
  readonly added?: readonly PlaceName[];
}

/** Keeps the main name first, and puts the name to show first within each language. */
export function assignLanguages(names: readonly PlaceName[], facts: PlaceFacts): PlaceName[] {
  const [main, ...others] = names;
  if (main === undefined || others.length === 0) return [...names];
  const alternates = others.filter(({ kind }) => kind === 'alternate');
  const languagesByName = groupLanguagesByName(chooseNames(main.value, alternates, facts), facts.country);
  if (languagesByName.size === 0) return [...names];
  const chosen: PlaceName[] = [];
  const rest: PlaceName[] = [];
  const repeated: PlaceName[] = [];
  for (const name of others) {
    const [first, ...further] = languagesByName.get(name.value) ?? [];
    const language = first ?? name.language ?? guessLanguage(name.value);
    const tagged = language === undefined ? name : { ...name, language };
    (first === undefined ? rest : chosen).push(tagged);
    repeated.push(...further.map((other) => ({ ...name, language: other })));
  }
  return [main, ...chosen, ...repeated, ...rest];
}

/** The names to show, by language. The first choice for a language counts. */
function chooseNames(main: string, alternates: readonly PlaceName[], facts: PlaceFacts): Map<string, string> {
  const values = alternates.map(({ value }) => value);
  const chosen = listedNames(main, values, facts);
  const choose = (language: string, name: string | undefined): void => {
    if (name !== undefined && !chosen.has(language)) chosen.set(language, name);
  };
  const nonLatin = alternates.filter(({ value }) => mayBeNonLatin(value));
  if (nonLatin.length > 0) chooseNonLatin(main, nonLatin, { country: facts.country, choose });
  for (const { value, language } of facts.added ?? []) if (language !== undefined) choose(language, value);
  return chosen;
}

function chooseNonLatin(
  main: string,
  names: readonly PlaceName[],
  { country, choose }: { country: string; choose: (language: string, name: string | undefined) => void },
): void {
  const foldedMain = fold(main).replaceAll(' ', '');
  for (const { script, languages } of SHARED_SCRIPTS) {
    const candidates = names.filter(({ value }) => script.test(value)).map((name) => createCandidate(name, foldedMain));
    if (candidates.length === 0) continue;
    for (const language of languages) choose(language.tag, bestCandidate(candidates, language, country)?.value);
  }
  const nonLatin = names.map(({ value }) => value);
  for (const [language, name] of chooseHanNames(nonLatin, country)) choose(language, name);
  const similarityToMain = (value: string) => similarity(romanize(value), foldedMain);
  for (const [language, candidates] of Map.groupBy(nonLatin, guessLanguage)) {
    if (language !== undefined) choose(language, highest(candidates, similarityToMain));
  }
}

type Candidate = ReturnType<typeof createCandidate>;

/** `language` is that which a table states. */
function createCandidate({ value, language }: PlaceName, foldedMain: string) {
  const lowerCased = value.toLowerCase().normalize('NFC');
  let similarityToMain: number | undefined; // 0..1
  return {
    value,
    language,
    lowerCased,
    letters: lowerCased.replace(IGNORED, ''),
    similarity: () => (similarityToMain ??= similarity(romanize(lowerCased), foldedMain)),
  };
}

function bestCandidate(
  candidates: readonly Candidate[],
  { tag, letters, proof, countries = '', habits = [] }: ScriptLanguage,
  country: string,
): Candidate | undefined {
  const needsProof = proof !== undefined && !countries.split(' ').includes(country);
  const possible = candidates.filter(
    ({ language = tag, letters: spelling, lowerCased }) =>
      language === tag && letters.test(spelling) && (!needsProof || proof.test(lowerCased)),
  );
  const allHabits = country === 'JP' ? [...habits, ...HABITS_FOR_JAPAN] : habits;
  return highest(possible, ({ similarity, lowerCased }) => {
    const points = allHabits.map(([spelling, each]) => each * (lowerCased.match(spelling)?.length ?? 0));
    return similarity() + points.reduce((total, number) => total + number, 0);
  });
}

function highest<Item>(items: readonly Item[], score: (item: Item) => number): Item | undefined {
  if (items.length < 2) return items[0];
  const scores = items.map(score);
  return items[scores.indexOf(Math.max(...scores))];
}

/** The language of the country comes first: Venezia is Italian, though it is also Norwegian. */
function groupLanguagesByName(nameByLanguage: ReadonlyMap<string, string>, country: string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [language, name] of nameByLanguage) {
    const others = groups.get(name) ?? [];
    groups.set(name, language === countryLanguage(country) ? [language, ...others] : [...others, language]);
  }
  return groups;
}

/** A quick test that excludes most Latin names. */
function mayBeNonLatin(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // Latin letters are below 0370 and in 1E00..1EFF, symbols in 2000..2BFF
    if (unit >= 0x370 && (unit < 0x1e00 || unit > 0x1eff) && (unit < 0x2000 || unit > 0x2bff)) return true;
  }
  return false;
}

/** Smaller places are not among the exonyms but may share a name with a city there. */
const MIN_POPULATION = 100_000;

const languagesByExonym = new Map<string, string[]>();
for (const { language, country, name } of readTable('exonyms')) {
  addToGroup(languagesByExonym, exonymKey(country, name), language);
}

/** The languages in which a large city of the country has the name, as far as the table of exonyms says. */
export function listedLanguages(country: string, name: string): readonly string[] {
  return languagesByExonym.get(exonymKey(country, name)) ?? [];
}

/** Names of the city that gives a time zone its name: Accra for Africa/Accra. */
const exemplarNames = Map.groupBy(readTable('exemplar-cities'), ({ timezone }) => timezone);

/** The names that the tables list, by language. `values` are the alternate names. */
function listedNames(
  main: string,
  values: readonly string[],
  { country, timezone, population }: PlaceFacts,
): Map<string, string> {
  const listed = new Map<string, string>();
  const mayBeInExonyms = population >= MIN_POPULATION;
  for (const value of mayBeInExonyms ? values : []) {
    for (const language of listedLanguages(country, value)) listed.set(language, value);
  }
  const exemplars = exemplarNames.get(timezone) ?? [];
  const city = exemplars[0]?.city; // in English
  const isExemplar = city !== undefined && (main === city || values.includes(city));
  if (!isExemplar) return listed;
  for (const { language, name } of exemplars) {
    if (!listed.has(language) && values.includes(name)) listed.set(language, name);
  }
  return listed;
}

function exonymKey(country: string, name: string): string {
  return `${country} ${name}`;
}

/** A name whose letters are all Chinese characters. */
const HAN = /^[\p{Script=Han}\P{L}]+$/u;
const HAN_LETTER = /\p{Script=Han}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Countries whose places Japanese writes in Chinese characters, not in kana. */
const HAN_IN_JAPANESE = 'JP CN TW HK MO';
/** Countries whose places Japanese writes in kana or in Chinese characters. */
const HAN_OR_KANA_IN_JAPANESE = 'KR KP';
/** "City", as in 札幌市. */
const CITY_SUFFIX = /市$/;
/** Countries whose cities have the suffix in their Chinese and Japanese names. */
const CITY_SUFFIX_USED = 'JP CN TW KR KP';

/**
 * Chooses names for `zh` (simplified, if there is a choice), `zh-Hant` and `ja` among names in Chinese
 * characters, by the forms of the characters. A name without telling forms counts as both.
 */
function chooseHanNames(values: readonly string[], country: string): [language: string, name: string][] {
  const han = values.filter((value) => HAN.test(value));
  const chosen: [string, string][] = [];
  /** Chooses from the first list that is not empty. */
  const choose = (language: string, ...lists: readonly (readonly string[])[]): void => {
    const name = preferred(lists.find((list) => list.length > 0) ?? [], country);
    if (name !== undefined) chosen.push([language, name]);
  };
  const chinese = han.filter((value) => !isJapaneseForm(value));
  const simplified = chinese.filter((value) => !isTraditional(value));
  const withoutSuffix = CITY_SUFFIX_USED.includes(country) ? [] : chinese.filter((value) => !CITY_SUFFIX.test(value));
  // 羅馬 rather than 罗马市: the engine shows it as 罗马
  choose(
    'zh',
    simplified.filter((value) => withoutSuffix.includes(value)),
    withoutSuffix,
    simplified,
    chinese,
    han,
  );
  // without a simplified name, `zh` already has the traditional one
  if (simplified.length > 0) choose('zh-Hant', chinese.filter(isTraditional));
  const kana = values.filter((value) => KANA.test(value));
  // Japanese has traditional forms too, such as 長 in 長野
  const japaneseOrTraditional = han.filter((value) => !isSimplified(value));
  const japanese = japaneseOrTraditional.filter((value) => !isFormerJapanese(value));
  // kana between Chinese characters are surely Japanese: 茅ヶ崎市
  const mixed = country === 'JP' ? kana.filter((value) => HAN_LETTER.test(value)) : [];
  if (HAN_IN_JAPANESE.includes(country)) choose('ja', mixed, japanese, japaneseOrTraditional, han, kana);
  if (HAN_OR_KANA_IN_JAPANESE.includes(country) && kana.length === 0) choose('ja', japanese, japaneseOrTraditional);
  return chosen;
}

/** Prefers names with the suffix where the country uses it, and names without it elsewhere. */
function preferred(values: readonly string[], country: string): string | undefined {
  const hasSuffix = CITY_SUFFIX_USED.includes(country);
  return values.find((value) => CITY_SUFFIX.test(value) === hasSuffix) ?? values[0];
}
