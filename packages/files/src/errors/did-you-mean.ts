/** Suggests what a user may have meant by an unknown word: a command, a flag, a field or a value. */
import { isWithinTypos } from 'toponym-engine/text/typo-matcher';

const MAX_SUGGESTIONS = 3;
/** A shorter start of a word says too little. */
const MIN_START_LENGTH = 3;

/** Text to follow an error, such as `; did you mean query?`; empty if no word is close. */
export function didYouMean(word: string, known: readonly string[]): string {
  const words = closestWords(word, known);
  return words.length === 0 ? '' : `; did you mean ${words.join(' or ')}?`;
}

/** The known words with the fewest typos, or else those that begin with the word. */
function closestWords(word: string, known: readonly string[]): string[] {
  const typed = word.toLowerCase();
  const letters = typed.replace(/^-+/, '').length;
  const maxTypos = letters <= 2 ? 0 : letters <= 4 ? 1 : 2;
  for (let typos = 0; typos <= maxTypos; typos++) {
    const close = known.filter((each) => isWithin(typed, each, { maxTypos: typos, isPrefix: false }));
    if (close.length > 0) return close.slice(0, MAX_SUGGESTIONS);
  }
  if (letters < MIN_START_LENGTH) return [];
  return known.filter((each) => isWithin(typed, each, { maxTypos: 0, isPrefix: true })).slice(0, MAX_SUGGESTIONS);
}

function isWithin(typed: string, word: string, options: { readonly maxTypos: number; readonly isPrefix: boolean }) {
  const list = Array.from(word.toLowerCase(), (letter) => letter.charCodeAt(0));
  return isWithinTypos(typed, { list, from: 0, to: list.length }, options);
}
