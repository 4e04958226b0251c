/**
 * Reads a query without its postcodes, wherever they are: "Springfield, IL 62701, USA". A country
 * sign before one ("D-10115 Berlin") is a region. The index may know no postcodes, and what it knows
 * is found by readings that keep it, so a postcode is left out without a check.
 */
import type { Word } from '../text/fold.ts';
import type { Interpretation, RegionGroup } from './interpretations.ts';
import type { RegionLookup } from './region-lookup.ts';

const HAS_DIGIT = /\p{N}/u;
const HAS_LETTER = /\p{L}/u;
/** In characters, without spaces: 101 in Iceland, 62701-1234 in the United States. */
const POSTCODE_LENGTH = { min: 3, max: 9 };
/** Minimum length with letters: M1 in Manchester. */
const MIN_MIXED_LENGTH = 2;
/** ISO codes by the signs that differ from them. Other signs are ISO codes, which name regions. */
const COUNTRY_SIGNS = new Map(
  'a:at b:be d:de e:es f:fr fin:fi fl:li h:hu i:it l:lu n:no p:pt s:se v:va'
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);
/** Dutch postcodes end in two letters: 1012 AB. */
const DUTCH_DIGITS = /^\d{4}$/;
const DUTCH_LETTERS = /^[a-z]{2}$/;

/** The words that are left, and what they say of the whole query. */
interface Remainder {
  readonly words: readonly Word[];
  /** By index in `words`: the index in the query. */
  readonly positions: readonly number[];
  /** The country sign, if there is one. */
  readonly signs: readonly RegionGroup[];
}

/** Whether there is a postcode, and another word. */
export function hasPostcode(words: readonly Word[]): boolean {
  return findPostcodes(words) !== undefined;
}

/** Lists the interpretations of the words without postcodes, as those of the whole query. */
export function withoutPostcodes(
  words: readonly Word[],
  lookup: RegionLookup,
  list: (words: readonly Word[]) => readonly Interpretation[],
): Interpretation[] {
  const isInPostcode = findPostcodes(words);
  if (isInPostcode === undefined) return [...list(words)];
  return listRemainders(words, isInPostcode, lookup).flatMap((remainder) =>
    list(remainder.words).flatMap((interpretation) => toWholeQuery(interpretation, remainder, words.length) ?? []),
  );
}

/**
 * Whether each word is in a postcode: consecutive words with digits, not separated by commas.
 * Undefined if no word is, or all are.
 */
function findPostcodes(words: readonly Word[]): readonly boolean[] | undefined {
  if (words.length === 1) return undefined;
  const found = words.map(() => false);
  for (let from = 0; from < words.length; from++) {
    let to = from;
    let text = '';
    while (to < words.length && HAS_DIGIT.test(words[to]!.text) && (to === from || !words[to]!.isAfterComma)) {
      text += words[to++]!.text;
    }
    if (isPostcode(text)) found.fill(true, from, to);
    if (to > from) from = to - 1;
  }
  return found.includes(true) && found.includes(false) ? found : undefined;
}

function isPostcode(text: string): boolean {
  const min = HAS_LETTER.test(text) ? MIN_MIXED_LENGTH : POSTCODE_LENGTH.min;
  return text.length >= min && text.length <= POSTCODE_LENGTH.max;
}

function listRemainders(words: readonly Word[], isInPostcode: readonly boolean[], lookup: RegionLookup): Remainder[] {
  const signs: RegionGroup[] = [];
  for (let i = 0; i + 1 < words.length; i++) {
    const country = isInPostcode[i] || !isInPostcode[i + 1] ? undefined : COUNTRY_SIGNS.get(words[i]!.text);
    if (country === undefined) continue;
    const regions = lookup.named(country).filter((region) => lookup.levelOf(region) === 0);
    if (regions.length > 0) signs.push({ from: i, to: i + 1, regions, matching: 'exact' });
  }
  const isLeftOut = isInPostcode.map((isLeft, i) => isLeft || signs.some(({ from }) => from === i));
  const dutch = words.findIndex(
    ({ text, isAfterComma }, i) =>
      i > 0 && !isAfterComma && DUTCH_LETTERS.test(text) && DUTCH_DIGITS.test(words[i - 1]!.text),
  );
  const remainders = [remainderOf(words, isLeftOut, signs)];
  if (dutch !== -1) remainders.push(remainderOf(words, isLeftOut.with(dutch, true), signs));
  return remainders;
}

function remainderOf(words: readonly Word[], isLeftOut: readonly boolean[], signs: readonly RegionGroup[]): Remainder {
  const left: Word[] = [];
  const positions: number[] = [];
  let hasComma = false; // before a word that is left out
  words.forEach((word, i) => {
    hasComma ||= word.isAfterComma && left.length > 0;
    if (isLeftOut[i]) return;
    left.push(hasComma && !word.isAfterComma ? { ...word, isAfterComma: true } : word);
    positions.push(i);
    hasComma = false;
  });
  return { words: left, positions, signs };
}

/** Undefined if a postcode is within a name. */
function toWholeQuery(
  interpretation: Interpretation,
  { positions, signs }: Remainder,
  wordCount: number,
): Interpretation | undefined {
  const spanOf = ({ from, to }: { from: number; to: number }) => ({
    from: positions[from]!,
    to: positions[to - 1]! + 1,
  });
  const isWhole = (part: { from: number; to: number }) => {
    const { from, to } = spanOf(part);
    return to - from === part.to - part.from;
  };
  if (![interpretation, ...interpretation.regionGroups].every(isWhole)) return undefined;
  const span = spanOf(interpretation);
  const regionGroups = interpretation.regionGroups.map((group) => ({ ...group, ...spanOf(group) }));
  return {
    ...interpretation,
    ...span,
    isPrefix: interpretation.isPrefix && span.to === wordCount,
    regionGroups: [...regionGroups, ...signs],
    postcodeWords: wordCount - positions.length - signs.length,
  };
}
