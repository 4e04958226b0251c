/**
 * Lists the interpretations of a query: consecutive words name the place, and the words before and
 * after them name its regions. "paris, texas" is Paris in Texas.
 */
import type { Circle } from '../place/sphere.ts';
import { lengthClass, PENALTIES, QUERY_FLAGS } from '../rank/scores.ts';
import type { Word } from '../text/fold.ts';
import { startsWithHan } from '../text/han-variants.ts';
import type { RegionLookup } from './region-lookup.ts';

/** All have all fields, because V8 reads objects of one shape fastest. */
export interface Interpretation {
  /** The words from `from` up to, but not including, `to` name the place. */
  readonly from: number;
  readonly to: number;
  /** The name, folded and joined by spaces. Empty if only regions are named. */
  readonly text: string;
  /** Whether the name's last word may be unfinished. */
  readonly isPrefix: boolean;
  /** Whether the place's name may have more words than `text`. */
  readonly allowsMoreWords: boolean;
  readonly allowsTypos: boolean;
  /** The place must be in a region of each group. */
  readonly regionGroups: readonly RegionGroup[];
  /** If there are any, the place must be a part of one of these. */
  readonly cities: readonly City[];
  readonly penalty: number;
  /** Highest importance (0..1) of places with the main name `text`; 0 if none or not looked up. */
  readonly namesakeImportance: number;
  /** Uncommon aliases score at most this, if well-known names begin with `text`. */
  readonly aliasCeiling: number;
  /** All hits score at most this. */
  readonly maxScore: number;
  /** Whether a longer main name starts with `text`; set only to search for typos. */
  readonly isNameStart: boolean;
  readonly onlyWellKnown: boolean;
  /** Whether the text is the code of an airport or a city. Other names do not match it. */
  readonly isCode: boolean;
  /** Whether the words match one by one. */
  readonly isWordByWord: boolean;
  /** How many words are left out because they are postcodes. */
  readonly postcodeWords: number;
}

/** The area of a city. Its parts are less important than itself. */
export interface City extends Circle {
  readonly place: number;
}

/** The words from `from` up to, but not including, `to`, and the regions that they may name. */
export interface RegionGroup {
  readonly from: number;
  readonly to: number;
  readonly regions: Uint32Array;
  /** How the words match the names of the regions. */
  readonly matching: RegionMatching;
}

/** How words match region names: exactly, with the query's last word unfinished, or with a typo. */
export type RegionMatching = 'exact' | 'prefix' | 'misspelt';

/** Fields of an interpretation whose text must be a whole name as typed. */
export const WHOLE_NAME_ONLY = { isPrefix: false, allowsMoreWords: false, allowsTypos: false } as const;
/** A query with more is none that people type, and every place is tested for each. */
const MAX_REGION_GROUPS = 8;
const MIN_LENGTH_AFTER_REGION = 3;
/** Minimum length of a name before an unfinished region: "la" and "san" mostly start a name. */
const MIN_LENGTH_BEFORE_UNFINISHED = 4;
/** An unfinished region of fewer letters needs a whole name before it: "paris t". */
const MIN_LIKELY_REGION_LENGTH = 3;
const MAX_CODE_LENGTH = 3;
/** An unfinished region of up to this many letters must begin the region's own name. */
const MAX_BEGUN_LENGTH = 3;
/** Folded Latin letters have lower codes; Greek is the next script. */
const FIRST_NON_LATIN = 0x370;
/** Longer queries are not split, because the cost is cubic in the word count. */
export const MAX_SPLIT_WORDS = 12;
/** Longer queries are not reordered, because four words have 24 orders. */
const MAX_REORDERED_WORDS = 3;

export function wholeNameInterpretation(words: readonly Word[]): Interpretation {
  return createInterpretation(words, 0, words.length, []);
}

/** The words as one name, in every order except the typed one, as far as names start so. */
export function reorderedInterpretations(
  words: readonly Word[],
  startsName: (text: string) => boolean,
): Interpretation[] {
  if (words.length < 2 || words.length > MAX_REORDERED_WORDS) return [];
  const asTyped = wholeNameInterpretation(words);
  return orders('', words, startsName)
    .filter((text) => text !== asTyped.text)
    .map((text) => ({ ...asTyped, text, isPrefix: false, allowsTypos: false }));
}

/** The words after `start` in every order with which a name starts. */
function orders(start: string, words: readonly Word[], startsName: (text: string) => boolean): string[] {
  if (words.length === 0) return [start];
  return words.flatMap(({ text }, i) => {
    const longer = start === '' ? text : `${start} ${text}`;
    return startsName(longer) ? orders(longer, words.toSpliced(i, 1), startsName) : [];
  });
}

