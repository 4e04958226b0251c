/**
 * Words of names and queries with a role in searches: particles, at which no match starts ("de" in
 * "rio de janeiro"), and generic words, which people add to place names ("airport").
 */
import { fold } from './fold.ts';
import { AIRPORT_WORDS, GENERIC_WORDS, PARTICLES as PARTICLE_LIST } from './search-words.ts';

const MAX_STARTS = 6;

/** Articles, prepositions and the like. */
export const PARTICLES: ReadonlySet<string> = new Set(PARTICLE_LIST.split(' '));

/** Offsets of the first MAX_STARTS words at which a match may start. */
export function wordStarts(folded: string): number[] {
  const starts: number[] = [];
  let start = 0;
  for (const word of folded.split(' ')) {
    if (start === 0 || !PARTICLES.has(word)) starts.push(start);
    start += word.length + 1;
  }
  return starts.slice(0, MAX_STARTS);
}

const airportWords = foldedSet(AIRPORT_WORDS);
const genericWords = foldedSet(`${AIRPORT_WORDS} ${GENERIC_WORDS}`);

function foldedSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(fold));
}

/** Whether people add the word to place names. A search may leave it out. */
export function isGenericWord(foldedWord: string): boolean {
  return genericWords.has(foldedWord);
}

export function isAirportWord(foldedWord: string): boolean {
  return airportWords.has(foldedWord);
}
