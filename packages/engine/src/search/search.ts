/** Reads a query in every way that may find a better hit than the ways before. */
import { PAGE_CANDIDATES } from '../page/page-selection.ts';
import { CityLookup } from '../query/cities.ts';
import { type Lexicon, splitHanWords } from '../query/han-words.ts';
import type { Interpretation } from '../query/interpretations.ts';
import { RegionLookup } from '../query/region-lookup.ts';
import type { Candidates } from '../rank/candidates.ts';
import { foldWords, type Word } from '../text/fold.ts';
import { InterpretationSearch, type SearchScope } from './interpretation-search.ts';
import type { MatchCount } from './match-counter.ts';
import { READINGS, type SearchState } from './readings.ts';
import type { SearchContext } from './search-context.ts';
import { WordByWordScan, type WordFit } from './word-by-word-scan.ts';

export interface SearchOutcome {
  /** All that were tried. Candidates refer to them by index. */
  readonly interpretations: readonly Interpretation[];
  /** For each interpretation, the name of its reading. */
  readonly readings: readonly string[];
  /**
   * Slots in `Candidates.top` of the best match anywhere and of the best match nearby. A search with a point
   * and no radius shows both if its limit is two or more, whatever their scores.
   */
  readonly guaranteed: readonly number[];
  /**
   * Number of places that match in the interpretations tried before the first reading that corrects
   * typos, and pass the filters.
   */
  readonly total: number;
  readonly isTotalExact: boolean;
}

export class TextSearch {
  private readonly candidates: Candidates;
  private readonly regionLookup: RegionLookup;
  private readonly cityLookup: CityLookup;
  private readonly search: InterpretationSearch;
  private readonly wordByWord: WordByWordScan;
  private readonly lexicon: Lexicon;

  constructor(context: SearchContext) {
    this.candidates = context.candidates;
    this.regionLookup = new RegionLookup(context.index, context.work);
    this.search = new InterpretationSearch(context);
    this.cityLookup = new CityLookup(context.index, this.search.keys, context.work);
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
    const { search, candidates, regionLookup, cityLookup, wordByWord } = this;
    const state: SearchState = { ...scope, words, candidates, search, regionLookup, cityLookup, wordByWord };
    search.reset(scope);
    let counted: MatchCount | undefined;
    for (const { name, price, correctsTypos = false, needsSeveralWords = false, run } of READINGS) {
      if (!search.canBeatBest(1, price)) break;
      if (correctsTypos && counted === undefined) {
        counted = search.countMatches();
        // only matches without typos may fill more of `top` than PAGE_CANDIDATES
        candidates.top.lowerCapacity(PAGE_CANDIDATES);
      }
      if ((correctsTypos && !scope.allowsTypos) || (needsSeveralWords && words.length === 1)) continue;
      search.currentReading = name;
      run(state, price);
    }
    const { total, isExact: isTotalExact } = counted ?? search.countMatches();
    const guaranteed = candidates.finish();
    const { interpretations, readings } = search;
    return { interpretations, readings, guaranteed, total, isTotalExact };
  }

  /** The last search must have found the place word by word. */
  wordFits(place: number, words: readonly Word[]): WordFit[] {
    return this.wordByWord.wordFits(place, words);
  }
}
