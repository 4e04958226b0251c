/**
 * Searches for the main places of a region, for queries that name a region and no place: "germany",
 * "bavaria germany".
 */

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
  wholeNameInterpretation,
} from '../query/interpretations.ts';
import type { RegionLookup } from '../query/region-lookup.ts';
import { PENALTIES } from '../rank/scores.ts';
import type { Word } from '../text/fold.ts';
import type { InterpretationSearch } from './interpretation-search.ts';
import type { MatchQuality } from './match-quality.ts';
import type { RegionLimits } from './region-scan.ts';

// Levels: 0 is a country, 1 a first-level division, 2 a second-level division.
export const EXACT_REGION_ALONE = { matching: 'exact', maxPlaces: 20, maxUnpenalised: 5, levels: [0, 1] } as const;
export const UNFINISHED_REGION_ALONE = { matching: 'prefix', maxPlaces: 2, maxUnpenalised: 2, levels: [0, 1] } as const;
export const MISSPELT_REGION_ALONE = { matching: 'misspelt', maxPlaces: 3, maxUnpenalised: 3, levels: [0, 1] } as const;
export const MISSPELT_COUNTRY_ALONE = { ...MISSPELT_REGION_ALONE, levels: [0] } as const;
/** Tried only if nothing matches: most counties share their name with a town, which is meant. */
export const COUNTY_ALONE = { matching: 'exact', maxPlaces: 20, maxUnpenalised: 5, levels: [2] } as const;
/**
 * A whole name that scores less is that of a village, or an unlikely match. Higher than TOWN_SCORE of match-quality.ts,
 * which tells whether a match is right, not whether it is meant rather than a region of its name.
 */
const NAMESAKE_SCORE = 0.5;
/** How much a region scores more than a village of its name. */
const LEAD_OVER_VILLAGE = 0.02;
/** Just enough for a region to be among the first five. */
const LEAD_OVER_FIFTH = 0.0001;
const LAST_OF_FIRST_FIVE = 4;

/** The part of a search's state that is used here. */
interface State {
  readonly words: readonly Word[];
  readonly regionLookup: RegionLookup;
  readonly search: InterpretationSearch;
  readonly quality: MatchQuality;
  /** `MatchQuality.wholeNameScore` before. */
  readonly wholeNameScore: number;
}

export function tryRegionAlone(
  state: State,
  { matching, levels, ...limits }: Omit<RegionAloneOptions, 'hasNamesake'> & RegionLimits,
): void {
  const { words, regionLookup, search } = state;
  const options = { matching, levels, hasNamesake: hasNamesake(state) };
  const interpretations = regionAloneInterpretations(words, regionLookup, options);
  if (interpretations.length === 0) return;
  const typed = wholeNameInterpretation(words).text;
  const isCode = matching === 'exact' && hasCodeLength(typed) && !regionLookup.isOwnName(typed);
  const maxScore = isCode ? search.codeCeiling(words) : Number.POSITIVE_INFINITY;
  const givesWay = maxScore < Number.POSITIVE_INFINITY;
  const shownLimits = givesWay ? { ...limits, maxUnpenalised: UNFINISHED_REGION_ALONE.maxUnpenalised } : limits;
  for (const interpretation of interpretations) search.tryRegionAlone({ ...interpretation, maxScore }, shownLimits);
  if (matching === 'exact' && regionLookup.isOwnName(typed)) liftRegion(state, interpretations);
}

/**
 * Puts the main place of a region before villages of its name, and among the first five beside
 * towns.
 */
function liftRegion(state: State, interpretations: readonly Interpretation[]): void {
  const { search, quality, wholeNameScore } = state;
  const toBeat = hasNamesake(state)
    ? quality.scoreAt(LAST_OF_FIRST_FIVE) + LEAD_OVER_FIFTH
    : wholeNameScore + LEAD_OVER_VILLAGE;
  for (const interpretation of interpretations) search.liftRegionAlone(interpretation, toBeat);
}

/** Whether the query, which may name a region, is also the name of more than a village. */
function hasNamesake({ wholeNameScore }: State): boolean {
  return wholeNameScore >= NAMESAKE_SCORE;
}

/** Two Latin letters are mostly the start of a name. */
const MIN_LATIN_ALONE_LENGTH = 3;
/** For queries whose last region is unfinished or misspelt. */
const MIN_INEXACT_ALONE_LENGTH = 4;
/** Minimum length of an unfinished alias of a region, such as its name in another language. */
const MIN_ALIAS_PREFIX_LENGTH = 7;
/** Words that may name more regions than this are too vague. */
const MAX_REGIONS_ALONE = 64;
const ALL_LEVELS = [0, 1, 2] as const;

interface RegionAloneOptions {
  readonly matching: RegionMatching;
  /** Levels that the smallest region may have: 0 for countries, 1 and 2 for divisions. */
  readonly levels: readonly number[];
  /** Whether the words are also the whole name of a place that is more than a hamlet. */
  readonly hasNamesake: boolean;
}

/** One interpretation for each level of the last region: "georgia" is a country and a state. */
function regionAloneInterpretations(
  words: readonly Word[],
  lookup: RegionLookup,
  { matching, levels, hasNamesake }: RegionAloneOptions,
): Interpretation[] {
  const text = textOf(words, 0, words.length);
  if (words.length > MAX_SPLIT_WORDS || isTooShortAlone(text, matching)) return [];
  const groups = splitIntoGroups({ words, lookup, matching }, 0, words.length);
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
