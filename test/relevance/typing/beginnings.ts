/**
 * Names as they are being typed: the first letters of names of places. A place is drawn as often as
 * people live there, because people look for the places where most people live. One name in four is
 * that of another language. The beginnings are the same in every run.
 */
import { MAX_HITS } from '../../../src/engine/page/cut-page.ts';
import type { Index } from '../../../src/index-file/layout.ts';
import type { Place } from '../../../src/place/place.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { isNear, type JudgedQuery } from '../confidence/judged-query.ts';
import { drawByPopulation, type Random } from '../drawn-places.ts';

/** Numbers of letters typed. */
export const LETTER_COUNTS = [2, 3, 4, 5, 6, 7, 8] as const;
const DRAW_EXPONENT = 1;
const NAMES_PER_FOREIGN_NAME = 4;

/** `count` beginnings for each number of letters. */
export function beginnings(index: Index, count: number, seed: number): Map<number, JudgedQuery[]> {
  const random = seededRandom(seed);
  const drawPlace = drawByPopulation(index, random, DRAW_EXPONENT);
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

function typedName({ names }: Place, random: Random): string {
  const foreign = names.filter(({ language }) => language !== undefined);
  const isForeign = random(NAMES_PER_FOREIGN_NAME) === 0 && foreign.length > 0;
  const { value } = isForeign ? foreign[random(foreign.length)]! : names[0]!;
  return value.toLowerCase();
}
