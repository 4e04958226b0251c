/**
 * The ways to read a query, cheapest first (docs/ranking.md). The price of a reading is what its hits
 * lose at least. So the search ends at the first reading that is too dear to beat the best hit.
 */

import { type CityLookup, cityInterpretations, cityOfUnknownPartInterpretations } from '../query/cities.ts';
import {
  type Interpretation,
  isAirportCode,
  regionInterpretations,
  reorderedInterpretations,
  wholeNameInterpretation,
} from '../query/interpretations.ts';
import { findStreetWords, partInterpretations } from '../query/part-interpretations.ts';
import { hasPostcode, withoutPostcodes } from '../query/postcodes.ts';
import type { RegionLookup } from '../query/region-lookup.ts';
import type { PlaceFilter } from '../rank/place-filter.ts';
import { PENALTIES, typoPenalty } from '../rank/scores.ts';
import type { Word } from '../text/fold.ts';
import { ONE_TYPO_MIN_LENGTH, TWO_TYPOS_MIN_LENGTH } from '../trie/typo-walk.ts';
import type { InterpretationSearch, TypoOptions } from './interpretation-search.ts';
import { isUnfinishedName } from './match-quality.ts';
import { tryRegionAlone } from './region-alone.ts';
import type { SearchContext } from './search-context.ts';
import type { WordByWordScan } from './word-by-word-scan.ts';

export interface SearchState extends Pick<SearchContext, 'candidates'> {
  readonly words: readonly Word[];
  readonly allowsTypos: boolean;
  readonly isInCapitals: boolean;
  readonly filter: PlaceFilter;
  readonly regionLookup: RegionLookup;
  readonly cityLookup: CityLookup;
  readonly search: InterpretationSearch;
  readonly wordByWord: WordByWordScan;
}

export interface Reading {
  readonly name: string;
  /** How the query is read, for people. */
  readonly meaning: string;
  /** The smallest penalty of a hit. A typo in a name beside a region costs 0.05 less. */
  readonly price: number;
  readonly correctsTypos?: true;
  /** Whether a single word cannot be read so. */
  readonly needsSeveralWords?: true;
  run(state: SearchState, price: number): void;
}

/** The unfinished name of a place loses at least this. */
const UNFINISHED = Math.min(...PENALTIES.unfinished);
const IN_CITY = 0.15;
/** What an unfinished or misspelt region adds to a typo in the name. */
const INEXACT_REGION = 0.4;
/** Minimum length of an unfinished name before a region: "l cerrito" is El Cerrito with a typo. */
const UNFINISHED_MIN_LENGTH = 3;
const SHORT_NAME_LENGTHS = { min: 6, max: TWO_TYPOS_MIN_LENGTH - 1 };
const SHORT_NAME_EXTRA = 0.15;
const ANY_NAME_EXTRA = 0.45;

