/** Fits the figures of confidence to observations, for each kind of match separately. */
import { type Calibration, type CalibrationRow, logLetters } from '../../../src/engine/rank/confidence.ts';
import type { MatchKind } from '../../../src/engine/rank/match-kind.ts';
import type { Observation } from './observation.ts';

/** In the order of PARAMETERS. */
type Values = [number, number, number, number];
const PARAMETERS = ['sharpness', 'none', 'nonePerScore', 'nonePerLetter'] as const;

const START: Readonly<Values> = [10, 0, 0, 0];
const STEPS = 2000;
const STEP_SIZE = 0.1;
/** Weight of a pull towards START, for kinds of few observations. */
const RIDGE = 0.3;

/** A kind that is not observed keeps its row of `current`. */
export function fitCalibration(observations: readonly Observation[], current: Calibration): Calibration {
  const byKind = Map.groupBy(observations, ({ page }) => page.kind);
  const rows = Object.entries(current).map(([kind, row]) => {
    const observed = byKind.get(kind as MatchKind);
    return [kind, observed === undefined ? row : fitRow(observed)] as const;
  });
  return Object.fromEntries(rows) as Record<MatchKind, CalibrationRow>;
}

/** Climbs the gradient of the likelihood with steps of its own size for each figure (Adam). */
function fitRow(observations: readonly Observation[]): CalibrationRow {
  const values: Values = [...START];
  const meanGradient: Values = [0, 0, 0, 0];
  const meanSquare: Values = [0, 0, 0, 0];
  for (let step = 1; step <= STEPS; step++) {
    const gradient = likelihoodGradient(observations, values);
    const stepSize = STEP_SIZE * (1 - (step - 1) / STEPS);
    for (let i = 0; i < values.length; i++) {
      const slope = (gradient[i]! - RIDGE * (values[i]! - START[i]!)) / observations.length;
      meanGradient[i] = 0.9 * meanGradient[i]! + 0.1 * slope;
      meanSquare[i] = 0.999 * meanSquare[i]! + 0.001 * slope * slope;
      const unbiasedMean = meanGradient[i]! / (1 - 0.9 ** step);
      const unbiasedSquare = meanSquare[i]! / (1 - 0.999 ** step);
      values[i]! += (stepSize * unbiasedMean) / (Math.sqrt(unbiasedSquare) + 1e-8);
    }
  }
  const rounded = PARAMETERS.map((name, i) => [name, Math.round(values[i]! * 1000) / 1000] as const);
  return Object.fromEntries(rounded) as unknown as CalibrationRow;
}

/**
 * The gradient of a sum of two log-likelihoods. The first is that of what was judged: one of the
 * right hits is meant or, if no hit is right, none of the hits. The second is that the first hit,
 * which matters most, is right or wrong as it was judged.
 */
function likelihoodGradient(
  observations: readonly Observation[],
  [sharpness, none, perScore, perLetter]: Values,
): Values {
  const gradient: Values = [0, 0, 0, 0];
  for (const { page, isRight } of observations) {
    const { scores, bestScore, text } = page;
    const letters = logLetters(text);
    const noneWeight = Math.exp(none + perScore * bestScore + perLetter * letters);
    // sums of the weights, and of the weights times the score differences
    let all = noneWeight;
    let allMoment = 0;
    let right = 0;
    let rightMoment = 0;
    for (let i = 0; i < scores.length; i++) {
      const difference = scores[i]! - scores[0]!;
      const weight = Math.exp(sharpness * difference);
      all += weight;
      allMoment += weight * difference;
      if (!isRight[i]) continue;
      right += weight;
      rightMoment += weight * difference;
    }
    // derivative of the second one by the log of the first hit's weight, which is 1
    const firstPull = isRight[0] ? 1 : -1 / (all - 1);
    const noneProbability = noneWeight / all;
    const noneGradient = (right > 0 ? 0 : 1) - noneProbability - firstPull * noneProbability;
    gradient[0] += (right > 0 ? rightMoment / right : 0) - ((1 + firstPull) * allMoment) / all;
    gradient[1] += noneGradient;
    gradient[2] += noneGradient * bestScore;
    gradient[3] += noneGradient * letters;
  }
  return gradient;
}
