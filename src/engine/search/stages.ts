/**
 * The stages of a text search, in the order they run. `when` decides, after the stages before it,
 * whether a stage runs: most run only if nothing was found. docs/ranking.md lists the stages.
 */
import type { Word } from '../../text/fold.ts';
import {
  type Interpretation,
  regionInterpretations,
  reorderedInterpretations,
  wholeNameInterpretation,
} from '../query/interpretations.ts';
import type { Regions } from '../query/regions.ts';
import { PENALTIES } from '../rank/scores.ts';
import type { InterpretationSearch, TypoOptions } from './interpretation-search.ts';
import type { MatchQuality } from './match-quality.ts';
import type { WordByWordScan } from './word-by-word-scan.ts';

/** One search in progress, as the stages see it. */
export interface SearchRun {
  readonly words: readonly Word[];
  readonly regions: Regions;
  readonly search: InterpretationSearch;
  readonly quality: MatchQuality;
  readonly wordByWord: WordByWordScan;
  /** Whether the stages before `commaInName` found nothing. */
  isUnmatched: boolean;
  /** Interpretations in which region words are whole region names. */
  exactRegionInterpretations: readonly Interpretation[];
  /** Interpretations that the typo stages try. */
  typoInterpretations: readonly Interpretation[];
  /** Interpretations with misspelt region words. */
  misspeltRegionInterpretations: readonly Interpretation[];
}

/**
 * The phases of a search. Only matches of `typed` stages count in the total. Before the `fuzzy`
 * stages, part of the work budget is set aside for `wordByWord`.
 */
export type Phase = 'typed' | 'fuzzy' | 'wordByWord';

export interface Stage {
  readonly name: string;
  readonly phase: Phase;
  when(run: SearchRun): boolean;
  run(run: SearchRun): void;
}

/** Minimum name length for one typo, for two, and for two as a last resort. */
const ONE_TYPO_LENGTH = 4;
const TWO_TYPOS_LENGTH = 8;
const LAST_RESORT_LENGTH = 6;
/** Two typos, in order of likelihood: each walk costs more than all the stages before it. */
const MAIN_NAMES_RIGHT_START = { maxTypos: 2, firstLetter: 'right', isMainOnly: true } satisfies TypoOptions;
const MAIN_NAMES_WRONG_START = { maxTypos: 2, firstLetter: 'wrong', isMainOnly: true } satisfies TypoOptions;
const ANY_NAME = [
  { maxTypos: 2, firstLetter: 'right' },
  { maxTypos: 2, firstLetter: 'wrong' },
] satisfies TypoOptions[];
const SHORT_NAME = [{ maxTypos: 2, isMainOnly: true }, { maxTypos: 2 }] satisfies TypoOptions[];

const always = () => true;
const hasSeveralWords = ({ words }: SearchRun) => words.length > 1;
const hasNoMatches = ({ quality }: SearchRun) => quality.hasNoMatches;

