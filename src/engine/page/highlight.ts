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
  /** Highlight of every name that starts with the words in ASCII. */
  readonly ascii: Highlight;
}

/** Scratch memory: the name that is being matched. */
const folded = new FoldedText();
const typoMatcher = new TypoMatcher();

export function typedName(query: string, words: readonly Word[]): TypedName {
  const asTyped = words.map(({ start, end }) => query.slice(start, end));
  return { words, asTyped, ascii: { ranges: asciiRanges(words), matchLevel: 'full', matchedWords: asTyped } };
}

/**
 * Highlights words that equal a typed word or start with the last one; with `isMisspelt`, also
 * words that resemble one.
 */
export function highlightName(
  stored: StoredText,
  { words: typed, asTyped, ascii }: TypedName,
  isMisspelt: boolean,
): Highlight {
  if (!isMisspelt && startsWithAscii(stored, typed)) return ascii;
  folded.set(stored.bytes, stored.start, stored.end);
  const ranges: [number, number][] = [];
  const isMatched: boolean[] = [];
  let matched = 0;
  for (let word = 0; word < folded.wordCount; word++) {
    const best = bestMatch(word, typed, isMisspelt);
    if (best === undefined) continue;
    if (isMatched[best.index] !== true) matched++;
    isMatched[best.index] = true;
    const from = folded.wordOffsets[word]!;
    ranges.push([folded.starts[from]!, folded.ends[from + best.letters - 1]!]);
  }
  if (matched === typed.length) return { ranges, matchLevel: 'full', matchedWords: asTyped };
  const matchedWords = asTyped.filter((_, i) => isMatched[i] === true);
  return { ranges, matchLevel: matched === 0 ? 'none' : 'partial', matchedWords };
}

/** Positions of the typed words in a name. */
export interface WordPositions {
  /** For each typed word, the index of the matching word of the name, or -1. */
  readonly positions: readonly number[];
  /** Number of typed words that are whole words of the name, without typos. */
  readonly exact: number;
}

/** Matches each typed word to one word of the name, preferably in the order of the name. */
export function wordPositions(stored: StoredText, typed: readonly Word[], isMisspelt: boolean): WordPositions {
  folded.set(stored.bytes, stored.start, stored.end);
  const positions: number[] = [];
  let exact = 0;
  for (let i = 0; i < typed.length; i++) {
    const { text } = typed[i]!;
    const isLast = i === typed.length - 1;
    const free: number[] = [];
    for (let word = 0; word < folded.wordCount; word++) if (!positions.includes(word)) free.push(word);
    const previous = positions.at(-1) ?? -1;
    const byPreference = [...free.filter((word) => word > previous), ...free.filter((word) => word < previous)];
    const found =
      byPreference.find((word) => matchesWord(word, text, false)) ??
      byPreference.find((word) => isLast && matchesWord(word, text, true)) ??
      byPreference.find((word) => isMisspelt && isSimilar(word, text, isLast));
    positions.push(found ?? -1);
    if (found !== undefined && matchesWord(found, text, false)) exact++;
  }
  return { positions, exact };
}

/** Whether a word of the name equals the text, or with `isPrefix` starts with it. */
function matchesWord(word: number, text: string, isPrefix: boolean): boolean {
  const from = folded.wordOffsets[word]!;
  const letters = folded.wordOffsets[word + 1]! - from;
  return (text.length === letters || (isPrefix && text.length < letters)) && startsAt(from, text);
}

/** Ranges of the words at the start of a name, with one separator between them. */
function asciiRanges(words: readonly Word[]): [number, number][] {
  let at = 0;
  return words.map(({ text }) => {
    const range: [number, number] = [at, at + text.length];
    at = range[1] + 1;
    return range;
  });
}

/** Whether the name starts with the words in ASCII: the most common case. */
function startsWithAscii({ bytes, start, end }: StoredText, typed: readonly Word[]): boolean {
  let at = start;
  for (let i = 0; i < typed.length; i++) {
    const { text } = typed[i]!;
    if (i > 0 && !isSeparator(bytes[at++]!)) return false;
    if (end - at < text.length) return false;
    for (let j = 0; j < text.length; j++) {
      const letter = bytes[at++]!;
      const lower = letter >= 0x41 && letter <= 0x5a ? letter + 0x20 : letter;
      if (lower > 0x7f || lower !== text.charCodeAt(j)) return false;
    }
  }
  return true;
}

function isSeparator(letter: number): boolean {
  return letter === 0x20 || letter === 0x2d;
}

interface WordMatch {
  readonly index: number;
  /** Number of highlighted letters. */
  readonly letters: number;
}

/** The typed word that a word of the name equals, starts with, or resembles. */
function bestMatch(word: number, typed: readonly Word[], isMisspelt: boolean): WordMatch | undefined {
  const from = folded.wordOffsets[word]!;
  const letters = folded.wordOffsets[word + 1]! - from;
  let similar: WordMatch | undefined;
  for (let index = 0; index < typed.length; index++) {
    const { text } = typed[index]!;
    const isLast = index === typed.length - 1;
    if ((text.length === letters || (isLast && text.length < letters)) && startsAt(from, text)) {
      return { index, letters: text.length };
    }
    if (isMisspelt && similar === undefined && isSimilar(word, text, isLast)) similar = { index, letters };
  }
  return similar;
}

function startsAt(from: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (folded.letters[from + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** Whether a word is within one typo of the text: two from eight letters on, never below four. */
function isSimilar(word: number, text: string, isPrefix: boolean): boolean {
  const maxTypos = text.length >= 8 ? 2 : text.length >= 4 ? 1 : 0;
  const from = folded.wordOffsets[word]!;
  const to = folded.wordOffsets[word + 1]!;
  const longer = to - from - text.length;
  if (maxTypos === 0 || longer < -maxTypos || (longer > maxTypos && !isPrefix)) return false;
  return typoMatcher.isWithin(text, { list: folded.letters, from, to }, { maxTypos, isPrefix });
}
