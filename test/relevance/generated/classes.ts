/**
 * Queries with errors, generated from the data and from models of what people do, never from judged
 * queries. Each class has a generator of its own, so a change of one class leaves the others as they
 * are, and a smaller count takes the first queries of a class.
 */

import { hashText } from 'toponym-engine/collections/hash';
import type { Engine, PlaceRecord } from 'toponym-engine/engine';
import type { Index } from 'toponym-engine/index-file/layout';
import { countryLanguage } from 'toponym-engine/place/country-language';
import { MIN_CITY_POPULATION, type Place } from 'toponym-engine/place/place';
import { fold } from 'toponym-engine/text/fold';
import { MAX_HITS } from 'toponym-engine/work-budget';
import { openPlaces } from 'toponym-gazetteer/build/read-places';
import { editDistance } from '../../support/edit-distance.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { isNear, type JudgedQuery } from '../confidence/observations.ts';
import { ordinaryWords } from '../confidence/query-sources.ts';
import { drawByFame, type Random } from '../drawn-places.ts';
import { typedName } from '../typing/measures.ts';
import { ListedNames } from './listed-names.ts';
import { slip } from './slips.ts';

export interface ErrorClass {
  readonly name: string;
  /** Whether the queries mean nothing that the data has, so that no hit should be likely. */
  readonly isAbsent: boolean;
  readonly queries: readonly JudgedQuery[];
}

/** The texts are folded, as people type them without errors. */
interface Meant {
  readonly place: Place;
  readonly name: string;
  /** The country, the first-level or the second-level division. */
  readonly region: string;
  /** The city of a suburban area, if known. */
  readonly city: string | undefined;
  readonly random: Random;
}

/** What the region of `Meant` is: 0 a country, 1 and 2 divisions. */
type Level = 0 | 1 | 2;
type Answer = 'place' | 'region' | 'nothing';

interface Typing {
  /** What is meant; a place by default. */
  readonly answer?: Answer;
  /** One of these is drawn. Without levels, the text must not use the region. */
  readonly levels?: readonly Level[];
  /** Undefined if the error does not suit the place. */
  write(meant: Meant, names: ListedNames): string | undefined;
}

export const SEED = 20_261_119;
/** Names of this length and longer ones are misspelt equally often. */
const LONG_NAME = 12;
const MIN_MISSPELT_LETTERS = 4;
const MIN_MISSPELT_REGION_LETTERS = 5;
/** Two slips in fewer letters leave too little. */
const SHORT_NAME = { min: 6, max: 7 };
const MIN_TYPED_LETTERS = 3;
const MIN_TYPED_REGION_LETTERS = 2;
const MIN_LETTERS_WITH_SLIP = 5;
const REGION = { levels: [0, 0, 1, 1, 1] } as const;
const REGION_ALONE = { answer: 'region', levels: [0, 1] } as const;
/** Names in these scripts are not typed letter by letter. */
const COMPOSED = /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const IATA_CODE = /^[A-Z]{3}$/;
/** What people write around the name of a place, which is `_`. */
const NOISE = [
  ['hotel _', '_ hotels', 'cheap hotels in _', 'hotel in _', 'hoteles en _', 'hôtel à _', 'hotels in der nähe von _'],
  ['weather _', '_ weather', 'weather in _', 'wetter _', 'météo _', 'clima _', 'tiempo en _', 'pogoda _', '_ forecast'],
  ['city of _', 'town of _', 'the city of _', 'ville de _', 'stadt _', 'ciudad de _', 'città di _', '_ city'],
  ['_ airport', 'airport _', 'flights to _', '_ train station', '_ bahnhof', 'gare de _', '_ central station'],
  ['_ city centre', 'downtown _', '_ centre', '_ old town', '_ zentrum', 'centro de _', '_ north', 'near _'],
  ['map of _', '_ map', 'things to do in _', 'restaurants in _', '_ university', 'jobs in _', '_ tourism', '_ news'],
].flat();

