/**
 * The stages of a text search, in the order in which they run (docs/ranking.md). Most run only if
 * nothing was found yet.
 */

import { type CityLookup, cityInterpretations, cityOfUnknownPartInterpretations } from '../query/cities.ts';
import {
  type Interpretation,
  isAirportCode,
  MAX_CODE_LENGTH,
  regionInterpretations,
  reorderedInterpretations,
  wholeNameInterpretation,
} from '../query/interpretations.ts';
import { findStreetWords, partInterpretations } from '../query/part-interpretations.ts';
import { hasPostcode, withoutPostcodes } from '../query/postcodes.ts';
import type { RegionLookup } from '../query/region-lookup.ts';
import type { PlaceFilter } from '../rank/place-filter.ts';
import { PENALTIES } from '../rank/scores.ts';
import type { Word } from '../text/fold.ts';
import { ONE_TYPO_MIN_LENGTH, TWO_TYPOS_MIN_LENGTH } from '../trie/typo-walk.ts';
import type { InterpretationSearch, TypoOptions } from './interpretation-search.ts';
import type { MatchQuality } from './match-quality.ts';
import {
  COUNTY_ALONE,
  EXACT_REGION_ALONE,
  MISSPELT_COUNTRY_ALONE,
  MISSPELT_REGION_ALONE,
  tryRegionAlone,
  UNFINISHED_REGION_ALONE,
} from './region-alone.ts';
import type { WordByWordScan } from './word-by-word-scan.ts';

export interface SearchState {
  readonly words: readonly Word[];
  /** If false, no stage that corrects typos runs. */
  readonly allowsTypos: boolean;
  readonly isInCapitals: boolean;
  readonly filter: PlaceFilter;
  readonly regionLookup: RegionLookup;
  readonly cityLookup: CityLookup;
  readonly search: InterpretationSearch;
  readonly quality: MatchQuality;
  readonly wordByWord: WordByWordScan;
  /** `MatchQuality.wholeNameScore` before stage `regionAlone`. */
  wholeNameScore: number;
  /** Whether stage `unfinishedRegion` ran and nothing was found up to its end. */
  regionStagesFoundNothing: boolean;
  // Set by the stages `withRegion` and `oneTypo`:
  exactRegionInterpretations: readonly Interpretation[];
  toRetryWithTypos: readonly Interpretation[];
}

/** A group of consecutive stages. Only matches of `withoutTypos` count in the total. */
export type Phase = 'withoutTypos' | 'withTypos' | 'wordByWord';

export interface Stage {
  readonly name: string;
  /** How the stage takes the query, for people. */
  readonly meaning: string;
  readonly phase: Phase;
  readonly correctsTypos?: true;
  when(state: SearchState): boolean;
  run(state: SearchState): void;
}

const LOOSE_NAME_MIN_LENGTH = 6;
/** A whole name that scores less is that of a hamlet, or an unlikely match. */
const VILLAGE_SCORE = 0.35;
/** Minimum length of an unfinished name before a region: "l cerrito" is El Cerrito with a typo. */
const UNFINISHED_MIN_LENGTH = 3;
/** The unfinished name of a town scores this. */
const TOWN_START_SCORE = 0.05;
/** Minimum length of a shorter name for two typos in `secondTypo` and `twoTyposShortName`. */
const SHORT_NAME_MIN_LENGTH = 6;

// Searches for two typos. The likeliest to succeed run first: each costs more than all before it.
const MAIN_NAMES_RIGHT_START = { maxTypos: 2, firstLetter: 'right', isMainOnly: true } satisfies TypoOptions;
const MAIN_NAMES_WRONG_START = { maxTypos: 2, firstLetter: 'wrong', isMainOnly: true } satisfies TypoOptions;
const ANY_NAME_SEARCHES = [
  { maxTypos: 2, firstLetter: 'right' },
  { maxTypos: 2, firstLetter: 'wrong' },
] satisfies TypoOptions[];
const SHORT_NAME_SEARCHES = [{ maxTypos: 2, isMainOnly: true }, { maxTypos: 2 }] satisfies TypoOptions[];

