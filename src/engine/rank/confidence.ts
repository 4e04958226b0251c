/**
 * Confidence: the probability (0..1) that a hit is the place meant. The hits of a page compete with
 * each other, and with the possibility that none of them is meant:
 *
 *     weight of a hit = exp(sharpness * (its score - the score of the first hit))
 *     weight of none  = exp(none + nonePerScore * bestScore + nonePerLetter * ln(letters typed))
 *     confidence      = weight of the hit / sum of all weights
 *
 * `bestScore` is the score of the first hit without its nearness bonus.
 *
 * `npm run calibrate` fits CALIBRATION to judged queries; docs/ranking.md shows how well it fits.
 */
import { CALIBRATION } from './calibration.ts';
import type { MatchKind } from './match-kind.ts';

export interface CalibrationRow {
  readonly sharpness: number;
  readonly none: number;
  readonly nonePerScore: number;
  readonly nonePerLetter: number;
}

export type Calibration = Readonly<Record<MatchKind, CalibrationRow>>;

export interface ScoredPage {
  /** Scores of the hits of a page of the maximum length, best first. */
  readonly scores: readonly number[];
  /** How the best hit matches. */
  readonly kind: MatchKind;
  /** The score of the first hit without its nearness bonus. */
  readonly bestScore: number;
  /** The query as typed. */
  readonly text: string;
}

/** The confidence of each hit of a page, rounded down to steps of 0.001, so never 1. */
export function confidences(
  { scores, kind, bestScore, text }: ScoredPage,
  calibration: Calibration = CALIBRATION,
): number[] {
  const { sharpness, none, nonePerScore, nonePerLetter } = calibration[kind];
  const count = scores.length;
  const values = new Array<number>(count); // `push` and `map` would take twice as long
  let sum = Math.exp(none + nonePerScore * bestScore + nonePerLetter * logLetters(text));
  for (let i = 0; i < count; i++) {
    values[i] = Math.exp(sharpness * (scores[i]! - scores[0]!));
    sum += values[i]!;
  }
  for (let i = 0; i < count; i++) values[i] = Math.floor((1000 * values[i]!) / sum) / 1000;
  return values;
}

/** The natural logarithm of the number of letters typed. */
export function logLetters(text: string): number {
  return Math.log(Math.max(1, text.trim().length));
}
