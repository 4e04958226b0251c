/**
 * Lists the interpretations in which consecutive words are a whole name, regions may follow, and
 * all other words are left out: "san antonio airport".
 */

import { PENALTIES } from '../rank/scores.ts';
import type { Word } from '../text/fold.ts';
import { isAirportWord, isGenericWord, PARTICLES } from '../text/words.ts';
import {
  createInterpretation,
  type Interpretation,
  isAirportCode,
  MAX_SPLIT_WORDS,
  type RegionGroup,
  splitIntoGroups,
  WHOLE_NAME_ONLY,
} from './interpretations.ts';
import type { RegionLookup } from './region-lookup.ts';

/** Shorter ASCII names are mostly codes, which count only beside a word for airport. */
const MIN_NAME_LENGTH = 4;
/** Numbers such as those of houses. */
const HAS_DIGIT = /\p{N}/u;
const HOUSE_NUMBER = /^\d{1,5}[a-z]?$/;

/** Interpretations, longest name first. `streetWords` are from `findStreetWords`. */
export function partInterpretations(
  words: readonly Word[],
  lookup: RegionLookup,
  streetWords: ReadonlySet<number>,
): Interpretation[] {
  const interpretations: Interpretation[] = [];
  if (words.length > MAX_SPLIT_WORDS) return interpretations;
  const wordPenalties = words.map((word) => leftOutPenalty(word, lookup));
  const leftOutPenalties = wordPenalties.map((penalty, i) =>
    penalty === PENALTIES.leftOutWord && streetWords.has(words[i]!.start) ? PENALTIES.leftOutStreet : penalty,
  );
  const hasAirportWord = words.some(({ text }) => isAirportWord(text));
  for (let length = words.length - 1; length >= 1; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const to = from + length;
      // generic words and particles alone, such as "city of", name no place
      if (wordPenalties.slice(from, to).every((penalty) => penalty === 0)) continue;
      const trailingRegions = listTrailingRegions(words, to, lookup);
      for (const groups of [...trailingRegions, []]) {
        const leftOut = [...leftOutPenalties.slice(0, from), ...leftOutPenalties.slice(to, groups[0]?.from)];
        const leavesOutRegion = groups.length === 0 && trailingRegions.length > 0;
        const regionPenalty = leavesOutRegion ? PENALTIES.leftOutRegion : 0;
        // replaces the usual penalty, because here a code before the name is left out
        const penalty = totalPenalty(leftOut) + regionPenalty;
        const usual = createInterpretation(words, from, to, groups);
        const isCode = hasAirportWord && isAirportCode(usual.text);
        if (!isCode && usual.text.length < MIN_NAME_LENGTH && isAscii(usual.text)) continue;
        interpretations.push({ ...usual, ...WHOLE_NAME_ONLY, penalty, isCode });
      }
    }
  }
  return interpretations;
}

/**
 * Words of streets, by `Word.start`: those before or after a house number, between commas, as in
 * "Hauptstraße 5, Heidelberg". Without a comma, the street cannot be told from the place.
 */
export function findStreetWords(words: readonly Word[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (let from = 0; from < words.length; ) {
    const next = words.findIndex(({ isAfterComma }, i) => i > from && isAfterComma);
    const to = next === -1 ? words.length : next;
    const hasHouseNumber = [words[from], words[to - 1]].some((word) => HOUSE_NUMBER.test(word!.text));
    if (hasHouseNumber && to - from < words.length) for (const { start } of words.slice(from, to)) found.add(start);
    from = to;
  }
  return found;
}

/** Ways to read the last words, from `from` on, as regions. Most words first. */
function listTrailingRegions(words: readonly Word[], from: number, lookup: RegionLookup): RegionGroup[][] {
  const lists: RegionGroup[][] = [];
  for (let start = from; start < words.length; start++) {
    const groups = splitIntoGroups({ words, lookup, matching: 'exact' }, start, words.length);
    if (groups !== undefined) lists.push(groups);
  }
  return lists;
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

/** The highest penalty and a little for each further word, because addresses may be long. */
function totalPenalty(penalties: readonly number[]): number {
  const count = penalties.filter((penalty) => penalty > 0).length;
  return count === 0 ? 0 : Math.max(...penalties) + (count - 1) * PENALTIES.furtherLeftOutWord;
}

function leftOutPenalty({ text, isAfterComma }: Word, lookup: RegionLookup): number {
  // single letters are abbreviations rather than particles: "s norwalk"
  const isParticle = text.length > 1 && PARTICLES.has(text);
  // after a comma, the code of a region is no particle: "london, on n6a 1a1"
  const isRegionCode = isParticle && isAfterComma && lookup.named(text).length > 0;
  if (isGenericWord(text) || (isParticle && !isRegionCode)) return 0;
  return HAS_DIGIT.test(text) ? PENALTIES.leftOutNumber : PENALTIES.leftOutWord;
}
