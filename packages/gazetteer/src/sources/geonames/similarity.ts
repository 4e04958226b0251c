/** Compares names by sound: romanised roughly, letter by letter. */
import { readTable } from '../tables.ts';

const VOWELS = 'aeiouy';
/** Consonants that languages often exchange. c and j have two sounds each. */
const SIMILAR_CONSONANTS = ['bpvfw', 'dt', 'gkqchxj', 'szcj', 'lr', 'mn'];
/** Costs of adding or leaving out a letter. */
const EXTRA = { vowel: 0.4, consonant: 1 } as const;
const EXCHANGE = { vowels: 0.3, similarConsonants: 0.5, others: 1 } as const;

/** From 0 (nothing in common) to 1 (the same letters). */
export function similarity(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  return longer === 0 ? 0 : Math.max(0, 1 - editDistance(a, b) / longer);
}

/** Levenshtein's algorithm with the costs above. */
function editDistance(a: string, b: string): number {
  let previous = [0];
  for (let j = 0; j < b.length; j++) previous.push(previous[j]! + extraCost(b.charCodeAt(j)));
  for (let i = 0; i < a.length; i++) {
    const code = a.charCodeAt(i);
    const cost = extraCost(code);
    const current = [previous[0]! + cost];
    for (let j = 0; j < b.length; j++) {
      const otherCode = b.charCodeAt(j);
      current.push(
        Math.min(
          previous[j]! + exchangeCost(code, otherCode),
          previous[j + 1]! + cost,
          current[j]! + extraCost(otherCode),
        ),
      );
    }
    previous = current;
  }
  return previous[b.length]!;
}

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
/** By the code of the letter. An h is as cheap as a vowel, because s and sh, t and th are alike. */
const EXTRA_COSTS = ASCII.map((letter) => (`${VOWELS}h`.includes(letter) ? EXTRA.vowel : EXTRA.consonant));
/** By the codes of both letters. */
const EXCHANGE_COSTS = ASCII.map((a) => ASCII.map((b) => computeExchangeCost(a, b)));

function extraCost(code: number): number {
  return EXTRA_COSTS[code] ?? EXTRA.consonant;
}

function exchangeCost(a: number, b: number): number {
  return a === b ? 0 : (EXCHANGE_COSTS[a]?.[b] ?? EXCHANGE.others);
}

function computeExchangeCost(a: string, b: string): number {
  if (VOWELS.includes(a) && VOWELS.includes(b)) return EXCHANGE.vowels;
  const areSimilar = SIMILAR_CONSONANTS.some((group) => group.includes(a) && group.includes(b));
  return areSimilar ? EXCHANGE.similarConsonants : EXCHANGE.others;
}

/** Latin spelling of each letter. Letters without a sound are left out. */
const LATIN_SPELLINGS = new Map(readTable('letters').map(({ letter, latin }) => [letter, latin]));

/** A letter, with the dot below of Devanagari, which NFC keeps separate. */
const LETTER = /.\u093c?/gsu;

/** Romanises a text. An unknown letter is spelt without its marks, or left out. */
export function romanize(text: string): string {
  let romanized = '';
  for (const [letter] of text.toLowerCase().normalize('NFC').matchAll(LETTER)) {
    romanized += latinSpelling(letter) ?? latinSpelling(withoutMarks(letter)) ?? '';
  }
  return romanized;
}

function latinSpelling(letter: string): string | undefined {
  return letter >= 'a' && letter <= 'z' ? letter : LATIN_SPELLINGS.get(letter);
}

function withoutMarks(letter: string): string {
  const [plain = ''] = letter.normalize('NFD');
  return plain;
}
