/** Lists interpretations as a place, a city around it, and any regions: "chelsea, london, uk". */
import { type Circle, distanceMeters } from '../../place/sphere.ts';
import type { Word } from '../../text/fold.ts';
import { isGenericWord } from '../../text/words.ts';
import { PENALTIES } from '../rank/scores.ts';
import type { CityLookup } from './city-lookup.ts';
import {
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
): Interpretation[] {
  return endingCities(words, cityLookup, regionLookup)
    .filter(({ from }) => !words.slice(0, from).every(({ text }) => isGenericWord(text))) // "near chicago"
    .map(({ from, groups, cities }) => {
      const interpretation = createInterpretation(words, 0, from, groups);
      return { ...interpretation, allowsTypos: false, cities, penalty: PENALTIES.inCity };
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
    penalty: PENALTIES.cityOfUnknownPart[from === 0 ? 1 : 0],
  }));
}

function areNeighbours(cities: readonly Circle[], others: readonly Circle[]): boolean {
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
  readonly cities: readonly Circle[];
}

/** Cities that the query ends with, perhaps before their regions, and after at least one word. */
function endingCities(words: readonly Word[], cityLookup: CityLookup, regionLookup: RegionLookup): EndingCity[] {
  const found: EndingCity[] = [];
  if (words.length > MAX_SPLIT_WORDS) return found;
  for (let from = words.length - 1; from >= 1; from--) {
    for (let to = words.length; to > from; to--) {
      const groups = splitIntoGroups(words, to, words.length, regionLookup, 'exact');
      if (groups === undefined) continue;
      const cities = cityLookup.named(textOf(words, from, to));
      if (cities.length > 0) found.push({ from, to, groups, cities });
    }
  }
  return found;
}
