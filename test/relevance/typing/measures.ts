/** Measures how well a search serves people who are still typing. Every run draws the same cases. */

import type { Engine } from 'toponym-engine/engine';
import type { Index } from 'toponym-engine/index-file/layout';
import type { Place } from 'toponym-engine/place/place';
import { fold } from 'toponym-engine/text/fold';
import { MAX_HITS } from 'toponym-engine/work-budget';
import { openPlaces } from 'toponym-gazetteer/build/read-places';
import { seededRandom } from '../../support/seeded-random.ts';
import { isNear, type JudgedQuery } from '../confidence/observations.ts';
import { foreignName, mainName } from '../confidence/query-sources.ts';
import { drawByPopulation, type Random } from '../drawn-places.ts';

/** Numbers of letters typed. */
export const LETTER_COUNTS = [2, 3, 4, 5, 6, 7, 8] as const;
/** Draws other beginnings than those that the figures of confidence are fitted to. */
export const MEASURING_SEED = 20_261_118;
const NAMES_PER_FOREIGN_NAME = 4;

/**
 * The first letters of names of places drawn by population, `count` for each number of letters. One
 * name in four is in another language.
 */
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

export function typedName(place: Place, random: Random): string {
  const isForeign = random(NAMES_PER_FOREIGN_NAME) === 0;
  const name = (isForeign ? foreignName(place, random) : undefined) ?? mainName(place);
  return name.toLowerCase();
}

export interface LostNamesakes {
  readonly count: number;
  /** What was typed where a namesake is missing. */
  readonly lost: readonly string[];
  /** Those of them whose page has a correction, which should give way. */
  readonly lostToCorrections: readonly string[];
}

const MIN_LETTERS = 5;
const MIN_COUNTRIES = 2;
const MAX_COUNTRIES = 3;

/**
 * Counts names whose namesakes get lost when the last letter is not yet typed: a page for "valenci"
 * should have the Valencias that the page for "valencia" has. Draws `count` main names that places in
 * two or three countries share, each as likely as the others.
 */
export function lostNamesakes(engine: Engine, index: Index, count: number, seed: number): LostNamesakes {
  const names = drawSharedNames(index, count, seed);
  const lost = names.flatMap(([name, places]) => {
    const namesakes = new Set(places.map(({ id }) => id));
    const shown = idsOnPage(engine, name).filter((id) => namesakes.has(id));
    const text = [...name].slice(0, -1).join('');
    const stillShown = new Set(idsOnPage(engine, text));
    return shown.every((id) => stillShown.has(id)) ? [] : [text];
  });
  const lostToCorrections = lost.filter((text) =>
    engine.search({ text, limit: MAX_HITS, explain: true }).hits.some(({ ranking }) => ranking!.typos > 0),
  );
  return { count, lost, lostToCorrections };
}

type SharedName = readonly [name: string, places: readonly Place[]];

function drawSharedNames(index: Index, count: number, seed: number): SharedName[] {
  const random = seededRandom(seed);
  const { readPlace } = openPlaces(index);
  const places = Array.from({ length: index.metadata.places }, (_, id) => readPlace(id));
  const shared = [...Map.groupBy(places, ({ names }) => fold(names[0]!.value))].filter(([name, namesakes]) => {
    const { size } = new Set(namesakes.map(({ country }) => country));
    return name.length >= MIN_LETTERS && size >= MIN_COUNTRIES && size <= MAX_COUNTRIES;
  });
  return Array.from({ length: count }, () => shared.splice(random(shared.length), 1)[0]!);
}

function idsOnPage(engine: Engine, text: string): string[] {
  return engine.search({ text, limit: MAX_HITS }).hits.map(({ objectID }) => objectID);
}

export interface HiddenByRegion {
  /** Number of letters typed of the second word. */
  readonly letters: number;
  readonly count: number;
  /** What was typed for the places after a hit of an unfinished region. */
  readonly hidden: readonly string[];
}

const SECOND_WORD_LETTERS = [1, 2, 3] as const;
const STAGE = 'unfinishedRegion';

/**
 * Counts places that a region hides while their name is being typed: "byron ba" is Byron Bay, not
 * Byron in a region that begins with "ba". Draws `count` places of two words by population.
 */
export function hiddenByRegions(engine: Engine, index: Index, count: number, seed: number): HiddenByRegion[] {
  const places = drawTwoWordPlaces(index, count, seed);
  return SECOND_WORD_LETTERS.map((letters) => ({
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
    if (second.length > SECOND_WORD_LETTERS.at(-1)! && more.length === 0) places.set(name, place);
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
