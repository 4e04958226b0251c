/**
 * Observes how an engine answers a judged query: inputs of confidence, and which hits are right.
 */

import type { Engine } from '../../../src/engine/engine.ts';
import { type Calibration, confidences, type ScoredPage } from '../../../src/engine/rank/confidence.ts';
import { MAX_HITS } from '../../../src/engine/work-budget.ts';
import type { JudgedQuery } from './judged-query.ts';

export interface Observation {
  readonly page: ScoredPage;
  /** By hit. */
  readonly isRight: readonly boolean[];
}

/** A confidence that was given, and whether the hit was right. */
export interface Claim {
  readonly confidence: number;
  readonly isRight: boolean;
}

/** Undefined if there are no hits. */
export function observe(engine: Engine, { query, isRight }: JudgedQuery): Observation | undefined {
  const { hits, scored } = engine.search({ ...query, limit: MAX_HITS });
  return scored && { page: scored, isRight: hits.map(({ record }) => isRight(record)) };
}

/** What is claimed about the best hit. */
export function claimAbout({ page, isRight }: Observation, calibration?: Calibration): Claim {
  return { confidence: confidences(page, calibration)[0]!, isRight: isRight[0]! };
}

/** What is claimed about the best hit of each observation. */
export function claimsAbout(observations: readonly Observation[], calibration?: Calibration): Claim[] {
  return observations.map((observation) => claimAbout(observation, calibration));
}