export const STAGES: readonly Stage[] = [
  {
    name: 'asTyped',
    phase: 'typed',
    when: always,
    run: ({ search, words }) => search.tryExact(wholeNameInterpretation(words)),
  },
  {
    name: 'reordered',
    phase: 'typed',
    when: (run) => hasSeveralWords(run) && hasNoMatches(run),
    run: (run) => tryAllExact(run, reorderedInterpretations(run.words)),
  },
  {
    name: 'withRegion',
    phase: 'typed',
    when: hasSeveralWords,
    run: (run) => {
      run.exactRegionInterpretations = regionInterpretations(run.words, run.regions, 'exact');
      tryAllExact(run, run.exactRegionInterpretations);
    },
  },
  {
    name: 'unfinishedRegion',
    phase: 'typed',
    when: (run) => hasSeveralWords(run) && hasNoMatches(run),
    run: (run) => {
      tryAllExact(run, regionInterpretations(run.words, run.regions, 'prefix'));
      run.isUnmatched = run.quality.hasNoMatches;
    },
  },
  {
    // "Haag (Rheintal), Saint Gallen"
    name: 'commaInName',
    phase: 'typed',
    when: (run) => run.isUnmatched && run.words.some(({ isAfterComma }) => isAfterComma),
    run: (run) => tryAllExact(run, regionInterpretations(run.words, run.regions, 'exact', { respectsCommas: false })),
  },
  {
    // "winds, ct"
    name: 'unfinishedName',
    phase: 'typed',
    when: (run) => run.isUnmatched,
    run: (run) => {
      const penalty = PENALTIES.unfinishedBeforeRegion;
      const unfinished = run.exactRegionInterpretations.filter(({ isPrefix }) => !isPrefix);
      tryAllExact(
        run,
        unfinished.map((interpretation) => ({ ...interpretation, isPrefix: true, penalty })),
      );
    },
  },
  {
    name: 'oneTypo',
    phase: 'fuzzy',
    when: ({ quality }) => quality.isWeak && !quality.isDistinctiveName,
    run: (run) => {
      const firstLetter = run.quality.isFirstLetterRight ? 'right' : 'any';
      tryTypos(run, run.typoInterpretations, ONE_TYPO_LENGTH, {
        maxTypos: 1,
        firstLetter,
        isMainOnly: !run.quality.hasNoMatches,
      });
    },
  },
  {
    name: 'secondTypo',
    phase: 'fuzzy',
    when: ({ quality }) => quality.hasOnlyDoubtfulTypos,
    run: (run) => tryTypos(run, run.typoInterpretations, LAST_RESORT_LENGTH, MAIN_NAMES_RIGHT_START),
  },
  {
    name: 'misspeltRegion',
    phase: 'fuzzy',
    when: hasNoMatches,
    run: (run) => {
      run.misspeltRegionInterpretations = regionInterpretations(run.words, run.regions, 'misspelt');
      tryAllExact(run, run.misspeltRegionInterpretations);
    },
  },
  {
    name: 'twoTypos',
    phase: 'fuzzy',
    when: hasNoMatches,
    run: (run) => tryTypos(run, run.typoInterpretations, TWO_TYPOS_LENGTH, MAIN_NAMES_RIGHT_START),
  },
  {
    name: 'twoTyposWrongStart',
    phase: 'fuzzy',
    when: ({ quality }) => quality.hasNoMatches || quality.hasOnlyDoubtfulTypos,
    run: (run) => tryTypos(run, run.typoInterpretations, TWO_TYPOS_LENGTH, MAIN_NAMES_WRONG_START),
  },
  {
    name: 'twoTyposAnyName',
    phase: 'fuzzy',
    when: hasNoMatches,
    run: (run) => tryTyposUntilFound(run, run.typoInterpretations, TWO_TYPOS_LENGTH, ANY_NAME),
  },
  {
    name: 'typoAndMisspeltRegion',
    phase: 'fuzzy',
    when: hasNoMatches,
    run: (run) => tryTypos(run, run.misspeltRegionInterpretations, ONE_TYPO_LENGTH, { maxTypos: 1 }),
  },
  {
    name: 'twoTyposShortName',
    phase: 'fuzzy',
    when: hasNoMatches,
    run: (run) => {
      const short = run.typoInterpretations.filter(({ text }) => text.length < TWO_TYPOS_LENGTH);
      tryTyposUntilFound(run, short, LAST_RESORT_LENGTH, SHORT_NAME);
    },
  },
  {
    name: 'wordByWord',
    phase: 'wordByWord',
    when: (run) => hasSeveralWords(run) && run.quality.isPoor(run.words),
    run: ({ words, search, wordByWord }) => {
      search.setCurrent(wholeNameInterpretation(words));
      wordByWord.scan(words);
    },
  },
];

function tryAllExact({ search }: SearchRun, interpretations: readonly Interpretation[]): void {
  for (const interpretation of interpretations) search.tryExact(interpretation);
}

function tryTypos(
  { search }: SearchRun,
  interpretations: readonly Interpretation[],
  minLength: number,
  options: TypoOptions,
): void {
  for (const interpretation of interpretations) {
    if (interpretation.text.length >= minLength) search.tryTypos(interpretation, options);
  }
}

function tryTyposUntilFound(
  run: SearchRun,
  interpretations: readonly Interpretation[],
  minLength: number,
  attempts: readonly TypoOptions[],
): void {
  for (const options of attempts) if (run.quality.hasNoMatches) tryTypos(run, interpretations, minLength, options);
}
