/** Lists the interpretations in which all words name regions: "germany", "bavaria germany". */
import type { Word } from '../../text/fold.ts';
import { PENALTIES } from '../rank/scores.ts';
import {
  createInterpretation,
  hasCodeLength,
  type Interpretation,
  isExact,
  isLatin,
  MAX_SPLIT_WORDS,
  type RegionMatching,
  splitIntoGroups,
  textOf,
} from './interpretations.ts';
import type { RegionLookup } from './region-lookup.ts';

/** Two Latin letters are mostly the start of a name. */
const MIN_LATIN_ALONE_LENGTH = 3;
/** For queries whose last region is unfinished or misspelt. */
const MIN_INEXACT_ALONE_LENGTH = 4;
/** Minimum length of an unfinished alias of a region, such as its name in another language. */
const MIN_ALIAS_PREFIX_LENGTH = 7;
/** Words that may name more regions than this are too vague. */
const MAX_REGIONS_ALONE = 64;
const ALL_LEVELS = [0, 1, 2] as const;

export interface RegionAloneOptions {
  readonly matching: RegionMatching;
  /** Levels that the smallest region may have: 0 for countries, 1 and 2 for divisions. */
  readonly levels: readonly number[];
  /** Whether the words are also the whole name of a place that is more than a hamlet. */
  readonly hasNamesake: boolean;
}

/** One interpretation for each level of the last region: "georgia" is a country and a state. */
export function regionAloneInterpretations(
  words: readonly Word[],
  lookup: RegionLookup,
  { matching, levels, hasNamesake }: RegionAloneOptions,
): Interpretation[] {
  const text = textOf(words, 0, words.length);
  if (words.length > MAX_SPLIT_WORDS || isTooShortAlone(text, matching)) return [];
  const groups = splitIntoGroups(words, 0, words.length, lookup, matching);
  const last = groups?.at(-1);
  if (groups === undefined || last === undefined) return [];
  if (last.regions.length > MAX_REGIONS_ALONE) return [];
  const areAllExact = groups.every(isExact);
  const lastText = textOf(words, last.from, last.to);
  // almost any few letters begin some alias of a region
  const mayBeAlias = matching !== 'prefix' || lastText.length >= MIN_ALIAS_PREFIX_LENGTH;
  // the first of the regions that words may name is the largest, so the likeliest
  const othersLevel = Math.max(0, ...groups.slice(0, -1).map((group) => lookup.levelOf(group.regions[0]!)));
  return ALL_LEVELS.flatMap((level) => {
    const levelOfSmallest = Math.max(level, othersLevel);
    if (!levels.includes(levelOfSmallest)) return [];
    const regions = last.regions.filter(
      (region) => lookup.levelOf(region) === level && (mayBeAlias || lookup.ownNameStartsWith(region, lastText)),
    );
    if (regions.length === 0) return [];
    const regionGroups = [...groups.slice(0, -1), { ...last, regions }];
    const isSure = areAllExact && !hasCodeLength(text); // a code may be the start of a name
    const isAlias = !regions.some((region) => lookup.ownNameStartsWith(region, lastText));
    const penalty =
      PENALTIES.regionAlone[levelOfSmallest]! +
      (isSure ? 0 : PENALTIES.inexactRegionAlone) +
      (hasNamesake ? PENALTIES.regionWithNamesake[levelOfSmallest]! : 0) +
      (hasNamesake && isAlias ? PENALTIES.regionAliasWithNamesake : 0);
    const interpretation = createInterpretation(words, 0, 0, regionGroups);
    return [{ ...interpretation, allowsTypos: false, penalty }];
  });
}

function isTooShortAlone(text: string, matching: RegionMatching): boolean {
  if (matching !== 'exact') return text.length < MIN_INEXACT_ALONE_LENGTH;
  return isLatin(text) && text.length < MIN_LATIN_ALONE_LENGTH;
}
