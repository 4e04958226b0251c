/** Fits the figures of confidence to observations, for each kind of match separately. */
import {
  type Calibration,
  type CalibrationRow,
  logMatches,
  type MatchKind,
  typedLetters,
} from 'toponym-engine/rank/confidence';
import type { Observation } from './observations.ts';
import { mean } from './reliability.ts';

/** In the order of PARAMETERS. */
type Values = [number, number, number, number, number];
type Inputs = readonly [number, number, number];
const PARAMETERS = ['sharpness', 'none', 'nonePerScore', 'nonePerLetter', 'nonePerMatch'] as const;

const START: Readonly<Values> = [10, 0, 0, 0, 0];
const STEPS = 600;
const STEP_SIZE = 0.1;
/** Weight of a pull towards START, for kinds of few observations. */
const RIDGE = 0.3;

/** Observations that count `weight` times. */
export interface WeightedObservations {
  readonly observations: readonly Observation[];
  readonly weight: number;
}

interface Weighted extends Observation {
  readonly weight: number;
  /** What the weight of none depends on, in the order of PARAMETERS from `nonePerScore` on. */
  readonly inputs: Inputs;
}

/** A kind that is not observed keeps its row of `current`. */
export function fitCalibration(sets: readonly WeightedObservations[], current: Calibration): Calibration {
  const all = sets.flatMap(({ observations, weight }) =>
    observations.map((observation): Weighted => {
      const { page } = observation;
      return { ...observation, weight, inputs: [page.bestScore, typedLetters(page), logMatches(page)] };
    }),
  );
  const byKind = Map.groupBy(all, ({ page }) => page.kind);
  const rows = Object.entries(current).map(([kind, row]) => {
    const observed = byKind.get(kind as MatchKind);
    return [kind, observed === undefined ? row : fitRow(observed)] as const;
  });
  return Object.fromEntries(rows) as Record<MatchKind, CalibrationRow>;
}

/** Fits with inputs of mean 0 and deviation 1, because the search then takes fewer steps. */
function fitRow(observations: readonly Weighted[]): CalibrationRow {
  const scales = ([0, 1, 2] as const).map((i) => {
    const values = observations.map(({ inputs }) => inputs[i]);
    const center = mean(values);
    return { center, deviation: Math.sqrt(mean(values.map((value) => (value - center) ** 2))) || 1 };
  });
  const scaled = observations.map((observation) => ({
    ...observation,
    inputs: observation.inputs.map(
      (value, i) => (value - scales[i]!.center) / scales[i]!.deviation,
    ) as unknown as Inputs,
  }));
  const [sharpness, none, ...slopes] = maximize(scaled);
  const unscaled = slopes.map((slope, i) => slope / scales[i]!.deviation);
  const noneUnscaled = unscaled.reduce((sum, slope, i) => sum - slope * scales[i]!.center, none);
  const values = [sharpness, noneUnscaled, ...unscaled];
  const rounded = PARAMETERS.map((name, i) => [name, Math.round(values[i]! * 1000) / 1000] as const);
  return Object.fromEntries(rounded) as unknown as CalibrationRow;
}

/** Climbs the gradient of the likelihood with steps of its own size for each figure (Adam). */
function maximize(observations: readonly Weighted[]): Values {
  const values: Values = [...START];
  const meanGradient: Values = [0, 0, 0, 0, 0];
  const meanSquare: Values = [0, 0, 0, 0, 0];
  for (let step = 1; step <= STEPS; step++) {
    const gradient = likelihoodGradient(observations, values);
    const stepSize = STEP_SIZE * (1 - (step - 1) / STEPS);
    for (let i = 0; i < values.length; i++) {
      const slope = (gradient[i]! - RIDGE * (values[i]! - START[i]!)) / observations.length;
      meanGradient[i] = 0.9 * meanGradient[i]! + 0.1 * slope;
      meanSquare[i] = 0.99 * meanSquare[i]! + 0.01 * slope * slope;
      const unbiasedMean = meanGradient[i]! / (1 - 0.9 ** step);
      const unbiasedSquare = meanSquare[i]! / (1 - 0.99 ** step);
      values[i]! += (stepSize * unbiasedMean) / (Math.sqrt(unbiasedSquare) + 1e-8);
    }
  }
  return values;
}

/**
 * The gradient of a sum of two log-likelihoods. The first is that of what was judged: one of the
 * right hits is meant or, if no hit is right, none of the hits. The second is that the first hit,
 * which matters most, is right or wrong as it was judged.
 */
function likelihoodGradient(
  observations: readonly Weighted[],
  [sharpness, none, perScore, perLetter, perMatch]: Values,
): Values {
  const gradient: Values = [0, 0, 0, 0, 0];
  for (const { page, isRight, weight: observationWeight, inputs } of observations) {
    const { scores } = page;
    const [bestScore, letters, matches] = inputs;
    const noneWeight = Math.exp(none + perScore * bestScore + perLetter * letters + perMatch * matches);
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
    const noneGradient = observationWeight * ((right > 0 ? 0 : 1) - (1 + firstPull) * noneProbability);
    gradient[0] += observationWeight * ((right > 0 ? rightMoment / right : 0) - ((1 + firstPull) * allMoment) / all);
    gradient[1] += noneGradient;
    gradient[2] += noneGradient * bestScore;
    gradient[3] += noneGradient * letters;
    gradient[4] += noneGradient * matches;
  }
  return gradient;
}
