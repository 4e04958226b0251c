/**
 * Lists the interpretations of a query: consecutive words name the place, and the words before and
 * after them name its regions. "new york" is a name, or a place "new" in "york"; "paris, texas" is
 * Paris in Texas.
 */
import type { Word } from '../../text/fold.ts';
import { lengthClass, PENALTIES, QUERY_FLAGS } from '../rank/scores.ts';
import type { Regions } from './regions.ts';

export interface Interpretation {
  /** The words from..to name the place. */
  readonly from: number;
  readonly to: number;
  /** The folded name. */
  readonly text: string;
  /** Whether the last word of the name may be unfinished: it is the last word of the query. */
  readonly isPrefix: boolean;
  /** Groups of region words: a place must be in a region of each group. */
  readonly regions: readonly RegionWords[];
  /** Penalty of the interpretation itself, such as for reordered words. */
  readonly penalty: number;
  /** Extra penalty for matches by an alternate name. */
  readonly alternatePenalty: number;
}

/** The words from..to, and the regions that they may name. */
export interface RegionWords {
  readonly from: number;
  readonly to: number;
  readonly regions: Uint32Array;
  /** Whether the words are exactly the name of those regions. */
  readonly isExact: boolean;
}

/** How region words are matched: exactly, with the last one unfinished, or with a typo. */
export type RegionMatching = 'exact' | 'prefix' | 'misspelt';

/** Maximum groups of region words: the filter has a bit for each in one byte. */
const MAX_REGION_GROUPS = 8;
const MIN_LENGTH_AFTER_REGION = 3;
/** Queries with more words are not split: they are rare, and the cost is cubic in the words. */
const MAX_WORDS = 12;
/** Maximum number of words that are tried in every order. */
const MAX_REORDERED_WORDS = 3;

/** The interpretation in which all words name the place. */
export function wholeNameInterpretation(words: readonly Word[]): Interpretation {
  return createInterpretation(words, 0, words.length, []);
}

/** The words as one name, in every order except the typed one. */
export function reorderedInterpretations(words: readonly Word[]): Interpretation[] {
  if (words.length < 2 || words.length > MAX_REORDERED_WORDS) return [];
  const asTyped = wholeNameInterpretation(words);
  return permutations(words.map(({ text }) => text))
    .map((order) => order.join(' '))
    .filter((text) => text !== asTyped.text)
    .map((text) => ({ ...asTyped, text, isPrefix: false, penalty: PENALTIES.reordered }));
}

function permutations(items: readonly string[]): string[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

/** Interpretations with region words, longest name first. */
export function regionInterpretations(
  words: readonly Word[],
  regions: Regions,
  matching: RegionMatching,
  { respectsCommas = true } = {},
): Interpretation[] {
  const interpretations: Interpretation[] = [];
  if (words.length > MAX_WORDS) return interpretations;
  for (let length = words.length - 1; length >= 1; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const to = from + length;
      if ((respectsCommas && isRuledOutByCommas(words, from, to)) || isTooShortAfterRegion(words, from, to)) continue;
      const before = splitRegionWords(words, 0, from, regions, matching);
      if (before === undefined) continue;
      const after = splitRegionWords(words, to, words.length, regions, matching);
      if (after === undefined) continue;
      const groups = [...before, ...after];
      if (groups.length > MAX_REGION_GROUPS) continue;
      if (matching !== 'exact' && groups.every(({ isExact }) => isExact)) continue; // already an exact interpretation
      interpretations.push(createInterpretation(words, from, to, groups));
    }
  }
  return interpretations;
}

/** Whether a name follows region words but is too short to search for in the region: "la c". */
function isTooShortAfterRegion(words: readonly Word[], from: number, to: number): boolean {
  return (
    from > 0 && to === words.length && to - from === 1 && (words[from]?.text.length ?? 0) < MIN_LENGTH_AFTER_REGION
  );
}

/** QUERY_FLAGS of this interpretation. */
export function queryFlags(interpretation: Interpretation, isPlain: boolean): number {
  const lengthBits = lengthClass(interpretation.text.length) << QUERY_FLAGS.lengthShift;
  const regionBit = interpretation.regions.length > 0 ? QUERY_FLAGS.hasRegion : 0;
  return lengthBits | (isPlain ? QUERY_FLAGS.isPlain : 0) | regionBit;
}

/** Number of query words that are exactly the name of a region. */
export function countExactRegionWords({ regions }: Interpretation): number {
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

/**
 * Whether the words from..to cannot be the name because of commas: the name must be all the words
 * between two commas, so "st louis, missouri" is not "st" in "louis missouri".
 */
function isRuledOutByCommas(words: readonly Word[], from: number, to: number): boolean {
  for (let i = from + 1; i < to; i++) if (words[i]?.isAfterComma) return true;
  const hasComma = words.some(({ isAfterComma }) => isAfterComma);
  if (!hasComma) return false;
  const startsPart = from === 0 || words[from]?.isAfterComma === true;
  const endsPart = to === words.length || words[to]?.isAfterComma === true;
  return !(startsPart && endsPart);
}

/** Splits words into groups that name regions, longest first; undefined if a word names none. */
function splitRegionWords(
  words: readonly Word[],
  from: number,
  to: number,
  regions: Regions,
  matching: RegionMatching,
): RegionWords[] | undefined {
  const groups: RegionWords[] = [];
  for (let at = from; at < to; ) {
    let group: RegionWords | undefined;
    for (let end = to; end > at && group === undefined; end--)
      group = matchRegionWords(words, at, end, regions, matching);
    if (group === undefined) return undefined;
    groups.push(group);
    at = group.to;
  }
  return groups;
}

function matchRegionWords(
  words: readonly Word[],
  from: number,
  to: number,
  regions: Regions,
  matching: RegionMatching,
): RegionWords | undefined {
  const text = textOf(words, from, to);
  const isLast = to === words.length;
  const named = regions.named(text);
  if (named.length > 0 && !(matching === 'prefix' && isLast)) return { from, to, regions: named, isExact: true };
  if (matching === 'exact') return undefined;
  const similar =
    matching === 'misspelt' ? regions.misspelt(text, isLast) : isLast ? regions.startingWith(text) : named;
  return similar.length === 0 ? undefined : { from, to, regions: similar, isExact: false };
}

function textOf(words: readonly Word[], from: number, to: number): string {
  let text = words[from]?.text ?? '';
  for (let i = from + 1; i < to; i++) text += ` ${words[i]?.text}`;
  return text;
}
