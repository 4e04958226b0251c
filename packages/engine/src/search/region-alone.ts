/**
 * Searches for the main places of a region, for queries that name a region and no place: "germany",
 * "bavaria germany".
 */

import {
  createInterpretation,
  hasCodeLength,
  type Interpretation,
  isLatin,
  MAX_SPLIT_WORDS,
  type RegionGroup,
  type RegionMatching,
  splitIntoGroups,
  textOf,
  wholeNameInterpretation,
} from '../query/interpretations.ts';
import type { RegionLookup } from '../query/region-lookup.ts';
import { PENALTIES } from '../rank/scores.ts';
import type { Word } from '../text/fold.ts';
import type { InterpretationSearch } from './interpretation-search.ts';
import { scoreAt, wholeNameScore } from './match-quality.ts';
import type { RegionLimits } from './region-scan.ts';
import type { SearchContext } from './search-context.ts';

/**
 * A whole name that scores less is that of a village, or an unlikely match: not what is meant rather
 * than a region of its name.
 */
const NAMESAKE_SCORE = 0.5;
/** How much a region scores more than a village of its name. */
const LEAD_OVER_VILLAGE = 0.02;
/** Just enough for a region to be among the first five. */
const LEAD_OVER_FIFTH = 0.0001;
const LAST_OF_FIRST_FIVE = 4;
/** For a code that may also mean a place: the number of the region's places without a further penalty. */
const MAX_UNPENALISED_OF_CODE = 2;

/** The part of a search's state that is used here. */
interface State extends Pick<SearchContext, 'candidates'> {
  readonly words: readonly Word[];
  readonly regionLookup: RegionLookup;
  readonly search: InterpretationSearch;
}

interface Limits extends RegionLimits {
  /** Levels that the smallest region may have: 0 for countries, 1 and 2 for divisions. */
  readonly levels: readonly number[];
}

export function tryRegionAlone(
  { words, regionLookup, search, candidates }: State,
  matching: RegionMatching,
  price: number,
  { levels, ...limits }: Limits,
): void {
  const { topWithoutNearness } = candidates;
  const groups = regionsAlone(words, regionLookup, matching);
  if (groups === undefined) return;
  const nameScore = wholeNameScore(topWithoutNearness, search.interpretations);
  const hasNamesake = nameScore >= NAMESAKE_SCORE;
  const options = { matching, price, levels, hasNamesake };
  const interpretations = regionAloneInterpretations(words, groups, regionLookup, options);
  const typed = wholeNameInterpretation(words).text;
  const isOwnName = regionLookup.isOwnName(typed);
  const isCode = matching === 'exact' && hasCodeLength(typed) && !isOwnName;
  const maxScore = isCode ? search.codeCeiling(words) : Number.POSITIVE_INFINITY;
  const givesWay = maxScore < Number.POSITIVE_INFINITY;
  const shownLimits = givesWay ? { ...limits, maxUnpenalised: MAX_UNPENALISED_OF_CODE } : limits;
  for (const interpretation of interpretations) search.tryRegionAlone({ ...interpretation, maxScore }, shownLimits);
  if (matching !== 'exact' || !isOwnName) return;
  // before villages of its name, and among the first five beside towns
  const toBeat = hasNamesake
    ? scoreAt(LAST_OF_FIRST_FIVE, topWithoutNearness) + LEAD_OVER_FIFTH
    : nameScore + LEAD_OVER_VILLAGE;
  for (const interpretation of interpretations) search.liftRegionAlone(interpretation, toBeat);
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

interface RegionAloneOptions extends Pick<Limits, 'levels'> {
  readonly matching: RegionMatching;
  readonly price: number;
  /** Whether the words are also the whole name of a place that is more than a hamlet. */
  readonly hasNamesake: boolean;
}

/** The regions that all words name; undefined if they are something else. */
function regionsAlone(
  words: readonly Word[],
  lookup: RegionLookup,
  matching: RegionMatching,
): readonly RegionGroup[] | undefined {
  if (words.length > MAX_SPLIT_WORDS || isTooShortAlone(textOf(words, 0, words.length), matching)) return undefined;
  const groups = splitIntoGroups({ words, lookup, matching, isLastWordWhole: true }, 0, words.length);
  return groups !== undefined && groups.at(-1)!.regions.length <= MAX_REGIONS_ALONE ? groups : undefined;
}

/** One interpretation for each level of the last region: "georgia" is a country and a state. */
function regionAloneInterpretations(
  words: readonly Word[],
  groups: readonly RegionGroup[],
  lookup: RegionLookup,
  { matching, price, levels, hasNamesake }: RegionAloneOptions,
): Interpretation[] {
  const last = groups.at(-1)!;
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
    const isCode = matching === 'exact' && hasCodeLength(textOf(words, 0, words.length)); // it may be the start of a name
    const isAlias = !regions.some((region) => lookup.ownNameStartsWith(region, lastText));
    const penalty =
      price +
      PENALTIES.regionAlone[levelOfSmallest]! +
      (isCode ? PENALTIES.codeOfRegionAlone : 0) +
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
