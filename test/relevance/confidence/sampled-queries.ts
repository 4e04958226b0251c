/**
 * Queries made from the data: names of places drawn at random, as people type them. Larger places
 * are drawn more often. The queries are the same in every run.
 */
import { MAX_HITS } from '../../../src/engine/page/cut-page.ts';
import type { Index } from '../../../src/index-file/layout.ts';
import type { Place } from '../../../src/place/place.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { drawByPopulation, type Random } from '../drawn-places.ts';
import { isNear, type JudgedQuery, misspelt } from './judged-query.ts';

/** Writes what is typed to find a place. Undefined if this way does not suit the place. */
type Typing = (place: Place, random: Random) => string | undefined;

/** People look for a place of four times the population about twice as often. */
const DRAW_EXPONENT = 0.5;
const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

/** In turn, so that a quarter of the queries are names, a quarter names with their country. */
const TYPINGS: readonly Typing[] = [
  mainName,
  withCountry,
  alternateName,
  misspeltName,
  mainName,
  withCountry,
  alternateName,
  mainName,
];

export function sampledQueries(index: Index, count: number, seed = 20_261_116): JudgedQuery[] {
  const random = seededRandom(seed);
  const drawPlace = drawByPopulation(index, random, DRAW_EXPONENT);
  const queries: JudgedQuery[] = [];
  for (let i = 0; queries.length < count; i++) {
    const place = drawPlace();
    const text = TYPINGS[i % TYPINGS.length]!(place, random);
    if (text === undefined) continue;
    queries.push({ query: { text, limit: MAX_HITS }, isRight: (record) => isNear(record, place) });
  }
  return queries;
}

function mainName({ names }: Place): string {
  return names.find(({ kind }) => kind === 'main')!.value;
}

function withCountry(place: Place): string {
  return `${mainName(place)}, ${countryNames.of(place.country)}`;
}

function alternateName({ names }: Place, random: Random): string | undefined {
  const others = names.filter(({ kind }) => kind === 'alternate');
  return others.length === 0 ? undefined : others[random(others.length)]!.value;
}

function misspeltName(place: Place, random: Random): string {
  return misspelt(mainName(place), random);
}
