/** Observes how an engine answers a judged query: the inputs of confidence, and which hits are right. */
import type { Engine } from '../../../src/engine/engine.ts';
import { type Calibration, confidences, type ScoredPage } from '../../../src/engine/rank/confidence.ts';
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

const MAX_HITS = 20;

/** Undefined if there are no hits. */
export function observe(engine: Engine, { query, isRight }: JudgedQuery): Observation | undefined {
  const { hits } = engine.search({ ...query, limit: MAX_HITS });
  const [best] = hits;
  if (best?.matchKind === undefined) return undefined;
  return {
    page: {
      scores: hits.map(({ score }) => score),
      bestScore: best.score - (best.nearness ?? 0),
      kind: best.matchKind,
      text: query.text,
    },
    isRight: hits.map(({ record }) => isRight(record)),
  };
}

/** What is claimed about the best hit. */
export function claimAbout({ page, isRight }: Observation, calibration?: Calibration): Claim {
  return { confidence: confidences(page, calibration)[0]!, isRight: isRight[0]! };
}
