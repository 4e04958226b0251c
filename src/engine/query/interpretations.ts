/**
 * The ways a query can be read: some of its words name the place, those before or after name regions it lies in.
 * "new york" is a name, or a place "new" in "york"; "paris, texas" is Paris in Texas.
 */
import type { Word } from '../../text/fold.ts';
import { letterClass, PENALTIES, TYPED } from '../rank/scores.ts';
import type { Regions } from './regions.ts';

export interface Interpretation {
  /** The words from..to name the place. */
  readonly from: number;
  readonly to: number;
  /** What they fold to. */
  readonly text: string;
  /** Whether the last word of the name may be unfinished: it is the last one typed. */
  readonly isPrefix: boolean;
  /** The runs of region words: a place must fit all of them. */
  readonly regions: readonly RegionWords[];
  /** What it lacks of being read just as typed. */
  readonly penalty: number;
  /** What matching by another name than the main one costs besides. */
  readonly alternatePenalty: number;
}

/** Words from..to, and the regions they may mean. */
export interface RegionWords {
  readonly from: number;
  readonly to: number;
  readonly regions: Uint32Array;
  /** Whether the words are just how those regions are written. */
  readonly isExact: boolean;
}

/** How far region words are stretched: as typed, the last one unfinished, any misspelt. */
export type RegionReach = 'exact' | 'prefix' | 'misspelt';

/** Region words beyond this many runs are not told apart: their bits fill a byte. */
const MAX_REGION_GROUPS = 8;
const MIN_NAME_AFTER_REGION = 3;
/** Nobody types more to name a place and where it lies; the ways to split grow with the cube. */
const MAX_WORDS = 12;
/** More words than this are not tried in every order. */
const MAX_REORDERED_WORDS = 3;

/** The reading in which all words name the place. */
export function wholeNameInterpretation(words: readonly Word[]): Interpretation {
  return createInterpretation(words, 0, words.length, []);
}

/** The same with the words in every other order, where they are few. */
export function reorderedInterpretations(words: readonly Word[]): Interpretation[] {
  if (words.length < 2 || words.length > MAX_REORDERED_WORDS) return [];
  const plain = wholeNameInterpretation(words);
  return permutations(words.map(({ text }) => text))
    .map((order) => order.join(' '))
    .filter((text) => text !== plain.text)
    .map((text) => ({ ...plain, text, isPrefix: false, penalty: PENALTIES.reordered }));
}

function permutations(items: readonly string[]): string[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

/** Readings with region words, those with the longest name first. */
export function regionInterpretations(
  words: readonly Word[],
  regions: Regions,
  reach: RegionReach,
  { isCutAtCommas = true } = {},
): Interpretation[] {
  const interpretations: Interpretation[] = [];
  if (words.length > MAX_WORDS) return interpretations;
  for (let length = words.length - 1; length >= 1; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const to = from + length;
      if ((isCutAtCommas && cutsAcrossComma(words, from, to)) || isTooShortAfterRegion(words, from, to)) continue;
      const before = splitRegionWords(words, 0, from, regions, reach);
      if (before === undefined) continue;
      const after = splitRegionWords(words, to, words.length, regions, reach);
      if (after === undefined) continue;
      const runs = [...before, ...after];
      if (runs.length > MAX_REGION_GROUPS) continue;
      if (reach !== 'exact' && runs.every(({ isExact }) => isExact)) continue; // an exact reading, seen before
      interpretations.push(createInterpretation(words, from, to, runs));
    }
  }
  return interpretations;
}

/** "la c": after a region word, a letter or two say too little to search a whole region for. */
function isTooShortAfterRegion(words: readonly Word[], from: number, to: number): boolean {
  return from > 0 && to === words.length && to - from === 1 && (words[from]?.text.length ?? 0) < MIN_NAME_AFTER_REGION;
}

/** How the query was typed if this is how to read it. */
export function typedBits(interpretation: Interpretation, isPlain: boolean): number {
  const letters = letterClass(interpretation.text.length) << TYPED.lettersShift;
  return letters | (isPlain ? TYPED.plain : 0) | (interpretation.regions.length > 0 ? TYPED.withRegion : 0);
}

/** How many words of a query are just how a region is written. */
export function exactRegionWords({ regions }: Interpretation): number {
  return regions.reduce((count, { from, to, isExact }) => count + (isExact ? to - from : 0), 0);
}

function createInterpretation(
  words: readonly Word[],
  from: number,
  to: number,
  regions: readonly RegionWords[],
): Interpretation {
  const text = textOf(words, from, to);
  const penalty = regions.every(({ isExact }) => isExact) ? 0 : PENALTIES.inexactRegion;
  return { from, to, text, isPrefix: to === words.length, regions, penalty, alternatePenalty: 0 };
}

/** Where commas stand, a name ends at one: "st louis, missouri" is not "st" in "louis missouri". */
function cutsAcrossComma(words: readonly Word[], from: number, to: number): boolean {
  for (let i = from + 1; i < to; i++) if (words[i]?.isAfterComma) return true;
  const hasComma = words.some(({ isAfterComma }) => isAfterComma);
  if (!hasComma) return false;
  const startsPart = from === 0 || words[from]?.isAfterComma === true;
  const endsPart = to === words.length || words[to]?.isAfterComma === true;
  return !(startsPart && endsPart);
}

/** Splits words from..to into runs that each name regions, the longest first; undefined if some word names none. */
function splitRegionWords(
  words: readonly Word[],
  from: number,
  to: number,
  regions: Regions,
  reach: RegionReach,
): RegionWords[] | undefined {
  const runs: RegionWords[] = [];
  for (let at = from; at < to; ) {
    let run: RegionWords | undefined;
    for (let end = to; end > at && run === undefined; end--) run = regionWordsAt(words, at, end, regions, reach);
    if (run === undefined) return undefined;
    runs.push(run);
    at = run.to;
  }
  return runs;
}

function regionWordsAt(
  words: readonly Word[],
  from: number,
  to: number,
  regions: Regions,
  reach: RegionReach,
): RegionWords | undefined {
  const text = textOf(words, from, to);
  const isLast = to === words.length;
  const named = regions.named(text);
  if (named.length > 0 && !(reach === 'prefix' && isLast)) return { from, to, regions: named, isExact: true };
  if (reach === 'exact') return undefined;
  const near = reach === 'misspelt' ? regions.misspelt(text, isLast) : isLast ? regions.beginning(text) : named;
  return near.length === 0 ? undefined : { from, to, regions: near, isExact: false };
}

export function textOf(words: readonly Word[], from: number, to: number): string {
  let text = words[from]?.text ?? '';
  for (let i = from + 1; i < to; i++) text += ` ${words[i]?.text}`;
  return text;
}
