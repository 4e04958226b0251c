/** Observes judged queries. One half is for fitting confidence, the other for checking it. */
import type { Engine } from '../../../src/engine/engine.ts';
import type { MatchKind } from '../../../src/engine/rank/match-kind.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { type JudgedQuery, unfinished, withMisspeltRegion } from './judged-query.ts';
import { type Observation, observe } from './observation.ts';

interface Half {
  /** Queries as they were judged. */
  readonly whole: Observation[];
  /** Queries cut at a random letter that match a part of a name. */
  readonly unfinished: Observation[];
  /** Queries with a typo in the region that match with that typo corrected. */
  readonly misspeltRegion: Observation[];
}

export interface ObservedHalves {
  readonly toFit: readonly Observation[];
  readonly keptOut: Half;
}

/**
 * Each query is observed as it is and in two variants, because judged queries are seldom unfinished
 * or misspelt. A variant that matches in another way than it is meant to is left out.
 */
export function observeHalves(engine: Engine, queries: readonly JudgedQuery[], seed = 17): ObservedHalves {
  const random = seededRandom(seed);
  const createHalf = (): Half => ({ whole: [], unfinished: [], misspeltRegion: [] });
  const halves = [createHalf(), createHalf()] as const;
  const addVariant = (into: Observation[], judged: JudgedQuery | undefined, kind: MatchKind) => {
    const observation = judged && observe(engine, judged);
    if (observation?.page.kind === kind) into.push(observation);
  };
  for (const judged of queries) {
    const half = halves[random(2) as 0 | 1];
    const whole = observe(engine, judged);
    if (whole !== undefined) half.whole.push(whole);
    addVariant(half.unfinished, unfinished(judged, random), 'partOfName');
    addVariant(half.misspeltRegion, withMisspeltRegion(judged, random), 'misspeltRegion');
  }
  const [toFit, keptOut] = halves;
  return { toFit: Object.values(toFit).flat(), keptOut };
}