const TYPINGS: Readonly<Record<string, Typing>> = {
  'name without errors': { write: ({ name }) => name },
  'name, region': { ...REGION, write: (meant) => withRegion(meant, {}) },
  'one typo': { write: misspeltName },
  'two typos': { write: (meant, names) => twoTypos(meant, names, { min: SHORT_NAME.max + 1, max: Infinity }) },
  'two typos, short name': { write: (meant, names) => twoTypos(meant, names, SHORT_NAME) },
  'typo, region': { ...REGION, write: (meant, names) => withRegion(meant, { name: misspeltName(meant, names) }) },
  'typo, misspelt region': {
    ...REGION,
    write: (meant, names) => withRegion(meant, { name: misspeltName(meant, names), region: misspeltRegion(meant) }),
  },
  'misspelt division': { levels: [1], write: (meant) => withRegion(meant, { region: misspeltRegion(meant) }) },
  'misspelt country': { levels: [0], write: (meant) => withRegion(meant, { region: misspeltRegion(meant) }) },
  'unfinished name': { write: ({ name, random }) => unfinished(name, MIN_TYPED_LETTERS, random) },
  'unfinished name with a slip': { write: unfinishedWithSlip },
  'name, unfinished region': {
    ...REGION,
    write: (meant) => withRegion(meant, { region: unfinished(meant.region, MIN_TYPED_REGION_LETTERS, meant.random) }),
  },
  'unfinished name, region': {
    ...REGION,
    write: (meant) => withRegion(meant, { name: unfinished(meant.name, MIN_TYPED_LETTERS, meant.random) }),
  },
  'region first': { ...REGION, write: ({ name, region }) => `${region} ${name}` },
  'words in another order': { write: ({ name, random }) => reordered(name.split(' '), random) },
  'noise words': { write: ({ name, random }) => NOISE[random(NOISE.length)]!.replace('_', name) },
  postcode: { ...REGION, write: ({ name, region, random }) => `${10_000 + random(90_000)} ${name}, ${region}` },
  'airport code': { write: ({ place }) => place.names.find(({ value }) => IATA_CODE.test(value))?.value },
  'suburb and city': { write: ({ name, city }) => city && `${name} ${fold(city)}` },
  'city and unknown part': { write: cityAndUnknownPart },
  'region alone': { ...REGION_ALONE, write: ({ region }) => region },
  'county alone': { answer: 'region', levels: [2], write: ({ region }) => region },
  'unfinished region alone': {
    ...REGION_ALONE,
    write: ({ region, random }) => unfinished(region, MIN_MISSPELT_REGION_LETTERS, random),
  },
  'misspelt region alone': { ...REGION_ALONE, write: misspeltRegion },
  'absent name': { answer: 'nothing', write: absentName },
  'absent name, division': { answer: 'nothing', levels: [1], write: absentNameInRegion },
  'absent name, country': { answer: 'nothing', levels: [0], write: absentNameInRegion },
};

/** `count` queries of each class. Of the words, those that the engine finds as names of towns are left out. */
export function errorClasses(index: Index, engine: Engine, count: number, seed = SEED): ErrorClass[] {
  const create = createJudgedQueries(index, engine);
  const classes = Object.entries(TYPINGS).map(([name, typing]) => {
    const random = seededRandom(hashText(name, seed));
    const queries: JudgedQuery[] = [];
    while (queries.length < count) queries.push(...create(typing, random));
    return { name, isAbsent: typing.answer === 'nothing', queries };
  });
  return [...classes, { name: 'words', isAbsent: true, queries: ordinaryWords(engine, count, seed) }];
}