const hasSeveralWords = ({ words }: SearchState) => words.length > 1;
/** Whether the query is the whole name of a place, perhaps with its regions. */
const isWholeName = ({ wholeNameScore }: SearchState) => wholeNameScore > Number.NEGATIVE_INFINITY;
const hasComma = ({ words }: SearchState) => words.some(({ isAfterComma }) => isAfterComma);
const mayBeCode = ({ words }: SearchState) => (words.at(-1)?.text.length ?? 0) <= MAX_CODE_LENGTH;
/** Whether the last word has few letters, with which the name of a place goes on: "byron ba". */
const goesOn = (state: SearchState) => {
  const { text, isAfterComma } = state.words.at(-1)!;
  return text.length <= MAX_CODE_LENGTH && !isAfterComma && isNameStart(state);
};
const isNameStart = ({ words, quality }: SearchState, minScore?: number) =>
  quality.isNameStart(wholeNameInterpretation(words).text, minScore);
/** Whether the name of more than a hamlet starts with the text: "saint le" is Saint-Leu. */
const isTownStart = (state: SearchState) => isNameStart(state, TOWN_START_SCORE);
const hasNoMatches = ({ quality }: SearchState) => !quality.hasMatches;

export const STAGES: readonly Stage[] = [
  {
    name: 'asTyped',
    meaning: 'All words are one name, as typed.',
    phase: 'withoutTypos',
    when: () => true,
    run: ({ search, words }) => search.tryWithoutTypos(wholeNameInterpretation(words)),
  },
  {
    name: 'reordered',
    meaning: 'All words are one name, in another order.',
    phase: 'withoutTypos',
    when: (state) => hasSeveralWords(state) && hasNoMatches(state),
    run: (state) =>
      tryWithoutTypos(
        state,
        reorderedInterpretations(state.words, (text) => state.search.keys.find(text)),
      ),
  },
  {
    name: 'withRegion',
    meaning: 'Some words are the name, the others are its region.',
    phase: 'withoutTypos',
    when: hasSeveralWords,
    run: (state) => {
      state.exactRegionInterpretations = regionInterpretations(state.words, state.regionLookup, 'exact');
      tryWithoutTypos(state, state.exactRegionInterpretations);
    },
  },
  {
    // for example "germany", "bavaria germany"
    name: 'regionAlone',
    meaning: 'All words are a region, of which this is a main place.',
    phase: 'withoutTypos',
    when: () => true,
    run: (state) => {
      state.wholeNameScore = state.quality.wholeNameScore;
      tryRegionAlone(state, EXACT_REGION_ALONE);
    },
  },
  {
    // for example "EZE", which is Buenos Aires rather than Èze
    name: 'codeInCapitals',
    meaning: 'The text is the code of an airport or a city.',
    phase: 'withoutTypos',
    when: ({ words, isInCapitals }) => isInCapitals && words.length === 1 && isAirportCode(words[0]!.text),
    run: ({ search, words, regionLookup }) => {
      const namesCountry = regionLookup.named(words[0]!.text).some((region) => regionLookup.levelOf(region) === 0);
      // "USA" is not Concord, the city of an airport with this code
      search.tryWithoutTypos({ ...wholeNameInterpretation(words), isCode: true, onlyWellKnown: namesCountry });
    },
  },
  {
    // for example "paris t", or "san jose, co": CO is Colombia, but "co" may begin Costa Rica
    name: 'unfinishedRegion',
    meaning: 'Some words are the name, the others are its region, whose last word is unfinished.',
    phase: 'withoutTypos',
    when: (state) =>
      hasSeveralWords(state) && !state.quality.hasLikelyMatch && (!isWholeName(state) || mayBeCode(state)),
    run: (state) => {
      const interpretations = regionInterpretations(state.words, state.regionLookup, 'prefix');
      tryWithoutTypos(state, goesOn(state) ? interpretations.map(rankedBelowLongerNames) : interpretations);
      state.regionStagesFoundNothing = hasNoMatches(state);
    },
  },
  {
    // for example "brixton london"
    name: 'inCity',
    meaning: 'The first words are the name, the next ones a city around it.',
    phase: 'withoutTypos',
    when: (state) => hasSeveralWords(state) && !isWholeName(state),
    run: (state) => tryWithoutTypos(state, cityInterpretations(state.words, state.cityLookup, state.regionLookup)),
  },
  {
    // for example "germa"
    name: 'unfinishedRegionAlone',
    meaning: 'All words are a region, still unfinished, of which this is a main place.',
    phase: 'withoutTypos',
    when: ({ wholeNameScore }) => wholeNameScore < VILLAGE_SCORE,
    run: (state) => tryRegionAlone(state, UNFINISHED_REGION_ALONE),
  },
  {
    // for example "Haag (Rheintal), Saint Gallen": parentheses count as commas
    name: 'commaInName',
    meaning: 'All words are one name, which contains a comma.',
    phase: 'withoutTypos',
    when: (state) => state.regionStagesFoundNothing && hasComma(state),
    run: (state) => {
      const options = { respectsCommas: false };
      tryWithoutTypos(state, regionInterpretations(state.words, state.regionLookup, 'exact', options));
    },
  },
  {
    // for example "winds, ct" for "Windsor, CT"
    name: 'unfinishedName',
    meaning: 'The first words are the beginning of the name, the others are its region.',
    phase: 'withoutTypos',
    when: (state) => state.regionStagesFoundNothing,
    run: (state) => {
      const { words, cityLookup } = state;
      const endsInCity = !hasComma(state) && cityLookup.named(words.at(-1)!.text).length > 0; // "north london"
      const endingInRegion = state.exactRegionInterpretations.filter(
        ({ isPrefix, text }) => !isPrefix && !endsInCity && text.length >= UNFINISHED_MIN_LENGTH,
      );
      const changes = { isPrefix: true, allowsTypos: false, penalty: PENALTIES.unfinishedBeforeRegion };
      const unfinished = endingInRegion.map((interpretation) => ({ ...interpretation, ...changes }));
      tryWithoutTypos(state, unfinished);
    },
  },
  {
    // for example "springfield, il 62701, usa"
    name: 'withoutPostcode',
    meaning: 'Some words are the name, others may be its region; a postcode is left out.',
    phase: 'withoutTypos',
    when: (state) => hasPostcode(state.words) && !isWholeName(state) && state.quality.isBestPoor(state.words),
    run: (state) => {
      const { words, regionLookup, cityLookup } = state;
      const interpretations = withoutPostcodes(words, regionLookup, (others) => [
        wholeNameInterpretation(others),
        ...regionInterpretations(others, regionLookup, 'exact'),
        ...cityInterpretations(others, cityLookup, regionLookup),
      ]);
      tryWithoutTypos(state, interpretations);
    },
  },
  {
    // for example "san antonio airport"
    name: 'withoutGenericWords',
    meaning: 'A part of the text is the name; generic words and numbers are left out.',
    phase: 'withoutTypos',
    when: (state) => hasSeveralWords(state) && !isWholeName(state) && state.quality.isBestPoor(state.words),
    run: (state) => tryParts(state, 'generic'),
  },
  {
    name: 'countyAlone',
    meaning: 'All words are a county or district, of which this is a main place.',
    phase: 'withoutTypos',
    when: hasNoMatches,
    run: (state) => tryRegionAlone(state, COUNTY_ALONE),
  },
  {
    name: 'oneTypo',
    meaning: 'The name has one typo.',
    phase: 'withTypos',
    correctsTypos: true,
    when: ({ quality }) => quality.hasFewOrWeakMatches && !quality.isBestDistinctive,
    run: (state) => {
      const { quality, search } = state;
      state.toRetryWithTypos = search.interpretations
        .filter(({ allowsTypos }) => allowsTypos)
        .map((interpretation) => ({ ...interpretation, isNameStart: quality.isNameStart(interpretation.text) }));
      tryWithTypos(state, state.toRetryWithTypos, ONE_TYPO_MIN_LENGTH, {
        maxTypos: 1,
        firstLetter: quality.isFirstLetterRight ? 'right' : 'any',
        isMainOnly: quality.hasMatches,
      });
    },
  },
  {
    // for example "leipsig": an alternate name of Leipsic in Ohio, but probably Leipzig is meant
    name: 'misspeltCity',
    meaning: 'The name is that of a well-known place, with one typo.',
    phase: 'withTypos',
    correctsTypos: true,
    when: ({ quality }) => quality.isBestObscureAlternate,
    run: (state) => {
      const interpretations = state.toRetryWithTypos.map((interpretation) => ({
        ...interpretation,
        onlyWellKnown: true,
        penalty: interpretation.penalty - PENALTIES.obscureAlternate,
      }));
      tryWithTypos(state, interpretations, ONE_TYPO_MIN_LENGTH, { maxTypos: 1, isMainOnly: true, mustBeBest: true });
    },
  },
  {
    // for example "paris frnace"
    name: 'misspeltRegion',
    meaning: 'The region has one typo.',
    phase: 'withTypos',
    correctsTypos: true,
    when: (state) =>
      hasNoMatches(state) ||
      (hasSeveralWords(state) && state.quality.isBestWeak && state.quality.isBestPoor(state.words)),
    run: (state) => {
      // looking up a misspelt region takes ten times as long as looking up a name
      const options = { mayBeName: (text: string) => state.search.keys.find(text) };
      tryWithoutTypos(state, regionInterpretations(state.words, state.regionLookup, 'misspelt', options));
    },
  },
  {
    // for example "germnay"
    name: 'misspeltRegionAlone',
    meaning: 'All words are a region, with one typo, of which this is a main place.',
    phase: 'withTypos',
    correctsTypos: true,
    when: (state) => hasNoMatches(state) || state.quality.hasFewDoubtfulMatches,
    run: (state) => tryRegionAlone(state, hasNoMatches(state) ? MISSPELT_REGION_ALONE : MISSPELT_COUNTRY_ALONE),
  },
  {
    name: 'secondTypo',
    meaning: 'The name has two typos.',
    phase: 'withTypos',
    correctsTypos: true,
    when: ({ quality }) => quality.hasFewDoubtfulMatches,
    run: (state) => {
      const options = { ...MAIN_NAMES_RIGHT_START, mustBeBest: true };
      // a region confirms a short name with two typos
      const isLongEnough = ({ text, regionGroups }: Interpretation) =>
        text.length > SHORT_NAME_MIN_LENGTH || regionGroups.length > 0;
      tryWithTypos(state, state.toRetryWithTypos.filter(isLongEnough), SHORT_NAME_MIN_LENGTH, options);
    },
  },
  {
    name: 'twoTypos',
    meaning: 'The name has two typos.',
    phase: 'withTypos',
    correctsTypos: true,
    when: hasNoMatches,
    run: (state) => tryWithTypos(state, state.toRetryWithTypos, TWO_TYPOS_MIN_LENGTH, MAIN_NAMES_RIGHT_START),
  },
  {
    name: 'twoTyposWrongStart',
    meaning: 'The name has two typos, and its first letter is wrong.',
    phase: 'withTypos',
    correctsTypos: true,
    when: (state) => hasNoMatches(state) || state.quality.hasFewDoubtfulMatches,
    run: (state) => {
      const options = { ...MAIN_NAMES_WRONG_START, mustBeBest: state.quality.hasMatches };
      tryWithTypos(state, state.toRetryWithTypos, TWO_TYPOS_MIN_LENGTH, options);
    },
  },
  {
    name: 'twoTyposAnyName',
    meaning: 'The name, perhaps an alternate one, has two typos.',
    phase: 'withTypos',
    correctsTypos: true,
    when: hasNoMatches,
    run: (state) => tryWithTyposUntilFound(state, state.toRetryWithTypos, TWO_TYPOS_MIN_LENGTH, ANY_NAME_SEARCHES),
  },
  {
    name: 'typoAndMisspeltRegion',
    meaning: 'The name has one typo, and so does the region.',
    phase: 'withTypos',
    correctsTypos: true,
    when: hasNoMatches,
    run: (state) => {
      const interpretations = regionInterpretations(state.words, state.regionLookup, 'misspelt');
      tryWithTypos(state, interpretations, ONE_TYPO_MIN_LENGTH, { maxTypos: 1 });
    },
  },
  {
    name: 'twoTyposShortName',
    meaning: 'The short name has two typos.',
    phase: 'withTypos',
    correctsTypos: true,
    when: hasNoMatches,
    run: (state) => {
      const short = state.toRetryWithTypos.filter(({ text }) => text.length < TWO_TYPOS_MIN_LENGTH);
      tryWithTyposUntilFound(state, short, SHORT_NAME_MIN_LENGTH, SHORT_NAME_SEARCHES);
    },
  },
  {
    // for example "mississppisippi state, ms"
    name: 'looseInRegion',
    meaning: 'The name is only similar, in the region that was typed.',
    phase: 'withTypos',
    correctsTypos: true,
    when: hasNoMatches,
    run: ({ search, words, exactRegionInterpretations }) => {
      for (const interpretation of exactRegionInterpretations) {
        const isLong = interpretation.text.length >= LOOSE_NAME_MIN_LENGTH;
        if (isLong && words[interpretation.to]?.isAfterComma) search.tryLoosely(interpretation);
      }
    },
  },
  {
    // for example "hotel ibis lyon"
    name: 'partOfQuery',
    meaning: 'A part of the text is the name; other words are left out.',
    phase: 'withTypos',
    when: (state) => hasSeveralWords(state) && !isTownStart(state) && state.quality.isBestPoor(state.words),
    run: (state) => tryParts(state, 'any'),
  },
  {
    // for example "copacabana rio" or "london bridge", if no place of this name is known there
    name: 'cityOfUnknownPart',
    meaning: 'The text is a city and a place that is not known in it.',
    phase: 'withTypos',
    when: (state) =>
      hasSeveralWords(state) &&
      !hasComma(state) &&
      !isTownStart(state) &&
      (state.quality.isBestPoor(state.words) || state.quality.hasBestTwoTypos),
    run: (state) =>
      tryWithoutTypos(state, cityOfUnknownPartInterpretations(state.words, state.cityLookup, state.regionLookup)),
  },
  {
    name: 'wordByWord',
    meaning: 'Each word is searched by itself; some may be left out.',
    phase: 'wordByWord',
    when: (state) => hasSeveralWords(state) && !isTownStart(state) && state.quality.isBestPoor(state.words),
    run: ({ words, search, wordByWord, allowsTypos, filter }) => {
      search.setCurrent(wholeNameInterpretation(words));
      wordByWord.scan(words, { allowsTypos, filter });
    },
  },
];

