/**
 * Queries made from the data: names of places drawn by population, as people type them. The queries
 * are the same in every run.
 */
import { faker } from '@faker-js/faker';
import { MAX_HITS } from '../../../src/engine/work-budget.ts';
import type { Index } from '../../../src/index-file/layout.ts';
import type { Place } from '../../../src/place/place.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { drawByPopulation, type Random } from '../drawn-places.ts';
import { isNear, type JudgedQuery, misspelt } from './judged-query.ts';

/** Writes what is typed to find a place. Undefined if this way does not suit the place. */
type Typing = (place: Place, random: Random) => string | undefined;

/** Length from which on names are misspelt equally often. */
const LONG_NAME = 12;
const NAMES_PER_TWO_TYPOS = 4;
const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

/** In turn. */
const TYPINGS: readonly Typing[] = [
  mainName,
  withCountry,
  foreignName,
  misspeltName,
  mainName,
  withCountry,
  foreignName,
  mainName,
  mainName,
  foreignNameWithCountry,
  foreignName,
  misspeltName,
  mainName,
  inAddress,
];

export function sampledQueries(index: Index, count: number, seed = 20_261_116): JudgedQuery[] {
  const random = seededRandom(seed);
  faker.seed(seed);
  const drawPlace = drawByPopulation(index, random);
  const queries: JudgedQuery[] = [];
  for (let i = 0; queries.length < count; i++) {
    const place = drawPlace();
    const text = TYPINGS[i % TYPINGS.length]!(place, random);
    if (text === undefined) continue;
    queries.push({ query: { text, limit: MAX_HITS }, isRight: (record) => isNear(record, place) });
  }
  return queries;
}

export function mainName({ names }: Place): string {
  return names.find(({ kind }) => kind === 'main')!.value;
}

function withCountry(place: Place): string {
  return `${mainName(place)}, ${countryNames.of(place.country)}`;
}

function foreignNameWithCountry(place: Place, random: Random): string | undefined {
  const name = foreignName(place, random);
  return name && `${name}, ${countryNames.of(place.country)}`;
}

function inAddress(place: Place, random: Random): string {
  const town = random(2) === 0 ? mainName(place) : withCountry(place);
  return `${faker.location.streetAddress()}, ${town}`;
}

/** A name in another language. */
export function foreignName({ names }: Place, random: Random): string | undefined {
  const foreign = names.filter(({ language }) => language !== undefined);
  return foreign.length === 0 ? undefined : foreign[random(foreign.length)]!.value;
}

/** A name of twice the length is misspelt twice as often. */
function misspeltName(place: Place, random: Random): string | undefined {
  const name = mainName(place);
  if (random(LONG_NAME) >= name.length) return undefined;
  const once = misspelt(name, random);
  return random(NAMES_PER_TWO_TYPOS) === 0 ? misspelt(once, random) : once;
}
