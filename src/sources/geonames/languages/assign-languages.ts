/**
 * Assigns languages to a place's names, which a dump lists without. The first source decides:
 * 1. tables of well-known cities (listed-names.ts);
 * 2. letters and spelling, for shared scripts (shared-scripts.ts, han-names.ts);
 * 3. the script itself (name-script.ts);
 * 4. the stated languages of added names (added-names.ts).
 * Of several candidates for a language, the most similar to the main name is chosen.
 */
import type { PlaceName } from '../../../place/place.ts';
import { fold } from '../../../text/fold.ts';
import { chooseHanNames } from './han-names.ts';
import { listedNames } from './listed-names.ts';
import { guessLanguage } from './name-script.ts';
import { romanize } from './romanize.ts';
import { HABITS_FOR_JAPAN, type ScriptLanguage, SHARED_SCRIPTS } from './shared-scripts.ts';
import { similarity } from './similarity.ts';

/** Characters other than letters and marks (some vowels are marks), and the Russian stress mark. */
const IGNORED = /[^\p{L}\p{M}]|\u0301/gu;

export interface PlaceFacts {
  readonly country: string;
  readonly timezone: string;
  /** 0 if unknown. */
  readonly population: number;
}

/** Keeps the main name first, and puts the name to show first within each language. */
export function assignLanguages(names: readonly PlaceName[], facts: PlaceFacts): PlaceName[] {
  const [main, ...others] = names;
  if (main === undefined || others.length === 0) return [...names];
  const alternates = others.filter(({ kind }) => kind === 'alternate');
  const languagesByName = groupLanguagesByName(chooseNames(main.value, alternates, facts));
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
  const nonLatin = values.filter(mayBeNonLatin);
  if (nonLatin.length === 0) return chosen;
  const foldedMain = fold(main).replaceAll(' ', '');
  for (const { script, languages } of SHARED_SCRIPTS) {
    const candidates = nonLatin.filter((value) => script.test(value)).map((value) => new Candidate(value, foldedMain));
    if (candidates.length === 0) continue;
    for (const language of languages) choose(language.tag, bestCandidate(candidates, language, facts.country)?.value);
  }
  for (const [language, name] of chooseHanNames(nonLatin, facts.country)) choose(language, name);
  const similarityToMain = (value: string) => similarity(romanize(value), foldedMain);
  for (const [language, candidates] of Map.groupBy(nonLatin, guessLanguage)) {
    if (language !== undefined) choose(language, highest(candidates, similarityToMain));
  }
  for (const { value, language } of alternates) if (language !== undefined) choose(language, value);
  return chosen;
}

class Candidate {
  readonly value: string;
  readonly lowerCased: string;
  readonly letters: string;
  private readonly foldedMain: string;
  private cachedSimilarity: number | undefined;

  constructor(value: string, foldedMain: string) {
    this.value = value;
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
  { letters, proof, countries = '', habits = [] }: ScriptLanguage,
  country: string,
): Candidate | undefined {
  const needsProof = proof !== undefined && !countries.split(' ').includes(country);
  const possible = candidates.filter(
    (candidate) => letters.test(candidate.letters) && (!needsProof || proof.test(candidate.lowerCased)),
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

function groupLanguagesByName(nameByLanguage: ReadonlyMap<string, string>): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [language, name] of nameByLanguage) groups.set(name, [...(groups.get(name) ?? []), language]);
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
