/**
 * Counts places that a region hides while their name is being typed: "byron ba" is Byron Bay, not
 * Byron in a region that begins with "ba".
 */
import type { Engine } from '../../../src/engine/engine.ts';
import { MAX_HITS } from '../../../src/engine/work-budget.ts';
import type { Index } from '../../../src/index-file/layout.ts';
import type { Place } from '../../../src/place/place.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { isNear } from '../confidence/judged-query.ts';
import { drawByPopulation } from '../drawn-places.ts';

export interface HiddenByRegion {
  /** Number of letters typed of the second word. */
  readonly letters: number;
  readonly count: number;
  /** What was typed for the places after a hit of an unfinished region. */
  readonly hidden: readonly string[];
}

const LETTER_COUNTS = [1, 2, 3] as const;
const STAGE = 'unfinishedRegion';

/** For `count` places of two words, drawn by population. */
export function hiddenByRegions(engine: Engine, index: Index, count: number, seed: number): HiddenByRegion[] {
  const places = drawTwoWordPlaces(index, count, seed);
  return LETTER_COUNTS.map((letters) => ({
    letters,
    count,
    hidden: [...places].flatMap(([name, place]) => {
      const text = name.slice(0, name.indexOf(' ') + 1 + letters);
      return isHiddenByRegion(engine, text, place) ? [text] : [];
    }),
  }));
}

/** By name, in lower case. The second word has more letters than are typed. */
function drawTwoWordPlaces(index: Index, count: number, seed: number): Map<string, Place> {
  const drawPlace = drawByPopulation(index, seededRandom(seed));
  const places = new Map<string, Place>();
  while (places.size < count) {
    const place = drawPlace();
    const name = place.names[0]!.value.toLowerCase();
    const [, second = '', ...more] = name.split(' ');
    if (second.length > LETTER_COUNTS.at(-1)! && more.length === 0) places.set(name, place);
  }
  return places;
}

function isHiddenByRegion(engine: Engine, text: string, place: Place): boolean {
  const { hits } = engine.search({ text, limit: MAX_HITS, explain: true });
  for (const { record, ranking } of hits) {
    if (isNear(record, place)) return false;
    if (ranking?.stage === STAGE) return true;
  }
  return false;
}