/** In the order of their prices. */
export const READINGS: readonly Reading[] = [
  {
    name: 'asTyped',
    meaning: 'All words are one name, as typed.',
    price: 0,
    run: ({ search, words }) => {
      const contained = { penalty: PENALTIES.commaInName, allowsTypos: false };
      search.tryWithoutTypos({ ...wholeNameInterpretation(words), ...(hasComma(words) ? contained : {}) });
    },
  },
  {
    name: 'withRegion',
    meaning: 'Some words are the name, the others are its region.',
    price: 0,
    needsSeveralWords: true,
    run: (state, price) => tryAll(state, regionInterpretations(state.words, state.regionLookup, 'exact'), price),
  },
  {
    // for example "EZE", which is Buenos Aires rather than Èze
    name: 'codeInCapitals',
    meaning: 'The text is the code of an airport or a city.',
    price: 0,
    run: ({ search, words, isInCapitals, regionLookup }) => {
      if (!isInCapitals || words.length > 1 || !isAirportCode(words[0]!.text)) return;
      const namesCountry = regionLookup.named(words[0]!.text).some((region) => regionLookup.levelOf(region) === 0);
      // "USA" is not Concord, the city of an airport with this code
      search.tryWithoutTypos({ ...wholeNameInterpretation(words), isCode: true, onlyWellKnown: namesCountry });
    },
  },
  {
    // for example "springfield, il 62701, usa"
    name: 'withoutPostcode',
    meaning: 'Some words are the name, others may be its region; a postcode is left out.',
    price: 0.05,
    needsSeveralWords: true,
    run: (state, price) => {
      const { words, regionLookup, cityLookup } = state;
      if (!hasPostcode(words)) return;
      const interpretations = withoutPostcodes(words, regionLookup, (others) => [
        wholeNameInterpretation(others),
        ...regionInterpretations(others, regionLookup, 'exact'),
        ...cityInterpretations(others, cityLookup, regionLookup).map(inCity),
      ]);
      tryAll(state, interpretations, price);
    },
  },
  {
    // for example "germany", "bavaria germany"
    name: 'regionAlone',
    meaning: 'All words are a region, of which this is a main place.',
    price: 0.1,
    run: (state, price) => tryRegionAlone(state, 'exact', price, { levels: [0, 1], maxPlaces: 20, maxUnpenalised: 5 }),
  },
  {
    // for example "brixton london"
    name: 'inCity',
    meaning: 'The first words are the name, the next ones a city around it.',
    price: IN_CITY,
    needsSeveralWords: true,
    run: (state, price) => {
      const { words, cityLookup, regionLookup, search } = state;
      const mayBeName = (text: string) => search.mayBeBest(text, price);
      tryAll(state, cityInterpretations(words, cityLookup, regionLookup, mayBeName), price);
    },
  },
  {
    // for example "paris t", or "san jose, co": CO is Colombia, but "co" may begin Costa Rica
    name: 'unfinishedRegion',
    meaning: 'Some words are the name, the others are its region, whose last word is unfinished.',
    price: 0.2,
    needsSeveralWords: true,
    run: (state, price) => tryWithInexactRegion(state, 'prefix', price),
  },
  {
    name: 'reordered',
    meaning: 'All words are one name, in another order.',
    price: 0.25,
    needsSeveralWords: true,
    run: (state, price) => {
      const { words, search } = state;
      if (hasComma(words)) return;
      const mayBeName = (text: string) => search.mayBeBest(text, price);
      tryAll(state, reorderedInterpretations(words, mayBeName), price);
    },
  },
  {
    // for example "germa"
    name: 'unfinishedRegionAlone',
    meaning: 'All words are a region, still unfinished, of which this is a main place.',
    price: 0.3,
    run: (state, price) => tryRegionAlone(state, 'prefix', price, { levels: [0, 1], maxPlaces: 2, maxUnpenalised: 2 }),
  },
  {
    // for example "winds, ct" for "Windsor, CT"
    name: 'unfinishedName',
    meaning: 'The first words are the beginning of the name, the others are its region.',
    price: PENALTIES.unfinishedBeforeRegion + UNFINISHED,
    needsSeveralWords: true,
    run: (state, price) => {
      const { words, cityLookup, regionLookup, search } = state;
      const mayBeName = (text: string) => text.length >= UNFINISHED_MIN_LENGTH && search.mayBeBest(text, price);
      const endsInCity = () => !hasComma(words) && cityLookup.named(words.at(-1)!.text).length > 0; // "north london"
      const unfinished = regionInterpretations(words, regionLookup, 'exact', { mayBeName })
        .filter(({ isPrefix }) => !isPrefix && !endsInCity())
        .map((interpretation) => ({ ...interpretation, isPrefix: true, allowsTypos: false }));
      tryAll(state, unfinished, PENALTIES.unfinishedBeforeRegion);
    },
  },
  {
    // for example "paris frnace"
    name: 'misspeltRegion',
    meaning: 'The region has one typo.',
    price: typoPenalty(1),
    correctsTypos: true,
    needsSeveralWords: true,
    run: (state, price) => tryWithInexactRegion(state, 'misspelt', price),
  },
  {
    name: 'oneTypo',
    meaning: 'The name has one typo.',
    price: typoPenalty(1),
    correctsTypos: true,
    run: (state) => tryWithTypos(state, { min: ONE_TYPO_MIN_LENGTH }, { maxTypos: 1 }),
  },
  {
    // for example "san antonio airport", "hotel ibis lyon", or "Haag (Rheintal), Saint Gallen": parentheses count as commas
    name: 'partOfQuery',
    meaning: 'A part of the text is the name; other words are left out.',
    price: 0.5,
    needsSeveralWords: true,
    run: (state, price) => {
      const { words, regionLookup } = state;
      const streetWords = findStreetWords(words);
      const parts = withoutPostcodes(words, regionLookup, (others) =>
        partInterpretations(others, regionLookup, streetWords),
      );
      tryAll(state, parts, price);
    },
  },
  {
    // for example "madrid comunidad espana"
    name: 'wordByWord',
    meaning: 'Each word is searched by itself; some may be left out.',
    price: PENALTIES.wordByWord,
    needsSeveralWords: true,
    run: ({ words, search, wordByWord, allowsTypos, filter }, price) => {
      search.setCurrent({ ...wholeNameInterpretation(words), isWordByWord: true });
      const correctsWords = allowsTypos && search.canBeatBest(1, price + typoPenalty(1));
      wordByWord.scan(words, { allowsTypos: correctsWords, filter });
    },
  },
  {
    name: 'countyAlone',
    meaning: 'All words are a county or district, of which this is a main place.',
    price: 0.6,
    run: (state, price) => tryRegionAlone(state, 'exact', price, { levels: [2], maxPlaces: 20, maxUnpenalised: 5 }),
  },
  {
    // for example "germnay"
    name: 'misspeltRegionAlone',
    meaning: 'All words are a region, with one typo, of which this is a main place.',
    price: 0.8,
    correctsTypos: true,
    run: (state, price) =>
      tryRegionAlone(state, 'misspelt', price, { levels: [0, 1], maxPlaces: 3, maxUnpenalised: 3 }),
  },
  {
    name: 'twoTypos',
    meaning: 'The name has two typos.',
    price: typoPenalty(2),
    correctsTypos: true,
    run: (state) =>
      tryWithTypos(state, { min: TWO_TYPOS_MIN_LENGTH }, { maxTypos: 2, firstLetter: 'right', isMainOnly: true }),
  },
  {
    name: 'typoAndInexactRegion',
    meaning: 'The name has one typo, and the region is unfinished or has one, too.',
    price: INEXACT_REGION + typoPenalty(1),
    correctsTypos: true,
    needsSeveralWords: true,
    run: ({ words, regionLookup, search }) => {
      for (const matching of ['prefix', 'misspelt'] as const) {
        const mayBeName = (text: string) => text.length >= ONE_TYPO_MIN_LENGTH;
        for (const interpretation of regionInterpretations(words, regionLookup, matching, { mayBeName })) {
          const { allowsTypos, penalty } = interpretation;
          if (!allowsTypos) continue;
          search.tryWithTypos({ ...interpretation, penalty: penalty + INEXACT_REGION }, { maxTypos: 1 });
        }
      }
    },
  },
  {
    // for example "copacabana rio" or "london bridge", if no place of this name is known there
    name: 'cityOfUnknownPart',
    meaning: 'The text is a city and a place that is not known in it.',
    price: 0.9,
    needsSeveralWords: true,
    run: (state, price) => {
      const { words, cityLookup, regionLookup } = state;
      if (!hasComma(words)) tryAll(state, cityOfUnknownPartInterpretations(words, cityLookup, regionLookup), price);
    },
  },
  {
    name: 'twoTyposShortName',
    meaning: 'The short name has two typos.',
    price: typoPenalty(2) + SHORT_NAME_EXTRA,
    correctsTypos: true,
    run: (state) => tryWithTypos(state, SHORT_NAME_LENGTHS, { maxTypos: 2, isMainOnly: true }, SHORT_NAME_EXTRA),
  },
  {
    name: 'twoTyposAnyName',
    meaning: 'The name, perhaps an alternate one, has two typos.',
    price: typoPenalty(2) + ANY_NAME_EXTRA,
    correctsTypos: true,
    run: (state) => tryWithTypos(state, { min: SHORT_NAME_LENGTHS.min }, { maxTypos: 2 }, ANY_NAME_EXTRA),
  },
];

