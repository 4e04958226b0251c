/** Searches for the main places of a region, for queries that name a region and no place. */
import { hasCodeLength, type Interpretation, wholeNameInterpretation } from '../query/interpretations.ts';
import { type RegionAloneOptions, regionAloneInterpretations } from '../query/region-alone-interpretations.ts';
import type { RegionLimits } from './region-scan.ts';
import type { SearchState } from './stages.ts';

// Levels: 0 is a country, 1 a first-level division, 2 a second-level division.
export const EXACT_REGION_ALONE = { matching: 'exact', maxPlaces: 20, maxUnpenalised: 5, levels: [0, 1] } as const;
export const UNFINISHED_REGION_ALONE = { matching: 'prefix', maxPlaces: 2, maxUnpenalised: 2, levels: [0, 1] } as const;
export const MISSPELT_REGION_ALONE = { matching: 'misspelt', maxPlaces: 3, maxUnpenalised: 3, levels: [0, 1] } as const;
export const MISSPELT_COUNTRY_ALONE = { ...MISSPELT_REGION_ALONE, levels: [0] } as const;
/** Tried only if nothing matches: most counties share their name with a town, which is meant. */
export const COUNTY_ALONE = { matching: 'exact', maxPlaces: 20, maxUnpenalised: 5, levels: [2] } as const;
/** A whole name that scores less is that of a village, or an unlikely match. */
const TOWN_SCORE = 0.5;
/** How much a region scores more than a village of its name. */
const LEAD_OVER_VILLAGE = 0.02;
/** Just enough for a region to be among the first five. */
const LEAD_OVER_FIFTH = 0.0001;
const LAST_OF_FIRST_FIVE = 4;

export function tryRegionAlone(
  state: SearchState,
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
function liftRegion(state: SearchState, interpretations: readonly Interpretation[]): void {
  const { search, quality, wholeNameScore } = state;
  const toBeat = hasNamesake(state)
    ? quality.scoreAt(LAST_OF_FIRST_FIVE) + LEAD_OVER_FIFTH
    : wholeNameScore + LEAD_OVER_VILLAGE;
  for (const interpretation of interpretations) search.liftRegionAlone(interpretation, toBeat);
}

/** Whether the query, which may name a region, is also the name of more than a village. */
function hasNamesake({ wholeNameScore }: SearchState): boolean {
  return wholeNameScore >= TOWN_SCORE;
}
