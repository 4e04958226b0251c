/** Lists interpretations as a place, a city around it, and any regions: "chelsea, london, uk". */
import type { Word } from '../../text/fold.ts';
import { isGenericWord } from '../../text/generic-words.ts';
import { PENALTIES } from '../rank/scores.ts';
import type { CityLookup } from './city-lookup.ts';
import {
  createInterpretation,
  type Interpretation,
  MAX_SPLIT_WORDS,
  splitIntoGroups,
  textOf,
} from './interpretations.ts';
import type { RegionLookup } from './region-lookup.ts';

export function cityInterpretations(
  words: readonly Word[],
  cityLookup: CityLookup,
  regionLookup: RegionLookup,
): Interpretation[] {
  const interpretations: Interpretation[] = [];
  if (words.length > MAX_SPLIT_WORDS) return interpretations;
  for (let nameEnd = words.length - 1; nameEnd >= 1; nameEnd--) {
    if (words.slice(0, nameEnd).every(({ text }) => isGenericWord(text))) continue; // "near chicago"
    for (let cityEnd = words.length; cityEnd > nameEnd; cityEnd--) {
      const groups = splitIntoGroups(words, cityEnd, words.length, regionLookup, 'exact');
      if (groups === undefined) continue;
      const cities = cityLookup.named(textOf(words, nameEnd, cityEnd));
      if (cities.length === 0) continue;
      const interpretation = createInterpretation(words, 0, nameEnd, groups);
      interpretations.push({ ...interpretation, allowsTypos: false, cities, penalty: PENALTIES.inCity });
    }
  }
  return interpretations;
}
