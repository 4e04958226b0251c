/**
 * The stages of a text search, in the order they run. A stage runs only if `when` holds after the
 * stages before it: mostly, if they found nothing. docs/ranking.md lists the stages.
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
import type { InterpretationSearch, TypoReach } from './interpretation-search.ts';
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
  /** Interpretations with region words exactly as typed. */
  withRegion: readonly Interpretation[];
  /** Interpretations that the typo stages try. */
  forTypos: readonly Interpretation[];
  /** Interpretations with misspelt region words. */
  withMisspeltRegion: readonly Interpretation[];
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
/** Two typos, likely ones first: each walk costs more than all the stages before. */
const MAIN_NAMES = { maxTypos: 2, first: 'right', isMainOnly: true } satisfies TypoReach;
const MAIN_NAMES_WRONG_START = { maxTypos: 2, first: 'wrong', isMainOnly: true } satisfies TypoReach;
const ANY_NAME = [
  { maxTypos: 2, first: 'right' },
  { maxTypos: 2, first: 'wrong' },
] satisfies TypoReach[];
const SHORT_NAME = [{ maxTypos: 2, isMainOnly: true }, { maxTypos: 2 }] satisfies TypoReach[];

const always = () => true;
const hasSeveralWords = ({ words }: SearchRun) => words.length > 1;
const isNothingFound = ({ quality }: SearchRun) => quality.isNothingFound;

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
    when: (run) => hasSeveralWords(run) && isNothingFound(run),
    run: (run) => tryAllExact(run, reorderedInterpretations(run.words)),
  },
  {
    name: 'withRegion',
    phase: 'typed',
    when: hasSeveralWords,
    run: (run) => {
      run.withRegion = regionInterpretations(run.words, run.regions, 'exact');
      tryAllExact(run, run.withRegion);
    },
  },
  {
    name: 'unfinishedRegion',
    phase: 'typed',
    when: (run) => hasSeveralWords(run) && isNothingFound(run),
    run: (run) => {
      tryAllExact(run, regionInterpretations(run.words, run.regions, 'prefix'));
      run.isUnmatched = run.quality.isNothingFound;
    },
  },
  {
    // "Haag (Rheintal), Saint Gallen"
    name: 'commaInName',
    phase: 'typed',
    when: (run) => run.isUnmatched && run.words.some(({ isAfterComma }) => isAfterComma),
    run: (run) => tryAllExact(run, regionInterpretations(run.words, run.regions, 'exact', { isCutAtCommas: false })),
  },
  {
    // "winds, ct"
    name: 'unfinishedName',
    phase: 'typed',
    when: (run) => run.isUnmatched,
    run: (run) => {
      const penalty = PENALTIES.unfinishedBeforeRegion;
      const unfinished = run.withRegion.filter(({ isPrefix }) => !isPrefix);
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
      const first = run.quality.isFirstLetterRight ? 'right' : 'any';
      tryTypos(run, run.forTypos, ONE_TYPO_LENGTH, { maxTypos: 1, first, isMainOnly: !run.quality.isNothingFound });
    },
  },
  {
    name: 'secondTypo',
    phase: 'fuzzy',
    when: ({ quality }) => quality.hasOnlyDoubtfulTypos,
    run: (run) => tryTypos(run, run.forTypos, LAST_RESORT_LENGTH, MAIN_NAMES),
  },
  {
    name: 'misspeltRegion',
    phase: 'fuzzy',
    when: isNothingFound,
    run: (run) => {
      run.withMisspeltRegion = regionInterpretations(run.words, run.regions, 'misspelt');
      tryAllExact(run, run.withMisspeltRegion);
    },
  },
  {
    name: 'twoTypos',
    phase: 'fuzzy',
    when: isNothingFound,
    run: (run) => tryTypos(run, run.forTypos, TWO_TYPOS_LENGTH, MAIN_NAMES),
  },
  {
    name: 'twoTyposWrongStart',
    phase: 'fuzzy',
    when: ({ quality }) => quality.isNothingFound || quality.hasOnlyDoubtfulTypos,
    run: (run) => tryTypos(run, run.forTypos, TWO_TYPOS_LENGTH, MAIN_NAMES_WRONG_START),
  },
  {
    name: 'twoTyposAnyName',
    phase: 'fuzzy',
    when: isNothingFound,
    run: (run) => tryTyposUntilFound(run, run.forTypos, TWO_TYPOS_LENGTH, ANY_NAME),
  },
  {
    name: 'typoAndMisspeltRegion',
    phase: 'fuzzy',
    when: isNothingFound,
    run: (run) => tryTypos(run, run.withMisspeltRegion, ONE_TYPO_LENGTH, { maxTypos: 1 }),
  },
  {
    name: 'twoTyposShortName',
    phase: 'fuzzy',
    when: isNothingFound,
    run: (run) => {
      const short = run.forTypos.filter(({ text }) => text.length < TWO_TYPOS_LENGTH);
      tryTyposUntilFound(run, short, LAST_RESORT_LENGTH, SHORT_NAME);
    },
  },
  {
    name: 'wordByWord',
    phase: 'wordByWord',
    when: (run) => hasSeveralWords(run) && run.quality.isPoor(run.words),
    run: ({ words, search, wordByWord }) => {
      search.enter(wholeNameInterpretation(words));
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
  reach: TypoReach,
): void {
  for (const interpretation of interpretations) {
    if (interpretation.text.length >= minLength) search.tryTypos(interpretation, reach);
  }
}

function tryTyposUntilFound(
  run: SearchRun,
  interpretations: readonly Interpretation[],
  minLength: number,
  reaches: readonly TypoReach[],
): void {
  for (const reach of reaches) if (run.quality.isNothingFound) tryTypos(run, interpretations, minLength, reach);
}
