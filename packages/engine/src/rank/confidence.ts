/**
 * Confidence: the probability (0..1) that a hit is the place meant. The hits of a page compete with
 * each other, and with the possibility that none of them is meant:
 *
 *     weight of a hit = exp(sharpness * (its score - the score of the first hit))
 *     weight of none  = exp(none + nonePerScore * bestScore
 *                           + nonePerLetter * letters + nonePerMatch * ln(matches))
 *     confidence      = weight of the hit / sum of all weights
 *
 * `bestScore` is the score that the first hit would have without a point and with its whole name
 * typed: lower for lesser places, typos and words left out. `letters` is the number of letters
 * typed, up to 12. `matches` is the number of places that match without typos.
 *
 * Kinds of match have different figures. `npm run calibrate` fits CALIBRATION to queries; docs/ranking.md shows how well it fits.
 */

import { isFormerName, isMainName, POSTING } from '../index-file/posting.ts';
import { type Interpretation, isRegionAlone, type RegionGroup } from '../query/interpretations.ts';
import { MATCH } from '../trie/match-ranges.ts';
import { CALIBRATION } from './calibration.ts';

export interface CalibrationRow {
  readonly sharpness: number;
  readonly none: number;
  readonly nonePerScore: number;
  readonly nonePerLetter: number;
  readonly nonePerMatch: number;
}

export type Calibration = Readonly<Record<MatchKind, CalibrationRow>>;

export interface ScoredPage {
  /** By hit of a page of the maximum length: see `competingScore`. */
  readonly scores: readonly number[];
  /** How the best hit matches. */
  readonly kind: MatchKind;
  /**
   * The score of the first hit without nearness bonus and without penalty for an incomplete name.
   */
  readonly bestScore: number;
  /** Number of places that match without typos and pass the filters. */
  readonly matches: number;
  /** The query as typed. */
  readonly text: string;
}

/** More letters make a query no clearer. */
const MAX_LETTERS = 12;
/**
 * "new york" finds Brooklyn, too, because it is in the state of that name. Nobody means Brooklyn: of
 * 110 such hits that were expected to be right by their score, 2 were.
 */
const PLACE_OF_REGION_HANDICAP = 0.5;

/** The score with which a hit competes on a page whose best hit is of the kind `bestKind`. */
export function competingScore(score: number, isPlaceOfRegion: boolean, bestKind: MatchKind): number {
  return isPlaceOfRegion && bestKind !== 'regionAlone' ? score - PLACE_OF_REGION_HANDICAP : score;
}

/** The confidence of each hit of a page, rounded down to steps of 0.001, so never 1. */
export function confidences(page: ScoredPage, calibration: Calibration = CALIBRATION): number[] {
  const { scores } = page;
  const row = calibration[page.kind];
  const count = scores.length;
  const values = new Array<number>(count); // `push` and `map` would take twice as long
  let sum = Math.exp(
    row.none +
      row.nonePerScore * page.bestScore +
      row.nonePerLetter * typedLetters(page) +
      row.nonePerMatch * logMatches(page),
  );
  for (let i = 0; i < count; i++) {
    values[i] = Math.exp(row.sharpness * (scores[i]! - scores[0]!));
    sum += values[i]!;
  }
  for (let i = 0; i < count; i++) values[i] = Math.floor((1000 * values[i]!) / sum) / 1000;
  return values;
}

/** The number of letters typed, as far as it counts. */
export function typedLetters({ text }: ScoredPage): number {
  return Math.min(MAX_LETTERS, text.trim().length);
}

export function logMatches({ matches }: ScoredPage): number {
  return Math.log(Math.max(1, matches));
}

/** How a query matches a place. Confidence is calibrated separately for each kind. */
export type MatchKind =
  /** The query is the whole name of the place. */
  | 'mainName'
  | 'alternateName'
  /** An isolated name, usually a former one, or a code that is not in capitals. */
  | 'formerName'
  /** The query is the whole name of the place and regions or a city around it. */
  | 'mainNameInRegion'
  | 'alternateNameInRegion'
  /** The last word of the query is unfinished, in the name or in a region. */
  | 'partOfName'
  /** The query is some whole words of the name. */
  | 'wordsOfName'
  | 'misspelt'
  | 'misspeltInRegion'
  /** As `mainNameInRegion` or `alternateNameInRegion`, with a typo in a region. */
  | 'misspeltRegion'
  /** The place lacks some words of the query, or has them scattered over its name and regions. */
  | 'partOfQuery'
  /** The query names regions and no place. */
  | 'regionAlone';

const CODES = {
  mainName: 'exact',
  mainNameInRegion: 'exact',
  alternateName: 'alias',
  formerName: 'alias',
  alternateNameInRegion: 'alias',
  partOfName: 'partial',
  wordsOfName: 'partial',
  misspelt: 'corrected',
  misspeltInRegion: 'corrected',
  misspeltRegion: 'corrected',
  partOfQuery: 'partial',
  regionAlone: 'region',
} as const satisfies Readonly<Record<MatchKind, string>>;
/** If the best hit is less likely than this, hits of code `exact` or `alias` are `ambiguous`. */
const AMBIGUOUS_BELOW = 0.5;

export interface TextMatch {
  /** A value of MATCH. */
  readonly match: number;
  readonly typos: number;
  /** Flags of the posting that matched. */
  readonly flags: number;
  readonly interpretation: Interpretation;
}

/** `wordCount` is the number of words of the query. */
export function matchKind({ match, typos, flags, interpretation }: TextMatch, wordCount: number): MatchKind {
  const { regionGroups, cities } = interpretation;
  if (isRegionAlone(interpretation)) return 'regionAlone';
  if (interpretation.isWordByWord || !usesAllWords(interpretation, wordCount)) return 'partOfQuery';
  const isInRegion = regionGroups.length > 0 || cities.length > 0;
  if (typos > 0) return isInRegion ? 'misspeltInRegion' : 'misspelt';
  const isWhole = match === MATCH.whole && (flags & POSTING.isLaterWord) === 0;
  if (match === MATCH.unfinished || regionGroups.some(isUnfinished)) return 'partOfName';
  if (!isWhole) return 'wordsOfName';
  if (regionGroups.some(isMisspelt)) return 'misspeltRegion';
  if (isMainName(flags)) return isInRegion ? 'mainNameInRegion' : 'mainName';
  if (isInRegion) return 'alternateNameInRegion';
  return isFormerName(flags) && !interpretation.isCode ? 'formerName' : 'alternateName';
}

function isMisspelt({ matching }: RegionGroup): boolean {
  return matching === 'misspelt';
}

function isUnfinished({ matching }: RegionGroup): boolean {
  return matching === 'prefix';
}

/** Postcodes count as used. */
function usesAllWords({ from, to, regionGroups, cities, postcodeWords }: Interpretation, wordCount: number): boolean {
  if (cities.length > 0) return true; // all words that name neither the place nor regions name the city
  let used = to - from + postcodeWords;
  for (const group of regionGroups) used += group.to - group.from;
  return used === wordCount;
}

/** `bestConfidence` is the confidence of the first hit of the page. */
export function matchCode(kind: MatchKind, bestConfidence: number) {
  const code = CODES[kind];
  const isWholeName = code === 'exact' || code === 'alias';
  return isWholeName && bestConfidence < AMBIGUOUS_BELOW ? 'ambiguous' : code;
}
