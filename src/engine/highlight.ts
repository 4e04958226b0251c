/** Which parts of a name the typed words account for. */
import { foldWords, type Word } from '../text/fold.ts';
import type { Highlight } from './engine.ts';

/** The words of a query that name the place. */
export interface TypedName {
  readonly words: readonly Word[];
  /** The same as they stand in the query. */
  readonly asTyped: readonly string[];
}

export function typedName(query: string, words: readonly Word[]): TypedName {
  return { words, asTyped: words.map(({ start, end }) => query.slice(start, end)) };
}

/**
 * Marks the beginnings of the name's words that the typed words are, or, where the match has typing errors, are but for an
 * error. Hits that match in full share one list of matched words.
 */
export function highlightName(name: string, { words: typed, asTyped }: TypedName, isMisspelt: boolean): Highlight {
  const plain = isMisspelt ? undefined : plainRanges(name, typed);
  if (plain !== undefined) return { ranges: plain, matchLevel: 'full', matchedWords: asTyped };
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

/** The most usual case: the name begins with the words as they were typed, in plain letters. */
function plainRanges(name: string, typed: readonly Word[]): [number, number][] | undefined {
  const ranges: [number, number][] = [];
  let at = 0;
  for (let i = 0; i < typed.length; i++) {
    const { text } = typed[i]!;
    if (i > 0 && !isGap(name.charCodeAt(at++))) return undefined;
    if (!continuesPlainly(name, at, text)) return undefined;
    ranges.push([at, at + text.length]);
    at += text.length;
  }
  return ranges;
}

function isGap(letter: number): boolean {
  return letter === 0x20 || letter === 0x2d;
}

function continuesPlainly(name: string, from: number, text: string): boolean {
  if (name.length - from < text.length) return false;
  for (let i = 0; i < text.length; i++) {
    const letter = name.charCodeAt(from + i);
    const lower = letter >= 0x41 && letter <= 0x5a ? letter + 0x20 : letter;
    if (lower > 0x7f || lower !== text.charCodeAt(i)) return false;
  }
  return true;
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
  return editDistance(typed.slice(same), compared.slice(same), isPrefix) <= allowed;
}

/** The row that is filled and the two before it; longer words than this are not compared. */
const MOST_LETTERS = 64;
const rows = [0, 1, 2].map(() => new Uint8Array(MOST_LETTERS + 1));

/** Edits and swaps from one text to the other; with `isPrefix`, to some beginning of it. */
function editDistance(a: string, b: string, isPrefix: boolean): number {
  if (a.length > MOST_LETTERS || b.length > MOST_LETTERS) return MOST_LETTERS;
  let [beforeLast, last, row] = rows as [Uint8Array, Uint8Array, Uint8Array];
  for (let j = 0; j <= b.length; j++) last[j] = j;
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    const letter = a.charCodeAt(i - 1);
    for (let j = 1; j <= b.length; j++) {
      const isSame = letter === b.charCodeAt(j - 1);
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      const isSwap = i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (isSwap) least = Math.min(least, beforeLast[j - 2]! + 1);
      row[j] = least;
    }
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  if (!isPrefix) return last[b.length]!;
  let least = MOST_LETTERS;
  for (let j = 0; j <= b.length; j++) least = Math.min(least, last[j]!);
  return least;
}

/** Where in the name the first `length` folded letters of a word end. */
function endOfPrefix(name: string, word: Word, length: number): number {
  for (let end = word.start + 1; end < word.end; end++) {
    const folded = foldWords(name.slice(word.start, end));
    if ((folded[0]?.text.length ?? 0) >= length) return end;
  }
  return word.end;
}
