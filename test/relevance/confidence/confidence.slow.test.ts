/**
 * Confidence on the embedded data must mean correctness. If a change to the ranking makes a test
 * here fail, fit the figures again: `npm run calibrate -- --fit --cases FOLDER` (docs/ranking.md).
 */

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { openIndex } from 'toponym-engine/index-file/open-index';
import { CALIBRATION } from 'toponym-engine/rank/calibration';
import type { Calibration, CalibrationRow, MatchKind } from 'toponym-engine/rank/confidence';
import { embeddedBytes, embeddedEngine as engine } from '../../support/embedded-engine.ts';
import { TOPICS } from '../cases.ts';
import { queryOf } from '../scoring.ts';
import { beginnings, LETTER_COUNTS, MEASURING_SEED } from '../typing/measures.ts';
import { claimAbout, type JudgedQuery, type Observation, observe, observeKeptOut } from './observations.ts';
import { ordinaryWords, sampledQueries } from './query-sources.ts';
import { expectedCalibrationError, shareRight } from './reliability.ts';

const MAX_ERROR = 0.05;
const SURE = 0.95;

describe('confidence on the embedded data', () => {
  let whole: readonly Observation[];
  let beginningsByLetters: ReadonlyMap<number, readonly Observation[]>;
  let words: readonly Observation[];
  let misspeltRegion: readonly Observation[];
  let written: readonly Observation[];
  before(() => {
    const index = openIndex(embeddedBytes);
    ({ whole, misspeltRegion } = observeKeptOut(engine, sampledQueries(index, 6500)));
    words = observeKeptOut(engine, ordinaryWords(engine, 2000)).whole;
    const observeAll = (queries: readonly JudgedQuery[]) => queries.flatMap((query) => observe(engine, query) ?? []);
    beginningsByLetters = new Map(
      [...beginnings(index, 2000, MEASURING_SEED)].map(([letters, queries]) => [letters, observeAll(queries)]),
    );
    written = TOPICS.flatMap(({ cases }) => cases)
      .map((item) => ({
        query: queryOf(item),
        isRight: ({ objectID }: { objectID: string }) => item.expect.includes(objectID),
      }))
      .flatMap((judged) => observe(engine, judged) ?? []);
  });

  const allBeginnings = () => [...beginningsByLetters.values()].flat();
  const errorOf = (observations: readonly Observation[], calibration?: Calibration) =>
    expectedCalibrationError(observations.map((observation) => claimAbout(observation, calibration)));

  // as in fitting, about a fifth of the queries mean no place of the data
  test(`the calibration error of sampled queries and ordinary words is at most ${MAX_ERROR}`, () => {
    assert.ok(whole.length > 2500);
    const mixed = [...whole, ...words];
    assert.ok(errorOf(mixed) <= MAX_ERROR, `error ${errorOf(mixed).toFixed(3)}`);
  });

  for (const letters of LETTER_COUNTS) {
    test(`the calibration error of beginnings of ${letters} letters is at most ${MAX_ERROR}`, () => {
      const observations = beginningsByLetters.get(letters)!;
      assert.ok(observations.length > 1800);
      assert.ok(errorOf(observations) <= MAX_ERROR, `error ${errorOf(observations).toFixed(3)}`);
    });
  }

  test('of the ordinary words that find something, at most one in eight does with a confidence above 0.5', () => {
    const sure = words.filter((observation) => claimAbout(observation).confidence > 0.5);
    assert.ok(words.length > 600);
    assert.ok(sure.length <= words.length / 8, `${sure.length} of ${words.length}`);
  });

  test(`the calibration error of queries with a misspelt region is at most ${MAX_ERROR}`, () => {
    assert.ok(misspeltRegion.length > 500, `${misspeltRegion.length}`);
    assert.ok(errorOf(misspeltRegion) <= MAX_ERROR, `error ${errorOf(misspeltRegion).toFixed(3)}`);
  });

  test(`of the hits with confidence ${SURE} or more, at least that share is right`, () => {
    for (const observations of [whole, allBeginnings(), misspeltRegion, written]) {
      const sure = observations
        .map((observation) => claimAbout(observation))
        .filter((claim) => claim.confidence >= SURE);
      assert.ok(sure.length > 100, `${sure.length} sure hits`);
      assert.ok(shareRight(sure) >= SURE, `${shareRight(sure).toFixed(3)} of them are right`);
    }
  });

  test('figures that do not fit the ranking are noticed', () => {
    const changed = (change: (row: CalibrationRow) => Partial<CalibrationRow>): Calibration => {
      const rows = Object.entries(CALIBRATION).map(([kind, row]) => [kind, { ...row, ...change(row) }] as const);
      return Object.fromEntries(rows) as Record<MatchKind, CalibrationRow>;
    };
    assert.ok(
      errorOf(
        whole,
        changed(({ sharpness }) => ({ sharpness: sharpness / 2 })),
      ) > MAX_ERROR,
    );
    assert.ok(
      errorOf(
        allBeginnings(),
        changed(({ sharpness }) => ({ sharpness: sharpness * 3 })),
      ) > MAX_ERROR,
    );
    assert.ok(
      errorOf(
        whole,
        changed(({ none }) => ({ none: none + 2 })),
      ) > MAX_ERROR,
    );
  });
});
