import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CALIBRATION } from 'toponym-engine/rank/calibration';
import { confidences, type ScoredPage } from 'toponym-engine/rank/confidence';
import { seededRandom } from '../../support/seeded-random.ts';
import { fitCalibration } from './fit.ts';
import { claimAbout, type Observation } from './observations.ts';
import { expectedCalibrationError, reliabilityBins } from './reliability.ts';

const truth = {
  sharpness: 8,
  none: -1,
  nonePerScore: -2,
  nonePerLetter: 0.5,
  nonePerMatch: 0.3,
};
const calibration = { ...CALIBRATION, mainName: truth };

/** Pages whose right hits are drawn with the probabilities that the true figures give. */
function simulate(count: number): Observation[] {
  const random = seededRandom(5);
  const uniform = () => random(1_000_000) / 1_000_000;
  return Array.from({ length: count }, () => {
    const scores = Array.from({ length: 1 + random(5) }, uniform).sort((a, b) => b - a);
    const text = 'x'.repeat(1 + random(12));
    const page: ScoredPage = { scores, bestScore: scores[0]!, kind: 'mainName', matches: 1 + random(50), text };
    let left = uniform();
    const isRight = confidences(page, calibration).map((confidence) => {
      const isMeant = left >= 0 && left < confidence;
      left -= confidence;
      return isMeant;
    });
    return { page, isRight };
  });
}

test('fitting recovers the figures that made the observations', () => {
  const fitted = fitCalibration([{ observations: simulate(5000), weight: 1 }], CALIBRATION);
  for (const [name, value] of Object.entries(truth)) {
    const found = fitted.mainName[name as keyof typeof truth];
    assert.ok(Math.abs(found - value) < 0.5, `${name}: ${found}, not ${value}`);
  }
});

test('a kind without observations keeps its figures', () => {
  const { mainName: _, ...others } = fitCalibration([{ observations: simulate(50), weight: 1 }], CALIBRATION);
  const { mainName: __, ...expected } = CALIBRATION;
  assert.deepEqual(others, expected);
});

describe('the calibration error', () => {
  test('is small for true figures and large for others', () => {
    const observations = simulate(20_000);
    const errorOf = (figures: typeof calibration) =>
      expectedCalibrationError(observations.map((observation) => claimAbout(observation, figures)));
    assert.ok(errorOf(calibration) < 0.01);
    assert.ok(errorOf({ ...calibration, mainName: { ...truth, none: 1 } }) > 0.1);
  });

  test('is the mean difference of confidence and correctness, weighted by the size of the bins', () => {
    const claims = [
      { confidence: 0.95, isRight: true },
      { confidence: 0.95, isRight: true },
      { confidence: 1, isRight: false },
      { confidence: 0.2, isRight: false },
    ];
    assert.deepEqual(
      reliabilityBins(claims).map(({ from, count, right }) => ({ from, count, right })),
      [
        { from: 0.2, count: 1, right: 0 },
        { from: 0.9, count: 3, right: 2 / 3 },
      ],
    );
    const expected = (3 / 4) * Math.abs(2.9 / 3 - 2 / 3) + (1 / 4) * 0.2;
    assert.ok(Math.abs(expectedCalibrationError(claims) - expected) < 1e-12);
  });
});
