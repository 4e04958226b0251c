/** Runs the stages of a text search, phase by phase. */
import { PAGE_CANDIDATES } from '../page/page-selection.ts';
import { CityLookup } from '../query/cities.ts';
import { type Lexicon, splitHanWords } from '../query/han-words.ts';
import type { Interpretation } from '../query/interpretations.ts';
import { RegionLookup } from '../query/region-lookup.ts';
import type { Candidates } from '../rank/candidates.ts';
import { foldWords, type Word } from '../text/fold.ts';
import type { WorkBudget } from '../work-budget.ts';
import { InterpretationSearch, type SearchScope } from './interpretation-search.ts';
import { MatchQuality } from './match-quality.ts';
import type { SearchContext } from './search-context.ts';
import { type Phase, type SearchState, STAGES, type Stage } from './stages.ts';
import { WordByWordScan, type WordFit } from './word-by-word-scan.ts';

export interface SearchOutcome {
  /** All that were tried. Candidates refer to them by index. */
  readonly interpretations: readonly Interpretation[];
  /** For each interpretation, the name of the stage that tried it. */
  readonly stages: readonly string[];
  /**
   * Slots in `Candidates.top` of the best match anywhere and of the best match nearby. A search with a point
   * and no radius shows both if its limit is two or more, whatever their scores.
   */
  readonly guaranteed: readonly number[];
  /** Number of places that match without typos and pass the filters. */
  readonly total: number;
  readonly isTotalExact: boolean;
  /** Index in `interpretations`; -1 if the word-by-word stage did not run. */
  readonly wordByWordInterpretation: number;
}

const STAGES_BY_PHASE = Object.groupBy(STAGES, ({ phase }) => phase) as Record<Phase, Stage[]>;
/** Share of the work budget (0..1) set aside for the word-by-word stage. */
const WORD_BY_WORD_SHARE = 0.2;

export class TextSearch {
  private readonly candidates: Candidates;
  private readonly work: WorkBudget;
  private readonly regionLookup: RegionLookup;
  private readonly cityLookup: CityLookup;
  private readonly search: InterpretationSearch;
  private readonly quality: MatchQuality;
  private readonly wordByWord: WordByWordScan;
  private readonly lexicon: Lexicon;

  constructor(context: SearchContext) {
    this.candidates = context.candidates;
    this.work = context.work;
    this.regionLookup = new RegionLookup(context.index, context.work);
    this.search = new InterpretationSearch(context);
    this.cityLookup = new CityLookup(context.index, this.search.keys, context.work);
    this.quality = new MatchQuality(context.candidates, this.search);
    this.wordByWord = new WordByWordScan(context, this.search, this.regionLookup);
    this.lexicon = {
      startsName: (text) => this.search.keys.find(text),
      isRegion: (text) => this.regionLookup.named(text).length > 0,
    };
  }

  /** The words of a query. Words in Chinese characters are split. */
  readWords(text: string): readonly Word[] {
    return splitHanWords(foldWords(text), this.lexicon);
  }

  /** Fills the candidates. The caller must first reset them. */
  run(words: readonly Word[], scope: SearchScope): SearchOutcome {
    const { search, candidates, regionLookup, cityLookup, quality, wordByWord, work } = this;
    search.reset(scope);
    const state: SearchState = {
      words,
      allowsTypos: scope.allowsTypos,
      filter: scope.filter,
      isInCapitals: scope.isInCapitals,
      regionLookup,
      cityLookup,
      search,
      quality,
      wordByWord,
      wholeNameScore: Number.NEGATIVE_INFINITY,
      regionStagesFoundNothing: false,
      exactRegionInterpretations: [],
      toRetryWithTypos: [],
    };
    runStages('withoutTypos', state);
    const { total, isExact: isTotalExact } = search.countMatches(); // matches of later phases do not count
    // only matches without typos may fill more of `top` than PAGE_CANDIDATES
    candidates.top.lowerCapacity(PAGE_CANDIDATES);
    const reserved = work.reserve(words.length > 1 ? WORD_BY_WORD_SHARE : 0);
    runStages('withTypos', state);
    work.release(reserved);
    const ranWordByWord = runStages('wordByWord', state);
    const guaranteed = candidates.finish();
    const { interpretations, stages } = search;
    const wordByWordInterpretation = ranWordByWord ? interpretations.length - 1 : -1; // it ran last
    return { interpretations, stages, guaranteed, total, isTotalExact, wordByWordInterpretation };
  }

  /** The last search must have found the place word by word. */
  wordFits(place: number, words: readonly Word[]): WordFit[] {
    return this.wordByWord.wordFits(place, words);
  }
}

/** Returns whether any stage of the phase ran. */
function runStages(phase: Phase, state: SearchState): boolean {
  let hasRun = false;
  for (const stage of STAGES_BY_PHASE[phase]) {
    if ((stage.correctsTypos && !state.allowsTypos) || !stage.when(state)) continue;
    state.search.currentStage = stage.name;
    stage.run(state);
    hasRun = true;
  }
  return hasRun;
}
