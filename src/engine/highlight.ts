/** Which parts of a name the typed words account for. */
import { foldWords, type Word } from '../text/fold.ts';
import type { Highlight } from './engine.ts';

export interface Typed {
  readonly query: string;
  /** Those of its words that name the place. */
  readonly words: readonly Word[];
  /** Whether the match has typing errors. */
  readonly isMisspelt: boolean;
}

/** Marks the beginnings of the name's words that the typed words are, or are but for a typing error. */
export function highlightName(name: string, { query, words: typed, isMisspelt }: Typed): Highlight {
  const [only] = typed;
  if (!isMisspelt && typed.length === 1 && only !== undefined && startsPlainly(name, only.text)) {
    const matchedWords = [query.slice(only.start, only.end)];
    return { ranges: [[0, only.text.length]], matchLevel: 'full', matchedWords };
  }
  const ranges: [number, number][] = [];
  const matched = new Set<number>();
  for (const word of foldWords(name)) {
    const best = bestMatch(word.text, typed, isMisspelt);
    if (best === undefined) continue;
    matched.add(best.index);
    ranges.push([word.start, best.isWhole ? word.end : endOfPrefix(name, word, best.length)]);
  }
  const matchedWords = [...matched].sort((a, b) => a - b).map((i) => query.slice(typed[i]?.start, typed[i]?.end));
  const matchLevel = matched.size === 0 ? 'none' : matched.size === typed.length ? 'full' : 'partial';
  return { ranges, matchLevel, matchedWords };
}

/** The most usual case: the name begins with what was typed, in plain letters. */
function startsPlainly(name: string, text: string): boolean {
  if (name.length < text.length) return false;
  for (let i = 0; i < text.length; i++) {
    const letter = name.charCodeAt(i);
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

/** Edits and swaps from one text to the other; with `isPrefix`, to some beginning of it. */
function editDistance(a: string, b: string, isPrefix: boolean): number {
  let beforeLast: number[] = [];
  let last: number[] = [];
  for (let j = 0; j <= b.length; j++) last.push(j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, beforeLast[j - 2]! + 1);
      row.push(least);
    }
    beforeLast = last;
    last = row;
  }
  return isPrefix ? Math.min(...last) : last[b.length]!;
}

/** Where in the name the first `length` folded letters of a word end. */
function endOfPrefix(name: string, word: Word, length: number): number {
  for (let end = word.start + 1; end < word.end; end++) {
    const folded = foldWords(name.slice(word.start, end));
    if ((folded[0]?.text.length ?? 0) >= length) return end;
  }
  return word.end;
}
