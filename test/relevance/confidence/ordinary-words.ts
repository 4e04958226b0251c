/**
 * Queries that mean no place: words of several languages, persons, brands and things. A word that is
 * also the main name of a town is left out, because it may mean the town. The queries are the same
 * in every run.
 */
import { allFakers, type Faker } from '@faker-js/faker';
import type { Engine } from '../../../src/engine/engine.ts';
import { MAX_HITS } from '../../../src/engine/work-budget.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import type { Random } from '../drawn-places.ts';
import type { JudgedQuery } from './judged-query.ts';

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
