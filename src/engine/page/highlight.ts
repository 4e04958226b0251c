/** Finds the parts of a name that match the typed words. */
import type { Word } from '../../text/fold.ts';
import { FoldedText } from '../../text/folded-text.ts';
import { TypoMatcher } from '../../text/typo-matcher.ts';
import type { Highlight } from '../engine.ts';
import type { StoredText } from './stored-text.ts';

/** The words of a query that name the place. */
export interface TypedName {
  readonly words: readonly Word[];
  /** The same words as typed. */
  readonly asTyped: readonly string[];
  /** The highlight of every name that passes `startsWithAscii`. */
  readonly asciiHighlight: Highlight;
}

/** Scratch memory: the folded name to match. Below, `word` is the index of one of its words. */
const folded = new FoldedText();
const typoMatcher = new TypoMatcher();

export function typedName(query: string, words: readonly Word[]): TypedName {
  const asTyped = words.map(({ start, end }) => query.slice(start, end));
  const asciiHighlight: Highlight = { ranges: asciiRanges(words), matchLevel: 'full', matchedWords: asTyped };
  return { words, asTyped, asciiHighlight };
}

/**
 * Highlights the words of a name that equal a typed word or start with the last typed word; with
 * `isMisspelt`, also words that differ by typos. If the name passes `startsWithAscii`, only the
 * words at its start are highlighted.
 */
export function highlightName(
  name: StoredText,
  { words: typed, asTyped, asciiHighlight }: TypedName,
  isMisspelt: boolean,
): Highlight {
  if (!isMisspelt && startsWithAscii(name, typed)) return asciiHighlight;
  folded.foldBytes(name.bytes, name.start, name.end);
  const ranges: [number, number][] = [];
  const isMatched: boolean[] = [];
  let matchedCount = 0;
  for (let word = 0; word < folded.wordCount; word++) {
    const best = bestMatch(word, typed, isMisspelt);
    if (best === undefined) continue;
    if (isMatched[best.index] !== true) matchedCount++;
    isMatched[best.index] = true;
    const from = folded.wordOffsets[word]!;
    ranges.push([folded.starts[from]!, folded.ends[from + best.letters - 1]!]);
  }
  if (matchedCount === typed.length) return { ranges, matchLevel: 'full', matchedWords: asTyped };
  const matchedWords = asTyped.filter((_, i) => isMatched[i] === true);
  return { ranges, matchLevel: matchedCount === 0 ? 'none' : 'partial', matchedWords };
}

/** Positions of the typed words in a name. */
export interface WordPositions {
  /** For each typed word, the index of the matching word of the name, or -1. */
  readonly positions: readonly number[];
  /** Number of typed words that are whole words of the name, without typos. */
  readonly exactCount: number;
}

/** Matches each typed word to a word of the name, preferably one after the previous match. */
export function wordPositions(name: StoredText, typed: readonly Word[], isMisspelt: boolean): WordPositions {
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
      byPreference.find((word) => isMisspelt && isSimilar(word, text, isLast));
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

/** Ranges of the typed words in a name that passes `startsWithAscii`. */
function asciiRanges(words: readonly Word[]): [number, number][] {
  let at = 0;
  return words.map(({ text }) => {
    const range: [number, number] = [at, at + text.length];
    at = range[1] + 1;
    return range;
  });
}

/**
 * Whether the name starts with the typed words, in ASCII, separated by one space or hyphen. The
 * last word may be unfinished. This is the most common case.
 */
function startsWithAscii({ bytes, start, end }: StoredText, typed: readonly Word[]): boolean {
  let at = start;
  for (let i = 0; i < typed.length; i++) {
    const { text } = typed[i]!;
    if (i > 0 && !isSpaceOrHyphen(bytes[at++]!)) return false;
    if (end - at < text.length) return false;
    for (let j = 0; j < text.length; j++) {
      const letter = bytes[at++]!;
      const isUpperCase = letter >= 0x41 && letter <= 0x5a;
      const lower = isUpperCase ? letter + 0x20 : letter;
      if (letter > 0x7f || lower !== text.charCodeAt(j)) return false;
    }
  }
  return true;
}

function isSpaceOrHyphen(byte: number): boolean {
  return byte === 0x20 || byte === 0x2d;
}

interface WordMatch {
  /** Index of the typed word. */
  readonly index: number;
  /** Number of highlighted letters. */
  readonly letters: number;
}

/** The typed word that a word of the name equals or starts with, or else is similar to. */
function bestMatch(word: number, typed: readonly Word[], isMisspelt: boolean): WordMatch | undefined {
  let similar: WordMatch | undefined;
  for (let index = 0; index < typed.length; index++) {
    const { text } = typed[index]!;
    const isLast = index === typed.length - 1;
    if (isLast ? startsWith(word, text) : equals(word, text)) return { index, letters: text.length };
    if (isMisspelt && similar === undefined && isSimilar(word, text, isLast))
      similar = { index, letters: lengthOf(word) };
  }
  return similar;
}

/** Whether `text` is the word with typos: at most one from four letters on, two from eight on. */
function isSimilar(word: number, text: string, isPrefix: boolean): boolean {
  const maxTypos = text.length >= 8 ? 2 : text.length >= 4 ? 1 : 0;
  const extraLetters = lengthOf(word) - text.length;
  const isTooLong = extraLetters > maxTypos && !isPrefix;
  if (maxTypos === 0 || isTooLong || extraLetters < -maxTypos) return false;
  const from = folded.wordOffsets[word]!;
  const to = folded.wordOffsets[word + 1]!;
  return typoMatcher.isWithin(text, { list: folded.letters, from, to }, { maxTypos, isPrefix });
}
