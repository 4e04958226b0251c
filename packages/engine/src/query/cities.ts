/** Lists interpretations as a place, a city around it, and any regions: "chelsea, london, uk". */

import type { Index } from '../index-file/layout.ts';
import { readPopulation } from '../index-file/packed-record.ts';
import { POSTING } from '../index-file/posting.ts';
import { type Circle, distanceMeters } from '../place/sphere.ts';
import { isUncommonAlias } from '../rank/candidates.ts';
import { PENALTIES } from '../rank/scores.ts';
import type { Word } from '../text/fold.ts';
import { isGenericWord } from '../text/words.ts';
import type { KeyTrie } from '../trie/key-trie.ts';
import type { WorkBudget } from '../work-budget.ts';
import {
  type City,
  createInterpretation,
  type Interpretation,
  MAX_SPLIT_WORDS,
  type RegionGroup,
  splitIntoGroups,
  textOf,
  WHOLE_NAME_ONLY,
} from './interpretations.ts';
import type { RegionLookup } from './region-lookup.ts';

const NEIGHBOUR_METERS = 100_000;

export function cityInterpretations(
  words: readonly Word[],
  cityLookup: CityLookup,
  regionLookup: RegionLookup,
  mayBeName: (text: string) => boolean = () => true,
): Interpretation[] {
  return endingCities(words, cityLookup, regionLookup, mayBeName)
    .filter(({ from }) => !words.slice(0, from).every(({ text }) => isGenericWord(text))) // "near chicago"
    .map(({ from, groups, cities }) => {
      const interpretation = createInterpretation(words, 0, from, groups);
      return { ...interpretation, allowsTypos: false, cities };
    });
}

/**
 * The cities themselves, without the words before or after them: "copacabana rio" is Rio de Janeiro.
 * Two neighbours are not a city and its part: "dallas fort worth".
 */
export function cityOfUnknownPartInterpretations(
  words: readonly Word[],
  cityLookup: CityLookup,
  regionLookup: RegionLookup,
): Interpretation[] {
  const citiesNamed = (from: number, to: number) => cityLookup.named(textOf(words, from, to));
  const ending = endingCities(words, cityLookup, regionLookup).filter(
    ({ from, cities }) => !areNeighbours(citiesNamed(0, from), cities),
  );
  const endsInRegion = regionLookup.named(words.at(-1)!.text).length > 0; // "jackson hole wyoming"
  const starting = words.slice(1).flatMap((_, before) => {
    const to = before + 1;
    const cities = citiesNamed(0, to);
    const isCity = cities.length > 0 && !endsInRegion && !areNeighbours(citiesNamed(to, words.length), cities);
    return isCity ? [{ from: 0, to, groups: [] }] : [];
  });
  return (ending.length > 0 ? ending : starting).map(({ from, to, groups }) => ({
    ...createInterpretation(words, from, to, groups),
    ...WHOLE_NAME_ONLY,
    onlyWellKnown: true,
    penalty: from === 0 ? PENALTIES.cityBeforeUnknownPart : 0,
  }));
}

function areNeighbours(cities: readonly City[], others: readonly Circle[]): boolean {
  return cities.some((city) =>
    others.some((other) => distanceMeters(city.lat, city.lng, other.lat, other.lng) < NEIGHBOUR_METERS),
  );
}

interface EndingCity {
  /** The words from `from` up to, but not including, `to` name the city. */
  readonly from: number;
  readonly to: number;
  /** The regions after the city. */
  readonly groups: readonly RegionGroup[];
  readonly cities: readonly City[];
}

/** Cities that the query ends with, perhaps before their regions, and after at least one word. */
function endingCities(
  words: readonly Word[],
  cityLookup: CityLookup,
  regionLookup: RegionLookup,
  mayBeName: (text: string) => boolean = () => true,
): EndingCity[] {
  const found: EndingCity[] = [];
  if (words.length > MAX_SPLIT_WORDS) return found;
  for (let from = words.length - 1; from >= 1; from--) {
    if (!mayBeName(textOf(words, 0, from))) continue;
    for (let to = words.length; to > from; to--) {
      const groups = splitIntoGroups({ words, lookup: regionLookup, matching: 'exact' }, to, words.length);
      if (groups === undefined) continue;
      const cities = cityLookup.named(textOf(words, from, to));
      if (cities.length > 0) found.push({ from, to, groups, cities });
    }
  }
  return found;
}

/** Minimum length of a city's name: two letters are mostly a region code or an unfinished word. */
const MIN_LENGTH = 3;
/** Smaller cities have no suburbs that people name together with them. */
const MIN_POPULATION = 100_000;
/** Inhabitants per square kilometre of a large city. */
const DENSITY = 4000;
const MIN_RADIUS_METERS = 5000;
/** One name may mean several cities: London in England, London in Ontario. */
const MAX_CITIES = 3;
/** A large city is among the most important places with its name. */
const MAX_PLACES_READ = 16;

/** Looks up the areas of cities: circles that hold the population at a usual density. */
export class CityLookup {
  private readonly index: Index;
  private readonly keys: KeyTrie;
  private readonly work: WorkBudget;

  constructor(index: Index, keys: KeyTrie, work: WorkBudget) {
    this.index = index;
    this.keys = keys;
    this.work = work;
  }

  /** The areas of the most important cities with exactly this name. */
  named(text: string): City[] {
    const { index, keys } = this;
    if (text.length < MIN_LENGTH || !keys.find(text)) return []; // `find` sets `lo` and `exactEnd`
    const circles: City[] = [];
    // the postings of the key that equals the text are in importance order
    const end = Math.min(keys.exactEnd, keys.lo + MAX_PLACES_READ);
    for (let position = keys.lo; position < end && circles.length < MAX_CITIES; position++) {
      if (!this.work.spend(1)) break;
      const posting = index.postings[position]!;
      const place = posting & POSTING.placeMask;
      const population = readPopulation(index, place);
      const startsAtLaterWord = ((posting >>> POSTING.flagShift) & POSTING.isLaterWord) !== 0;
      if (population < MIN_POPULATION || startsAtLaterWord) continue;
      if (text.length === MIN_LENGTH && isUncommonAlias(index, place, position, text)) continue;
      circles.push({
        place,
        lat: index.placeLatE7[place]! / 1e7,
        lng: index.placeLngE7[place]! / 1e7,
        radiusMeters: Math.max(MIN_RADIUS_METERS, 1000 * Math.sqrt(population / (Math.PI * DENSITY))),
      });
    }
    return circles;
  }
}
