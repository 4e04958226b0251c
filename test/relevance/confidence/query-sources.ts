/** Judged queries: made from the data, made of words that mean no place, or read from files. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allFakers, type Faker, faker } from '@faker-js/faker';
import type { Engine, PlaceRecord } from 'toponym-engine/engine';
import type { Index } from 'toponym-engine/index-file/layout';
import type { Place, PlaceType } from 'toponym-engine/place/place';
import type { LatLng } from 'toponym-engine/place/sphere';
import { fold } from 'toponym-engine/text/fold';
import { MAX_HITS } from 'toponym-engine/work-budget';
import { seededRandom } from '../../support/seeded-random.ts';
import { drawByPopulation, type Random } from '../drawn-places.ts';
import { isNear, type JudgedQuery, misspelt } from './observations.ts';

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

/** Names of places drawn by population, as people type them. The same in every run. */
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

const MIN_TOWN_POPULATION = 5000;
/** Shorter words are as good as beginnings of names. */
const MIN_LETTERS = 4;
const { en, de, fr, da, hu, id_ID: id, pt_BR: pt, es, it, pl, tr, nl, ru, ar, he, ja, ko, fa } = allFakers;
/** Languages that have word lists of their own; other languages fall back on English. */
const WORD_LANGUAGES = [en, en, en, de, fr, da, hu, id, pt];
/** The texts of these languages are made of their words; those of other languages are Latin. */
const TEXT_LANGUAGES = [ru, ar, he, ja, ko, fa];
const NAME_LANGUAGES = [en, de, fr, es, it, ru, pl, tr, pt, nl];
const THINGS: readonly (() => string)[] = [
  () => en.vehicle.manufacturer(),
  () => en.airline.airline().name,
  () => en.animal.type(),
  () => en.commerce.product(),
  () => en.food.ingredient(),
  () => en.music.genre(),
  () => en.music.artist(),
  () => en.person.jobType(),
];

/** In turn. */
const WRITINGS: readonly ((random: Random) => string)[] = [
  word,
  word,
  word,
  (random) => oneOf(TEXT_LANGUAGES, random).lorem.word(),
  (random) => oneOf(THINGS, random)(),
  person,
  twoWords,
];

/**
 * Queries that mean no place: words of several languages, persons, brands and things. A word that is
 * also the main name of a town is left out, because it may mean the town. The same in every run.
 */
export function ordinaryWords(engine: Engine, count: number, seed = 20_261_118): JudgedQuery[] {
  const random = seededRandom(seed);
  for (const faker of Object.values(allFakers)) faker.seed(seed);
  const queries: JudgedQuery[] = [];
  for (let i = 0; queries.length < count; i++) {
    const text = WRITINGS[i % WRITINGS.length]!(random);
    if (text.length < MIN_LETTERS || isTown(engine, text)) continue;
    queries.push({ query: { text, limit: MAX_HITS }, isRight: () => false });
  }
  return queries;
}

function word(random: Random): string {
  const { word: words } = oneOf(WORD_LANGUAGES, random);
  return oneOf([() => words.noun(), () => words.adjective(), () => words.verb(), () => words.sample()], random)();
}

function twoWords(random: Random): string {
  const { word: words } = oneOf(WORD_LANGUAGES, random);
  return `${words.adjective()} ${words.noun()}`;
}

function person(random: Random): string {
  const { person: persons }: Faker = oneOf(NAME_LANGUAGES, random);
  return `${persons.firstName()} ${persons.lastName()}`;
}

function oneOf<T>(items: readonly T[], random: Random): T {
  return items[random(items.length)]!;
}

function isTown(engine: Engine, text: string): boolean {
  const { hits, scored } = engine.search({ text, limit: 1 });
  return scored?.kind === 'mainName' && (hits[0]?.record.population ?? 0) >= MIN_TOWN_POPULATION;
}

interface Expected extends Partial<LatLng> {
  readonly name?: string;
  readonly country?: string;
  readonly region?: string;
  readonly maxKm?: number;
}

export interface Line extends Partial<LatLng> {
  readonly query: string;
  readonly mode?: string;
  readonly expect: Expected;
  /** The same place in GeoNames. */
  readonly resolved?: Expected;
  readonly lang?: string;
  readonly countries?: readonly string[];
  readonly type?: PlaceType;
}

/**
 * Reads the `.jsonl` files of a folder. Each line is a JSON object:
 *
 *     {"query": "paris, tx", "expect": {"name": "Paris", "lat": 33.66, "lng": -95.56}}
 *
 * `expect` may also have `country` (its code), `region`, and `maxKm`: how far from the point a
 * place of the name is right. `lat` and `lng` beside `query` are a point to prefer; `lang`,
 * `countries` and `type` are options of the search. Lines with the `mode` reverse are skipped.
 */
export function readQueryFiles(folder: string): JudgedQuery[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const lines = files.sort().flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
  return lines
    .map((text): Line => JSON.parse(text))
    .filter(({ mode }) => mode !== 'reverse')
    .map(judgedQuery);
}

export function judgedQuery(line: Line): JudgedQuery {
  return { query: searchQuery(line), isRight: (record) => isRight(line, record) };
}

function searchQuery({ query, lat, lng, lang, countries, type }: Line): JudgedQuery['query'] {
  return {
    text: query,
    limit: MAX_HITS,
    around: pointOf({ lat, lng }),
    language: lang,
    countries,
    types: type === undefined ? undefined : [type],
  };
}

function pointOf({ lat, lng }: { lat?: number | undefined; lng?: number | undefined }): LatLng | undefined {
  return lat == null || lng == null ? undefined : { lat, lng };
}

function isRight({ expect, resolved = {} }: Line, record: PlaceRecord): boolean {
  const points = [pointOf(expect), pointOf(resolved)].filter((point) => point !== undefined);
  if (points.some((point) => isNear(record, point))) return true;
  const names = [expect.name, resolved.name].flatMap((name) => (name === undefined ? [] : [fold(name)]));
  if (!names.includes(fold(record.name))) return false;
  if (points.length > 0) return points.some((point) => isNear(record, point, 1000 * (expect.maxKm ?? 0)));
  const { country, region } = expect;
  if (country !== undefined && country.toLowerCase() !== record.regions.countryCode) return false;
  return region === undefined || record.regions.administrative.some((name) => fold(name) === fold(region));
}
