/** Observes judged queries and splits them into a half to fit confidence to and a half to check it with. */
import type { Engine } from '../../../src/engine/engine.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { type JudgedQuery, unfinished } from './judged-query.ts';
import { type Observation, observe } from './observation.ts';

export interface ObservedHalves {
  readonly toFit: readonly Observation[];
  readonly keptOut: { readonly whole: readonly Observation[]; readonly unfinished: readonly Observation[] };
}

/**
 * Each query is observed whole and unfinished. An unfinished query that is a whole name by
 * accident is skipped, because people who type a whole name mostly mean it.
 */
export function observeHalves(engine: Engine, queries: readonly JudgedQuery[], seed = 17): ObservedHalves {
  const random = seededRandom(seed);
  const halves = [0, 1].map(() => ({ whole: [] as Observation[], unfinished: [] as Observation[] }));
  for (const judged of queries) {
    const half = halves[random(2)]!;
    const whole = observe(engine, judged);
    if (whole !== undefined) half.whole.push(whole);
    const cut = unfinished(judged, random);
    const begun = cut && observe(engine, cut);
    if (begun?.page.kind === 'partOfName') half.unfinished.push(begun);
  }
  const [toFit, keptOut] = halves as [(typeof halves)[0], (typeof halves)[0]];
  return { toFit: [...toFit.whole, ...toFit.unfinished], keptOut };
}
