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
  for (let j = 1; j <= b.length; j++) previous.push(previous[j - 1]! + extraCost(b[j - 1]!));
  for (let i = 1; i <= a.length; i++) {
    const current = [previous[0]! + extraCost(a[i - 1]!)];
    for (let j = 1; j <= b.length; j++) {
      current.push(
        Math.min(
          previous[j - 1]! + exchangeCost(a[i - 1]!, b[j - 1]!),
          previous[j]! + extraCost(a[i - 1]!),
          current[j - 1]! + extraCost(b[j - 1]!),
        ),
      );
    }
    previous = current;
  }
  return previous[b.length]!;
}

/** An h is as cheap as a vowel, because s and sh, t and th are alike. */
function extraCost(letter: string): number {
  return VOWELS.includes(letter) || letter === 'h' ? EXTRA.vowel : EXTRA.consonant;
}

function exchangeCost(a: string, b: string): number {
  if (a === b) return 0;
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
    const isLatin = letter >= 'a' && letter <= 'z';
    romanized += isLatin ? letter : (LATIN_SPELLINGS.get(letter) ?? LATIN_SPELLINGS.get(withoutMarks(letter)) ?? '');
  }
  return romanized;
}

function withoutMarks(letter: string): string {
  const [plain = ''] = letter.normalize('NFD');
  return plain;
}
