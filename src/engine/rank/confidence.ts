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
 * `npm run calibrate` fits CALIBRATION to queries; docs/ranking.md shows how well it fits.
 */
import { CALIBRATION } from './calibration.ts';
import type { MatchKind } from './match-kind.ts';

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
