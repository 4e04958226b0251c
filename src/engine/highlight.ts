/** Which parts of a name the typed words account for. */
import { editDistance, prefixDistance } from '../text/edit-distance.ts';
import { foldWords, type Word } from '../text/fold.ts';
import type { Highlight } from './engine.ts';
import type { StoredText } from './stored-text.ts';

/** The words of a query that name the place. */
export interface TypedName {
  readonly words: readonly Word[];
  /** The same as they stand in the query. */
  readonly asTyped: readonly string[];
  /** Of all names that begin with the words as they were typed, in plain letters. */
  readonly plain: Highlight;
}

export function typedName(query: string, words: readonly Word[]): TypedName {
  const asTyped = words.map(({ start, end }) => query.slice(start, end));
  return { words, asTyped, plain: { ranges: plainRanges(words), matchLevel: 'full', matchedWords: asTyped } };
}

/**
 * Marks the beginnings of the name's words that the typed words are, or, where the match has typing errors, are but for an
 * error. Hits that match in full share one list of matched words.
 */
export function highlightName(
  stored: StoredText,
  { words: typed, asTyped, plain }: TypedName,
  isMisspelt: boolean,
): Highlight {
  if (!isMisspelt && beginsPlainly(stored, typed)) return plain;
  const name = stored.text;
  const ranges: [number, number][] = [];
  const isMatched: boolean[] = [];
  let matched = 0;
  for (const word of foldWords(name)) {
    const best = bestMatch(word.text, typed, isMisspelt);
    if (best === undefined) continue;
    if (isMatched[best.index] !== true) matched++;
    isMatched[best.index] = true;
    ranges.push([word.start, best.isWhole ? word.end : endOfPrefix(name, word, best.length)]);
  }
  if (matched === typed.length) return { ranges, matchLevel: 'full', matchedWords: asTyped };
  const matchedWords = asTyped.filter((_, i) => isMatched[i] === true);
  return { ranges, matchLevel: matched === 0 ? 'none' : 'partial', matchedWords };
}

/** The words one after the other, with a letter between two. */
function plainRanges(words: readonly Word[]): [number, number][] {
  let at = 0;
  return words.map(({ text }) => {
    const range: [number, number] = [at, at + text.length];
    at = range[1] + 1;
    return range;
  });
}

/** The most usual case: the name begins with the words as they were typed, in plain letters. */
function beginsPlainly({ bytes, start, end }: StoredText, typed: readonly Word[]): boolean {
  let at = start;
  for (let i = 0; i < typed.length; i++) {
    const { text } = typed[i]!;
    if (i > 0 && !isGap(bytes[at++]!)) return false;
    if (end - at < text.length) return false;
    for (let j = 0; j < text.length; j++) {
      const letter = bytes[at++]!;
      const lower = letter >= 0x41 && letter <= 0x5a ? letter + 0x20 : letter;
      if (lower > 0x7f || lower !== text.charCodeAt(j)) return false;
    }
  }
  return true;
}

function isGap(letter: number): boolean {
  return letter === 0x20 || letter === 0x2d;
}

interface WordMatch {
  readonly index: number;
  readonly length: number;
  readonly isWhole: boolean;
}

function bestMatch(text: string, typed: readonly Word[], isMisspelt: boolean): WordMatch | undefined {
  let best: WordMatch | undefined;
  for (let index = 0; index < typed.length; index++) {
    const word = typed[index]!.text;
    const isLast = index === typed.length - 1;
    if (word === text) return { index, length: text.length, isWhole: true };
    if (isLast && text.startsWith(word)) return { index, length: word.length, isWhole: false };
    if (isMisspelt && best === undefined && isNear(word, text, isLast)) {
      best = { index, length: text.length, isWhole: true };
    }
  }
  return best;
}

/** Within one error for words of four letters on, two from eight. */
function isNear(typed: string, text: string, isPrefix: boolean): boolean {
  const allowed = typed.length >= 8 ? 2 : typed.length >= 4 ? 1 : 0;
  const difference = text.length - typed.length;
  if (allowed === 0 || difference < -allowed || (difference > allowed && !isPrefix)) return false;
  const compared = isPrefix ? text.slice(0, typed.length + allowed) : text;
  let same = 0;
  while (same < typed.length && typed.charCodeAt(same) === compared.charCodeAt(same)) same++;
  const distance = isPrefix ? prefixDistance : editDistance;
  return distance(typed.slice(same), compared.slice(same)) <= allowed;
}

/** Where in the name the first `length` folded letters of a word end. */
function endOfPrefix(name: string, word: Word, length: number): number {
  for (let end = word.start + 1; end < word.end; end++) {
    const folded = foldWords(name.slice(word.start, end));
    if ((folded[0]?.text.length ?? 0) >= length) return end;
  }
  return word.end;
}