/** Hits of a query without text. */
export const BROWSE = { name: 'browse', meaning: 'There is no text: these are the most important places.' };

/** The meaning of each reading by its name. */
export const READING_MEANINGS: ReadonlyMap<string, string> = new Map(
  [...READINGS, BROWSE].map(({ name, meaning }) => [name, meaning]),
);

function hasComma(words: readonly Word[]): boolean {
  return words.some(({ isAfterComma }) => isAfterComma);
}

/**
 * Tries only names that may be the best hit, because looking up a misspelt region takes ten times as
 * long as looking up a name.
 */
function tryWithInexactRegion(state: SearchState, matching: 'prefix' | 'misspelt', price: number): void {
  const { words, regionLookup, search } = state;
  const mayBeName = (text: string) => search.mayBeBest(text, price);
  const interpretations = regionInterpretations(words, regionLookup, matching, { mayBeName });
  for (const interpretation of interpretations) {
    const penalty = interpretation.penalty + price;
    search.tryWithoutTypos({ ...interpretation, penalty, allowsTypos: false });
  }
}

function inCity(interpretation: Interpretation): Interpretation {
  return { ...interpretation, penalty: interpretation.penalty + IN_CITY };
}

function tryAll({ search }: SearchState, interpretations: readonly Interpretation[], price: number): void {
  for (const interpretation of interpretations) {
    search.tryWithoutTypos({ ...interpretation, penalty: interpretation.penalty + price });
  }
}

/**
 * Looks for typos in the names of the interpretations so far that have this many letters. `extra` is
 * a further penalty of the hits.
 */
function tryWithTypos(
  { search, candidates }: SearchState,
  { min, max = Number.POSITIVE_INFINITY }: { readonly min: number; readonly max?: number },
  options: TypoOptions,
  extra = 0,
): void {
  for (const interpretation of search.toCorrect) {
    const { text, penalty } = interpretation;
    if (text.length < min || text.length > max) continue;
    const isNameStart = isUnfinishedName(text, candidates.topWithoutNearness, search.interpretations);
    search.tryWithTypos({ ...interpretation, isNameStart, penalty: penalty + extra }, options);
  }
}
