/** Words that people add to place names, such as "airport". A search may leave them out. */
import { fold } from './fold.ts';
import { AIRPORT_WORDS, GENERIC_WORDS } from './search-words.ts';

const airportWords = foldedSet(AIRPORT_WORDS);
const genericWords = foldedSet(`${AIRPORT_WORDS} ${GENERIC_WORDS}`);

function foldedSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(fold));
}

export function isGenericWord(foldedWord: string): boolean {
  return genericWords.has(foldedWord);
}

export function isAirportWord(foldedWord: string): boolean {
  return airportWords.has(foldedWord);
}