/** Hits of a query without text. */
export const BROWSE = { name: 'browse', meaning: 'There is no text: these are the most important places.' };

/** The meaning of each stage by its name. */
export const STAGE_MEANINGS: ReadonlyMap<string, string> = new Map(
  [...STAGES, BROWSE].map(({ name, meaning }) => [name, meaning]),
);

function rankedBelowLongerNames(interpretation: Interpretation): Interpretation {
  return { ...interpretation, penalty: interpretation.penalty + PENALTIES.nameGoesOn };
}

/** Tries parts of the query, without its postcodes, as whole names. */
function tryParts(state: SearchState, mayLeaveOut: 'generic' | 'any'): void {
  const { words, regionLookup } = state;
  const streetWords = findStreetWords(words);
  const interpretations = withoutPostcodes(words, regionLookup, (others) =>
    partInterpretations(others, regionLookup, { mayLeaveOut, streetWords }),
  );
  tryWithoutTypos(state, interpretations);
}

function tryWithoutTypos({ search }: SearchState, interpretations: readonly Interpretation[]): void {
  for (const interpretation of interpretations) search.tryWithoutTypos(interpretation);
}

function tryWithTypos(
  { search }: SearchState,
  interpretations: readonly Interpretation[],
  minLength: number,
  options: TypoOptions,
): void {
  for (const interpretation of interpretations) {
    if (interpretation.text.length >= minLength) search.tryWithTypos(interpretation, options);
  }
}

function tryWithTyposUntilFound(
  state: SearchState,
  interpretations: readonly Interpretation[],
  minLength: number,
  searches: readonly TypoOptions[],
): void {
  for (const options of searches) if (hasNoMatches(state)) tryWithTypos(state, interpretations, minLength, options);
}
