/**
 * Counts names whose namesakes get lost when the last letter is not yet typed: a page for "valenci"
 * should have the Valencias that the page for "valencia" has.
 */
import type { Engine } from '../../../src/engine/engine.ts';
import { MAX_HITS } from '../../../src/engine/work-budget.ts';
import type { Index } from '../../../src/index-file/layout.ts';
import { openPlaces } from '../../../src/index-file/read-places.ts';
import type { Place } from '../../../src/place/place.ts';
import { fold } from '../../../src/text/fold.ts';
import { seededRandom } from '../../support/seeded-random.ts';

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
 * For `count` main names that places in two or three countries share, each as likely as the others.
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