interface RegionOptions {
  /** Leaves out interpretations for whose name this is false. */
  readonly mayBeName?: (text: string) => boolean;
}

/** Interpretations in which some words name regions, longest name first. */
export function regionInterpretations(
  words: readonly Word[],
  lookup: RegionLookup,
  matching: RegionMatching,
  { mayBeName = () => true }: RegionOptions = {},
): Interpretation[] {
  const interpretations: Interpretation[] = [];
  const search = { words, lookup, matching };
  if (words.length > MAX_SPLIT_WORDS) return interpretations;
  for (let length = words.length - 1; length >= 1; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const to = from + length;
      if (isRuledOutByCommas(words, from, to)) continue;
      if (!mayBeName(textOf(words, from, to))) continue;
      const before = splitIntoGroups(search, 0, from);
      if (before === undefined) continue;
      const isShort = isShortLastWord(words, from);
      if (isShort && areUnlikelyBeforeShort(search, from, before)) continue;
      const after = splitIntoGroups(search, to, words.length);
      if (after === undefined) continue;
      const groups = [...before, ...after];
      if (groups.length > MAX_REGION_GROUPS) continue;
      // an interpretation with only exact groups is listed by the call with 'exact'
      if (matching !== 'exact' && groups.every(isExact)) continue;
      if (matching === 'prefix' && textOf(words, from, to).length < MIN_LENGTH_BEFORE_UNFINISHED) continue;
      const interpretation = createInterpretation(words, from, to, groups);
      const penalty = interpretation.penalty + PENALTIES.shortAfterRegion;
      interpretations.push(isShort ? { ...interpretation, penalty } : interpretation);
    }
  }
  return interpretations;
}

/** Whether an interpretation names regions and no place. */
export function isRegionAlone({ from, to }: Interpretation): boolean {
  return from === to;
}

/** Whether the name is a short last word: "d" in "texas d". */
function isShortLastWord(words: readonly Word[], from: number): boolean {
  const text = words[from]?.text ?? '';
  return from > 0 && from === words.length - 1 && text.length < MIN_LENGTH_AFTER_REGION && !startsWithHan(text);
}

/** Whether the regions before a short last word are a code or second-level divisions: "la c". */
function areUnlikelyBeforeShort({ words, lookup }: GroupSearch, from: number, before: readonly RegionGroup[]) {
  const isSmallRegion = before.every(({ regions }) => regions.every((region) => lookup.levelOf(region) === 2));
  return isSmallRegion || textOf(words, 0, from).length <= MAX_CODE_LENGTH;
}

/** Bits of QUERY_FLAGS. `isPlain`: the query has no accents and no punctuation except commas. */
export function queryFlags(interpretation: Interpretation, isPlain: boolean): number {
  const lengthBits = lengthClass(interpretation.text.length) << QUERY_FLAGS.lengthShift;
  const regionBit = interpretation.regionGroups.length > 0 ? QUERY_FLAGS.hasRegion : 0;
  const isNonLatin = interpretation.text.charCodeAt(0) >= FIRST_NON_LATIN; // false if the text is empty
  const scriptBit = isNonLatin ? QUERY_FLAGS.isNonLatin : 0;
  const nameStartBit = interpretation.isNameStart ? QUERY_FLAGS.isNameStart : 0;
  const codeBit = interpretation.isCode ? QUERY_FLAGS.isCode : 0;
  return lengthBits | (isPlain ? QUERY_FLAGS.isPlain : 0) | regionBit | scriptBit | nameStartBit | codeBit;
}

/** Whether a word belongs neither to the name nor to a region or city. */
export function leavesOut({ from, to, regionGroups, cities }: Interpretation, word: number): boolean {
  if (cities.length > 0) return false; // all words between name and regions name the city
  const parts = [{ from, to }, ...regionGroups];
  return parts.every((part) => word < part.from || word >= part.to);
}

/** Whether the words of the group are whole region names, neither unfinished nor misspelt. */
export function isExact({ matching }: RegionGroup): boolean {
  return matching === 'exact';
}

export function countExactRegionWords({ regionGroups }: Interpretation): number {
  return regionGroups.reduce((count, group) => count + (isExact(group) ? group.to - group.from : 0), 0);
}

