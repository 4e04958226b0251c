/**
 * Assigns languages to a place's names, which a dump lists without. The first source decides:
 * 1. tables of well-known cities by country and time zone (listed-names.ts);
 * 2. letters and spelling, for shared scripts (shared-scripts.ts, han-names.ts);
 * 3. the script itself (name-script.ts);
 * 4. the tables of names by id, which also add names that the dump lacks (listed-names.ts).
 * Of several candidates for a language, the most similar to the main name is chosen.
 */
import { countryLanguage } from '../../../place/country-language.ts';
import type { PlaceName } from '../../../place/place.ts';
import { fold } from '../../../text/fold.ts';
import { chooseHanNames } from './han-names.ts';
import { listedNames } from './listed-names.ts';
import { guessLanguage } from './name-script.ts';
import { HABITS_FOR_JAPAN, type ScriptLanguage, SHARED_SCRIPTS } from './shared-scripts.ts';
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
    const candidates = names
      .filter(({ value }) => script.test(value))
      .map(({ value, language }) => new Candidate(value, foldedMain, language));
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

class Candidate {
  readonly value: string;
  readonly lowerCased: string;
  readonly letters: string;
  /** If a table states it. */
  readonly language: string | undefined;
  private readonly foldedMain: string;
  private cachedSimilarity: number | undefined;

  constructor(value: string, foldedMain: string, language: string | undefined) {
    this.value = value;
    this.language = language;
    this.foldedMain = foldedMain;
    this.lowerCased = value.toLowerCase().normalize('NFC');
    this.letters = this.lowerCased.replace(IGNORED, '');
  }

  /** Similarity to the main name, 0..1. */
  get similarity(): number {
    this.cachedSimilarity ??= similarity(romanize(this.lowerCased), this.foldedMain);
    return this.cachedSimilarity;
  }
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
  return highest(
    possible,
    ({ similarity, lowerCased }) =>
      similarity + sum(allHabits.map(([spelling, points]) => points * (lowerCased.match(spelling)?.length ?? 0))),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
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