/** Returns a function that gives one query, or none if the drawn place does not suit. */
function createJudgedQueries(index: Index, engine: Engine): (typing: Typing, random: Random) => JudgedQuery[] {
  const names = new ListedNames(index);
  const draw = drawByFame(index);
  const { regions, readPlace } = openPlaces(index);
  const divisions = new Map(Array.from(regions.values(), ({ key, name }) => [key, fold(name)]));

  return ({ answer = 'place', levels = [], write }, random) => {
    const place = readPlace(draw(random));
    const name = fold(typedName(place, random));
    const level = levels[random(levels.length)];
    const region = level === undefined ? '' : regionOf(place, level, random);
    if (region === undefined) return [];
    const city = engine.get(place.id)?.record.city;
    const text = write({ place, name, region, city, random }, names);
    if (text === undefined) return [];
    const isInRegion = (record: PlaceRecord) => level === undefined || isIn(record, place, level, region);
    const namesakes = names.placesNamed(name);
    const isRight = {
      place: (record: PlaceRecord) =>
        isNear(record, place) ||
        (namesakes.has(record.objectID) && record.importance >= place.importance! && isInRegion(record)),
      region: isInRegion,
      nothing: () => false,
    }[answer];
    return [{ query: { text, limit: MAX_HITS }, isRight }];
  };

  function regionOf(place: Place, level: Level, random: Random): string | undefined {
    if (level > 0) return divisions.get((level === 1 ? place.admin1 : place.admin2) ?? '');
    const language = random(2) === 0 ? 'en' : (countryLanguage(place.country) ?? 'en');
    return fold(new Intl.DisplayNames([language], { type: 'region' }).of(place.country)!);
  }
}

/** Whether the record is in the country of the place or, for other levels, in a division of this name. */
function isIn({ regions }: PlaceRecord, { country }: Place, level: Level, region: string): boolean {
  if (level === 0) return regions.countryCode === country.toLowerCase();
  return [...regions.administrative, ...regions.county].some((name) => fold(name) === region);
}

/** Undefined if a part is. */
function withRegion(meant: Meant, errors: { name?: string | undefined; region?: string | undefined }) {
  const { name, region, random } = { ...meant, ...errors };
  if (name === undefined || region === undefined) return undefined;
  return name + (random(2) === 0 ? ', ' : ' ') + region;
}

/** A name of twice the length is misspelt twice as often. Undefined if another name results. */
function misspeltName({ name, place, random }: Meant, names: ListedNames): string | undefined {
  if (name.length < MIN_MISSPELT_LETTERS || random(LONG_NAME) >= name.length || COMPOSED.test(name)) return undefined;
  const text = slip(name, random, place.country);
  return names.has(text) ? undefined : text;
}

function twoTypos(
  { name, place, random }: Meant,
  names: ListedNames,
  { min, max }: { readonly min: number; readonly max: number },
): string | undefined {
  if (name.length < min || name.length > max || COMPOSED.test(name)) return undefined;
  const text = slip(slip(name, random, place.country), random, place.country);
  return editDistance(name, text) < 2 || names.has(text) ? undefined : text;
}

function misspeltRegion({ region, place, random }: Meant): string | undefined {
  if (region.length < MIN_MISSPELT_REGION_LETTERS || COMPOSED.test(region)) return undefined;
  return slip(region, random, place.country);
}

/** At least `min` letters, but not all. */
function unfinished(text: string, min: number, random: Random): string | undefined {
  if (text.length <= min) return undefined;
  const typed = text.slice(0, min + random(text.length - min));
  return typed.endsWith(' ') ? undefined : typed;
}

/** The slip is not in the last letter: without it, the beginning would have no slip. */
function unfinishedWithSlip({ name, place, random }: Meant): string | undefined {
  const typed = unfinished(name, MIN_LETTERS_WITH_SLIP, random);
  if (typed === undefined || COMPOSED.test(typed)) return undefined;
  return slip(typed.slice(0, -1).trim(), random, place.country) + typed.at(-1);
}

function reordered(words: readonly string[], random: Random): string | undefined {
  if (words.length < 2) return undefined;
  const from = 1 + random(words.length - 1);
  return [...words.slice(from), ...words.slice(0, from)].join(' ');
}

function absentName({ place, random }: Meant, names: ListedNames): string | undefined {
  return names.absentName(place.country, random);
}

/** The region must not have the name of a city, because the name may be a part of that. */
function absentNameInRegion(meant: Meant, names: ListedNames): string | undefined {
  if (names.hasMain(meant.region)) return undefined;
  return withRegion(meant, { name: absentName(meant, names) });
}

function cityAndUnknownPart(meant: Meant, names: ListedNames): string | undefined {
  const part = absentName(meant, names);
  if (part === undefined || (meant.place.population ?? 0) < MIN_CITY_POPULATION) return undefined;
  return `${part} ${meant.name}`;
}