/** Creates an interpretation with the usual fields, some of which callers replace. */
export function createInterpretation(
  words: readonly Word[],
  from: number,
  to: number,
  regionGroups: readonly RegionGroup[],
): Interpretation {
  const text = textOf(words, from, to);
  const startsWithCode = from === 1 && hasCodeLength(words[0]!.text);
  const isPrefix = to === words.length;
  const needsWholeName = regionGroups.some((group) => isBarelyBegun(group, words));
  return {
    from,
    to,
    text,
    isPrefix,
    allowsMoreWords: !needsWholeName,
    allowsTypos: !needsWholeName,
    regionGroups,
    cities: [],
    penalty: (startsWithCode ? PENALTIES.codeBeforeName : 0) + (needsWholeName ? PENALTIES.barelyBegunRegion : 0),
    namesakeImportance: 0,
    aliasCeiling: Number.POSITIVE_INFINITY,
    maxScore: Number.POSITIVE_INFINITY,
    isNameStart: false,
    onlyWellKnown: false,
    isCode: false,
    isWordByWord: false,
    postcodeWords: 0,
  };
}

function isBarelyBegun(group: RegionGroup, words: readonly Word[]): boolean {
  return !isExact(group) && textOf(words, group.from, group.to).length < MIN_LIKELY_REGION_LENGTH;
}

/** Whether the name is no whole part between commas: "st" in "st louis, missouri". */
function isRuledOutByCommas(words: readonly Word[], from: number, to: number): boolean {
  if (!words.some(({ isAfterComma }) => isAfterComma)) return false;
  const startsPart = from === 0 || words[from]?.isAfterComma === true;
  const endsPart = to === words.length || words[to]?.isAfterComma === true;
  const hasCommaInside = words.slice(from + 1, to).some(({ isAfterComma }) => isAfterComma);
  return !startsPart || !endsPart || hasCommaInside;
}

/** How the words of a query are looked up as regions. */
interface GroupSearch {
  /** Whether a misspelt last word must be whole, not the beginning of a region's name. */
  readonly isLastWordWhole?: boolean;
  readonly words: readonly Word[];
  readonly lookup: RegionLookup;
  readonly matching: RegionMatching;
}

/** Splits all words of a range into region groups, each as long as possible; undefined if that fails. */
export function splitIntoGroups(search: GroupSearch, from: number, to: number): RegionGroup[] | undefined {
  const groups: RegionGroup[] = [];
  for (let at = from; at < to; ) {
    const group = findLongestGroup(search, at, to);
    if (group === undefined) return undefined;
    groups.push(group);
    at = group.to;
  }
  return groups.length > MAX_REGION_GROUPS ? undefined : groups;
}

function findLongestGroup(search: GroupSearch, from: number, to: number): RegionGroup | undefined {
  const { words, lookup, matching } = search;
  let last = from; // a name may start with the words up to here
  if (matching === 'misspelt') last = to;
  else while (last < to && lookup.startsName(textOf(words, from, last + 1))) last++;
  for (let end = last; end > from; end--) {
    const group = findGroup(search, from, end);
    if (group !== undefined) return group;
  }
  return undefined;
}

function findGroup(
  { words, lookup, matching, isLastWordWhole }: GroupSearch,
  from: number,
  to: number,
): RegionGroup | undefined {
  const text = textOf(words, from, to);
  const isLast = to === words.length;
  const isUnfinished = matching === 'prefix' && isLast;
  if (!isUnfinished && text.length === 1 && isLatin(text)) return undefined; // a letter is no whole name
  let regions = isUnfinished ? unfinishedRegions(text, words[to - 1]!.text, lookup) : lookup.named(text);
  const isMisspelt = matching === 'misspelt' && regions.length === 0;
  if (isMisspelt) regions = lookup.misspelt(text, isLast && !isLastWordWhole);
  if (regions.length === 0) return undefined;
  return { from, to, regions, matching: isMisspelt ? 'misspelt' : isUnfinished ? 'prefix' : 'exact' };
}

/** Almost any few letters begin some alias of a region, so those must begin its own name. */
function unfinishedRegions(text: string, lastWord: string, lookup: RegionLookup): Uint32Array {
  const isBegun = lastWord.length <= MAX_BEGUN_LENGTH && isLatin(lastWord);
  return isBegun ? lookup.ownNamesStartingWith(text) : lookup.startingWith(text);
}

/** The words from `from` up to, but not including, `to`, joined by spaces. */
export function textOf(words: readonly Word[], from: number, to: number): string {
  let text = '';
  for (let i = from; i < to; i++) text += i === from ? words[i]?.text : ` ${words[i]?.text}`;
  return text;
}

/** Whether a text has the form of an airport's code: "jfk". */
export function isAirportCode(text: string): boolean {
  return /^[a-z]{3}$/.test(text);
}

/** Whether a text is so short that it may be the code of a region: "la", "usa". */
export function hasCodeLength(text: string): boolean {
  return isLatin(text) && text.length <= MAX_CODE_LENGTH;
}

export function isLatin(text: string): boolean {
  return text.charCodeAt(0) < FIRST_NON_LATIN;
}
