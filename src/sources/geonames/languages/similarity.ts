/** Compares romanised names by sound: how likely two spellings are of the same name. */

const VOWELS = 'aeiouy';
/** Consonants that languages often exchange: g and h, b and v, s and sh. */
const SIMILAR_CONSONANTS = ['bpvfw', 'dt', 'gkqchxj', 'szcj', 'lr', 'mn'];
/** Costs of the edits that turn one name into the other. */
const COST = { vowel: 0.4, similarConsonant: 0.5, otherVowel: 0.3, consonant: 1 } as const;

/** From 0 (nothing in common) to 1 (the same letters). */
export function similarity(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  return longer === 0 ? 0 : Math.max(0, 1 - distance(a, b) / longer);
}

function distance(a: string, b: string): number {
  let previous = [0];
  for (let j = 1; j <= b.length; j++) previous.push(previous[j - 1]! + insertionCost(b[j - 1]!));
  for (let i = 1; i <= a.length; i++) {
    const current = [previous[0]! + insertionCost(a[i - 1]!)];
    for (let j = 1; j <= b.length; j++) {
      current.push(
        Math.min(
          previous[j - 1]! + substitutionCost(a[i - 1]!, b[j - 1]!),
          previous[j]! + insertionCost(a[i - 1]!),
          current[j - 1]! + insertionCost(b[j - 1]!),
        ),
      );
    }
    previous = current;
  }
  return previous[b.length]!;
}

function insertionCost(letter: string): number {
  return VOWELS.includes(letter) || letter === 'h' ? COST.vowel : COST.consonant;
}

function substitutionCost(a: string, b: string): number {
  if (a === b) return 0;
  if (VOWELS.includes(a) && VOWELS.includes(b)) return COST.otherVowel;
  return SIMILAR_CONSONANTS.some((group) => group.includes(a) && group.includes(b))
    ? COST.similarConsonant
    : COST.consonant;
}
