/** Finds the parts of a name that match the typed words. */

import type { Highlight } from '../engine.ts';
import { type ClosestSpelling, closestSpelling } from '../text/closest-spelling.ts';
import { FoldedText, type Word } from '../text/fold.ts';
import { isWithinTypos } from '../text/typo-matcher.ts';
import type { StoredText } from './stored-text.ts';

/** The words of a query that name the place. */
export interface TypedName {
  readonly words: readonly Word[];
  /** The same words, not folded. */
  readonly asTyped: readonly string[];
}

type Range = [start: number, end: number];

/** Frozen, because hits share it. */
const NO_HIGHLIGHT: Highlight = Object.freeze({
  ranges: Object.freeze([]),
  matchLevel: 'none',
  matchedWords: Object.freeze([]),
});
/** Scratch memory for the folded name. Below, `word` is the index of a word of this name. */
const folded = new FoldedText();

export function typedName(query: string, words: readonly Word[]): TypedName {
  const asTyped = words.map(({ start, end }) => query.slice(start, end));
  return { words, asTyped };
}

/** Highlights words that equal a typed word or start with the last. Typos allow similar words. */
export function highlightName(name: StoredText, typed: TypedName, typos: number): Highlight {
  const { words, asTyped } = typed;
  if (words.length === 0) return NO_HIGHLIGHT;
  folded.foldBytes(name.bytes, name.start, name.end);
  const ranges: Range[] = [];
  const isMatched: boolean[] = words.map(() => false);
  for (let word = 0; word < folded.wordCount; word++) {
    const letterCount = markMatched(isMatched, word, words, typos);
    if (letterCount > 0) ranges.push(rangeOf(folded.wordOffsets[word]!, letterCount));
  }
  if (!isMatched.includes(false)) return { ranges, matchLevel: 'full', matchedWords: asTyped };
  const matchedWords = asTyped.filter((_, i) => isMatched[i]);
  return { ranges, matchLevel: ranges.length === 0 ? 'none' : 'partial', matchedWords };
}

/** Highlights words in another spelling: Saint for "st", New York for "newyork". */
export function highlightRespelt(name: StoredText, { words, asTyped }: TypedName, typos: number): Highlight {
  folded.foldBytes(name.bytes, name.start, name.end);
  const whole = rangesInSpelling(name, words.map(({ text }) => text).join(' '), typos);
  if (whole.length > 0) return { ranges: whole, matchLevel: 'full', matchedWords: asTyped };
  // the place was found word by word, so only some words match
  for (const [i, { text }] of words.entries()) {
    const ranges = rangesInSpelling(name, text, typos);
    if (ranges.length > 0) return { ranges, matchLevel: 'partial', matchedWords: [asTyped[i]!] };
  }
  return NO_HIGHLIGHT;
}

function rangesInSpelling(name: StoredText, text: string, maxTypos: number): Range[] {
  const closest = closestSpelling(name.text, text, { maxTypos, isPrefix: true });
  return closest === undefined ? [] : rangesBetween(closest);
}

function rangesBetween({ spelling, from, to }: ClosestSpelling): Range[] {
  const words = spelling.split(' ');
  const hasSameWordCount = words.length === folded.wordCount;
  const nameLetterCount = folded.wordOffsets[folded.wordCount];
  // words must pair up by number ("st" for Saint) or by letters ("l aquila" for L'Aquila)
  if (!hasSameWordCount && words.join('').length !== nameLetterCount) return [];
  const ranges: Range[] = [];
  let offset = 0; // of the word in the spelling
  let lettersBefore = 0; // the same without spaces
  words.forEach(({ length }, word) => {
    const isCovered = offset < to && offset + length > from;
    if (isCovered && hasSameWordCount) ranges.push(rangeOf(folded.wordOffsets[word]!, lengthOf(word)));
    else if (isCovered) ranges.push(rangeOf(lettersBefore, length));
    offset += length + 1;
    lettersBefore += length;
  });
  return ranges;
}

/** The range in the unfolded name that letters of the folded name come from. */
function rangeOf(firstLetter: number, count: number): Range {
  return [folded.starts[firstLetter]!, folded.ends[firstLetter + count - 1]!];
}

export interface WordPositions {
  /** For each typed word, the index of the matching word of the name, or -1. */
  readonly positions: readonly number[];
  /** Number of typed words that are whole words of the name, without typos. */
  readonly exactCount: number;
}

/** Matches each typed word to a word of the name, preferably one after the previous match. */
export function wordPositions(name: StoredText, typed: readonly Word[], typos: number): WordPositions {
  folded.foldBytes(name.bytes, name.start, name.end);
  const positions: number[] = [];
  let exactCount = 0;
  for (let i = 0; i < typed.length; i++) {
    const { text } = typed[i]!;
    const isLast = i === typed.length - 1;
    const unmatched: number[] = [];
    for (let word = 0; word < folded.wordCount; word++) if (!positions.includes(word)) unmatched.push(word);
    const previous = positions.at(-1) ?? -1;
    const after = unmatched.filter((word) => word > previous);
    const before = unmatched.filter((word) => word < previous);
    const byPreference = [...after, ...before];
    const found =
      byPreference.find((word) => equals(word, text)) ??
      byPreference.find((word) => isLast && startsWith(word, text)) ??
      byPreference.find((word) => isSimilar(word, text, isLast, typos));
    positions.push(found ?? -1);
    if (found !== undefined && equals(found, text)) exactCount++;
  }
  return { positions, exactCount };
}

function equals(word: number, text: string): boolean {
  return text.length === lengthOf(word) && startsWith(word, text);
}

function startsWith(word: number, text: string): boolean {
  if (text.length > lengthOf(word)) return false;
  const from = folded.wordOffsets[word]!;
  for (let i = 0; i < text.length; i++) if (folded.letters[from + i] !== text.charCodeAt(i)) return false;
  return true;
}

function lengthOf(word: number): number {
  return folded.wordOffsets[word + 1]! - folded.wordOffsets[word]!;
}

/** Sets `isMatched`, and returns how many letters of the name's word to highlight. */
function markMatched(isMatched: boolean[], word: number, typed: readonly Word[], typos: number): number {
  let letterCount = 0;
  let firstSimilar = -1;
  for (let i = 0; i < typed.length; i++) {
    const { text } = typed[i]!;
    const isLast = i === typed.length - 1;
    if (isLast ? startsWith(word, text) : equals(word, text)) {
      isMatched[i] = true;
      letterCount = Math.max(letterCount, text.length);
    } else if (firstSimilar === -1 && isSimilar(word, text, isLast, typos)) {
      firstSimilar = i;
    }
  }
  if (letterCount > 0 || firstSimilar === -1) return letterCount;
  isMatched[firstSimilar] = true;
  return lengthOf(word);
}

function isSimilar(word: number, text: string, isPrefix: boolean, typos: number): boolean {
  const maxTypos = Math.min(typos, text.length >= 6 ? 2 : text.length >= 4 ? 1 : 0);
  const extraLetters = lengthOf(word) - text.length;
  const isTooLong = extraLetters > maxTypos && !isPrefix;
  if (maxTypos === 0 || isTooLong || extraLetters < -maxTypos) return false;
  const from = folded.wordOffsets[word]!;
  const to = folded.wordOffsets[word + 1]!;
  return isWithinTypos(text, { list: folded.letters, from, to }, { maxTypos, isPrefix });
}
