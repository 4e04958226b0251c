/**
 * Names as they are being typed: the first letters of names of places drawn by population. One name
 * in four is in another language. The beginnings are the same in every run.
 */
import { MAX_HITS } from '../../../src/engine/work-budget.ts';
import type { Index } from '../../../src/index-file/layout.ts';
import type { Place } from '../../../src/place/place.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { isNear, type JudgedQuery } from '../confidence/judged-query.ts';
import { foreignName, mainName } from '../confidence/sampled-queries.ts';
import { drawByPopulation, type Random } from '../drawn-places.ts';

/** Numbers of letters typed. */
export const LETTER_COUNTS = [2, 3, 4, 5, 6, 7, 8] as const;
/** Draws other beginnings than those that the figures of confidence are fitted to. */
export const MEASURING_SEED = 20_261_118;
const NAMES_PER_FOREIGN_NAME = 4;

/** `count` beginnings for each number of letters. */
export function beginnings(index: Index, count: number, seed: number): Map<number, JudgedQuery[]> {
  const random = seededRandom(seed);
  const drawPlace = drawByPopulation(index, random);
  return new Map(LETTER_COUNTS.map((letters) => [letters, drawBeginnings(letters)]));

  function drawBeginnings(letters: number): JudgedQuery[] {
    const queries: JudgedQuery[] = [];
    while (queries.length < count) {
      const place = drawPlace();
      const name = [...typedName(place, random)];
      if (name.length <= letters || name[letters - 1] === ' ') continue;
      const text = name.slice(0, letters).join('');
      queries.push({ query: { text, limit: MAX_HITS }, isRight: (record) => isNear(record, place) });
    }
    return queries;
  }
}

function typedName(place: Place, random: Random): string {
  const isForeign = random(NAMES_PER_FOREIGN_NAME) === 0;
  const name = (isForeign ? foreignName(place, random) : undefined) ?? mainName(place);
  return name.toLowerCase();
}
