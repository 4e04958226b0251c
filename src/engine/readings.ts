/**
 * The ways a query can be read: some of its words name the place, those before or after name regions it lies in.
 * "new york" is a name, or a place "new" in "york"; "paris, texas" is Paris in Texas.
 */
import type { Word } from '../text/fold.ts';
import { PENALTIES, TYPED } from './rank.ts';
import type { Regions } from './regions.ts';

export interface Reading {
  /** The words from..to name the place. */
  readonly from: number;
  readonly to: number;
  /** What they fold to. */
  readonly text: string;
  /** Whether the last word of the name may be unfinished: it is the last one typed. */
  readonly isPrefix: boolean;
  /** For each run of region words, the regions it may mean: all runs must fit. */
  readonly regions: readonly Uint32Array[];
  /** What it lacks of being read just as typed. */
  readonly penalty: number;
}

/** How far region words are stretched: as typed, the last one unfinished, any misspelt. */
export type RegionReach = 'exact' | 'prefix' | 'misspelt';

/** Region words beyond this many runs are not told apart: their bits fill a byte. */
const MAX_RUNS = 8;
const MIN_BEGUN = 3;
/** More words than this are not tried in every order. */
const MAX_TURNED = 3;

/** The reading in which all words name the place. */
export function plainReading(words: readonly Word[]): Reading {
  return createReading(words, 0, words.length, { runs: [], isInexact: false });
}

/** The same with the words in every other order, where they are few. */
export function turnedReadings(words: readonly Word[]): Reading[] {
  if (words.length < 2 || words.length > MAX_TURNED) return [];
  const plain = plainReading(words);
  return ordersOf(words.map(({ text }) => text))
    .map((order) => order.join(' '))
    .filter((text) => text !== plain.text)
    .map((text) => ({ ...plain, text, isPrefix: false, penalty: PENALTIES.turnedRound }));
}

function ordersOf(items: readonly string[]): string[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) => ordersOf(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

/** Readings with region words, those with the longest name first. */
export function regionReadings(words: readonly Word[], regions: Regions, reach: RegionReach): Reading[] {
  const readings: Reading[] = [];
  for (let length = words.length - 1; length >= 1; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const to = from + length;
      if (cutsAcrossComma(words, from, to) || isHardlyBegun(words, from, to)) continue;
      const before = readRuns(words, 0, from, regions, reach);
      if (before === undefined) continue;
      const after = readRuns(words, to, words.length, regions, reach);
      if (after === undefined) continue;
      const runs = [...before.runs, ...after.runs];
      if (runs.length > MAX_RUNS) continue;
      const isInexact = before.isInexact || after.isInexact;
      if (reach !== 'exact' && !isInexact) continue; // an exact reading, seen before
      readings.push(createReading(words, from, to, { runs, isInexact }));
    }
  }
  return readings;
}

/** "la c": after a region word, a letter or two say too little to search a whole region for. */
function isHardlyBegun(words: readonly Word[], from: number, to: number): boolean {
  return from > 0 && to === words.length && to - from === 1 && (words[from]?.text.length ?? 0) < MIN_BEGUN;
}

/** How the query was typed if this is how to read it. */
export function typedBits(reading: Reading, isPlain: boolean): number {
  return (isPlain ? TYPED.plain : 0) | (reading.regions.length > 0 ? TYPED.withRegion : 0);
}

interface Runs {
  readonly runs: readonly Uint32Array[];
  readonly isInexact: boolean;
}

function createReading(words: readonly Word[], from: number, to: number, { runs, isInexact }: Runs): Reading {
  const text = textOf(words, from, to);
  const penalty = isInexact ? PENALTIES.inexactRegion : 0;
  return { from, to, text, isPrefix: to === words.length, regions: runs, penalty };
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
function readRuns(
  words: readonly Word[],
  from: number,
  to: number,
  regions: Regions,
  reach: RegionReach,
): Runs | undefined {
  const runs: Uint32Array[] = [];
  let isInexact = false;
  for (let at = from; at < to; ) {
    let end = to;
    let found: Uint32Array | undefined;
    for (; end > at && found === undefined; end--) {
      const text = textOf(words, at, end);
      const exact = regions.named(text);
      if (exact.length > 0) {
        found = exact;
        if (reach === 'prefix' && end === words.length) {
          found = regions.beginning(text);
          isInexact = true;
        }
      } else if (reach !== 'exact') {
        const isLast = end === words.length;
        const near = reach === 'misspelt' ? regions.misspelt(text, isLast) : isLast ? regions.beginning(text) : exact;
        if (near.length > 0) {
          found = near;
          isInexact = true;
        }
      }
      if (found !== undefined) break;
    }
    if (found === undefined) return undefined;
    runs.push(found);
    at = end;
  }
  return { runs, isInexact };
}

export function textOf(words: readonly Word[], from: number, to: number): string {
  let text = words[from]?.text ?? '';
  for (let i = from + 1; i < to; i++) text += ` ${words[i]?.text}`;
  return text;
}
