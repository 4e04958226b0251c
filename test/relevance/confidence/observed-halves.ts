/** Observes judged queries. One half is for fitting confidence, the other for checking it. */
import type { Engine } from '../../../src/engine/engine.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { type JudgedQuery, withMisspeltRegion } from './judged-query.ts';
import { type Observation, observe } from './observation.ts';

interface Half {
  /** Queries as they were judged. */
  readonly whole: Observation[];
  /** Queries with a typo in the region that match with that typo corrected. */
  readonly misspeltRegion: Observation[];
}

export interface ObservedHalves {
  readonly toFit: readonly Observation[];
  readonly keptOut: Half;
}

/**
 * Each query is observed as it is and with a typo in its region, because judged queries seldom have
 * one. A query that then matches in another way than by its misspelt region is left out.
 */
export function observeHalves(engine: Engine, queries: readonly JudgedQuery[], seed = 17): ObservedHalves {
  const random = seededRandom(seed);
  const createHalf = (): Half => ({ whole: [], misspeltRegion: [] });
  const halves = [createHalf(), createHalf()] as const;
  for (const judged of queries) {
    const half = halves[random(2) as 0 | 1];
    const whole = observe(engine, judged);
    if (whole !== undefined) half.whole.push(whole);
    const misspelt = withMisspeltRegion(judged, random);
    const observation = misspelt && observe(engine, misspelt);
    if (observation?.page.kind === 'misspeltRegion') half.misspeltRegion.push(observation);
  }
  const [toFit, keptOut] = halves;
  return { toFit: Object.values(toFit).flat(), keptOut };
}
