/**
 * Finds out in which languages the names of a place are. GeoNames' dumps list the names without
 * their languages; without this, `language` could show few names. Most important first:
 * 1. names of well-known cities that are listed by language (known-names.ts);
 * 2. the script, if it serves one language (name-script.ts);
 * 3. the letters, the habits of spelling, and the similarity to the main name, if the script serves
 *    several (shared-scripts.ts, han-names.ts).
 * A Latin name of any other place has no language: the main name is shown instead.
 */
import type { PlaceName } from '../../../place/place.ts';
import { fold } from '../../../text/fold.ts';
import { chooseHanNames } from './han-names.ts';
import { knownNames } from './known-names.ts';
import { guessLanguage } from './name-script.ts';
import { romanize } from './romanize.ts';
import { HABITS_IN_JAPAN, type ScriptLanguage, SHARED_SCRIPTS } from './shared-scripts.ts';
import { similarity } from './similarity.ts';

/** Spaces, punctuation and the stress marks of Russian dictionaries. */
const NOT_A_LETTER = /[^\p{L}\p{M}]|\u0301/gu;

export interface PlaceFacts {
  readonly country: string;
  readonly timezone: string;
  /** 0 if unknown. */
  readonly population: number;
}

/**
 * The names with their languages. Of several names in one language, the one to show comes first. A
 * name in several languages is repeated at the end, once for each further language.
 */
export function assignLanguages(names: readonly PlaceName[], facts: PlaceFacts): PlaceName[] {
  const [main, ...others] = names;
  if (main === undefined || others.length === 0) return [...names];
  const values = others.filter(({ kind }) => kind === 'alternate').map(({ value }) => value);
  const languagesByName = groupByName(chooseNames(main.value, values, facts));
  if (languagesByName.size === 0) return [...names];
  const chosen: PlaceName[] = [];
  const rest: PlaceName[] = [];
  const repeated: PlaceName[] = [];
  for (const name of others) {
    const [first, ...further] = languagesByName.get(name.value) ?? [];
    const language = first ?? guessLanguage(name.value);
    const tagged = language === undefined ? name : { ...name, language };
    (first === undefined ? rest : chosen).push(tagged);
    repeated.push(...further.map((other) => ({ ...name, language: other })));
  }
  return [main, ...chosen, ...rest, ...repeated];
}

/** The name to show in each language for which there is one. */
function chooseNames(main: string, values: readonly string[], facts: PlaceFacts): Map<string, string> {
  const chosen = knownNames(main, values, facts);
  const choose = (language: string, name: string | undefined): void => {
    if (name !== undefined && !chosen.has(language)) chosen.set(language, name);
  };
  const foreign = values.filter(hasNonLatinLetter);
  if (foreign.length === 0) return chosen;
  const foldedMain = fold(main).replaceAll(' ', '');
  for (const { script, languages } of SHARED_SCRIPTS) {
    const candidates = foreign.filter((value) => script.test(value)).map((value) => new Candidate(value, foldedMain));
    if (candidates.length === 0) continue;
    for (const language of languages)
      choose(language.language, bestCandidate(candidates, language, facts.country)?.value);
  }
  for (const [language, name] of chooseHanNames(foreign, facts.country)) choose(language, name);
  for (const [language, candidates] of groupByScriptLanguage(foreign)) {
    choose(language, mostSimilar(candidates, foldedMain));
  }
  return chosen;
}

/** A name that may be chosen for several languages of its script. */
class Candidate {
  readonly value: string;
  readonly lowerCased: string;
  /** The name in lower case, without spaces, punctuation and stress marks. */
  readonly letters: string;
  private readonly foldedMain: string;
  private cachedSimilarity: number | undefined;

  constructor(value: string, foldedMain: string) {
    this.value = value;
    this.foldedMain = foldedMain;
    this.lowerCased = value.toLowerCase().normalize('NFC');
    this.letters = this.lowerCased.replace(NOT_A_LETTER, '');
  }

  /** How similar the name is to the main name, from 0 to 1. */
  get similarity(): number {
    this.cachedSimilarity ??= similarity(romanize(this.lowerCased), this.foldedMain);
    return this.cachedSimilarity;
  }
}

/** The name that is most likely in the language, if any can be. */
function bestCandidate(
  candidates: readonly Candidate[],
  { letters, sure, countries, habits }: ScriptLanguage,
  country: string,
): Candidate | undefined {
  const needsProof = sure !== undefined && !countries.includes(country);
  const possible = candidates.filter(
    (candidate) => letters.test(candidate.letters) && (!needsProof || sure.test(candidate.lowerCased)),
  );
  if (possible.length < 2) return possible[0];
  const allHabits = country === 'JP' ? [...habits, ...HABITS_IN_JAPAN] : habits;
  const scores = possible.map(
    ({ similarity, lowerCased }) =>
      similarity + sum(allHabits.map(([spelling, points]) => points * (lowerCased.match(spelling)?.length ?? 0))),
  );
  return possible[scores.indexOf(Math.max(...scores))];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Names in scripts that serve one language, by language. */
function groupByScriptLanguage(values: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const value of values) {
    const language = guessLanguage(value);
    if (language !== undefined) groups.set(language, [...(groups.get(language) ?? []), value]);
  }
  return groups;
}

function mostSimilar(values: readonly string[], foldedMain: string): string | undefined {
  if (values.length < 2) return values[0];
  const scores = values.map((value) => similarity(romanize(value), foldedMain));
  return values[scores.indexOf(Math.max(...scores))];
}

function groupByName(nameByLanguage: ReadonlyMap<string, string>): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [language, name] of nameByLanguage) groups.set(name, [...(groups.get(name) ?? []), language]);
  return groups;
}

/** Whether a text has a letter of a script other than Latin; Greek is the first in Unicode. */
function hasNonLatinLetter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // 1E00 to 1EFF are Latin letters, 2000 to 2BFF punctuation and symbols
    if (unit >= 0x370 && (unit < 0x1e00 || unit > 0x1eff) && (unit < 0x2000 || unit > 0x2bff)) return true;
  }
  return false;
}
