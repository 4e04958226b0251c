/**
 * A text search from words to ranked candidates, in stages that each begin only where those before were not enough:
 * as typed; words turned round; region words unfinished; one typing error, two; misspelt regions; each word by itself.
 */
import type { Index } from '../../index-file/layout.ts';
import { isMainName, POSTING } from '../../index-file/posting.ts';
import type { Word } from '../../text/fold.ts';
import { SPARED_CANDIDATES } from '../page/page-slots.ts';
import { plainReading, type Reading, regionReadings, turnedReadings } from '../query/interpretations.ts';
import { Regions } from '../query/regions.ts';
import type { Candidates } from '../rank/candidates.ts';
import { PENALTIES } from '../rank/scores.ts';
import { MATCH } from '../trie/match-ranges.ts';
import type { WorkBudget } from '../work-budget.ts';
import { ReadingSearch, type SearchScope, type TypoReach } from './interpretation-search.ts';
import { ScatteredScan } from './scattered-scan.ts';
import type { SearchParts } from './search-parts.ts';

export interface Searched {
  readonly readings: readonly Reading[];
  /** With a point to prefer: the slots of the best match far away and the best nearby. */
  readonly kept: readonly number[];
  /** Places that match the words as typed. */
  readonly total: number;
  readonly isTotalExact: boolean;
  /** Number of the reading in which each word was looked for by itself; -1 if that was not needed. */
  readonly scatteredReading: number;
  /** Words of the query that the best place found lacks. */
  readonly missingWords: readonly Word[];
}

/** Letters from which one typing error is forgiven, and from which two. */
const ONE_TYPO_LETTERS = 4;
const TWO_TYPO_LETTERS = 8;
/** Where nothing else was found, two are forgiven from here on. */
const LAST_RESORT_LETTERS = 6;
/** Two errors where they are most likely, then elsewhere: each of these walks costs more than all that goes before. */
const TWO_TYPOS = { maxTypos: 2, first: 'right', isMainOnly: true } satisfies TypoReach;
const TWO_TYPOS_WRONG_START = { maxTypos: 2, first: 'wrong', isMainOnly: true } satisfies TypoReach;
const TWO_TYPOS_ANY_NAME = [
  { maxTypos: 2, first: 'right' },
  { maxTypos: 2, first: 'wrong' },
] satisfies TypoReach[];
const LAST_RESORT = [{ maxTypos: 2, isMainOnly: true }, { maxTypos: 2 }] satisfies TypoReach[];
/**
 * With this many matches as typed, typing errors are looked for only if the last of them is weak. The same for pages of
 * any size, so that a smaller page is the beginning of a larger one.
 */
const ENOUGH_HITS = 10;
/** Below this the best match found is no better than one that leaves out a word of a well-known name. */
const POOR_SCORE = 0.2;
/** Where the last of those is below this, a town whose name is misspelt comes before it. */
const WEAK_SCORE = 0;
/** A match as typed as good as this tells that the first letter is right: a town's name, a city's beginning, one nearby. */
const GOOD_SCORE = 0.4;
/** Share of the work set aside for looking for each word by itself, in case typing errors use up all the rest. */
const SCATTERED_SHARE = 0.2;
/** A name this long is what was meant if it is right, or right but for one error, or, a main name, for two. */
const TELLING_LETTERS = [7, 7, 10];

export class TextSearch {
  private readonly candidates: Candidates;
  private readonly work: WorkBudget;
  private readonly regions: Regions;
  private readonly search: ReadingSearch;
  private readonly scattered: ScatteredScan;

  constructor(index: Index, parts: SearchParts) {
    const { filter, candidates, work } = parts;
    this.candidates = candidates;
    this.work = work;
    this.regions = new Regions(index, work);
    this.search = new ReadingSearch(index, parts);
    const { keys, walk } = this.search;
    this.scattered = new ScatteredScan({ index, keys, walk, regions: this.regions, filter, candidates, work });
  }

  /** Fills the candidates, which must have been begun, as must the filter. */
  run(words: readonly Word[], scope: SearchScope): Searched {
    const { search } = this;
    search.begin(scope);
    this.tryAsTyped(words);
    const { total, isTotalExact } = search;
    this.candidates.top.narrow(SPARED_CANDIDATES);
    const reserved = this.work.reserve(words.length > 1 ? SCATTERED_SHARE : 0);
    this.tryMisspelt(words);
    this.work.release(reserved);
    const isScattered = words.length > 1 && this.isPoor(words);
    if (isScattered) {
      search.enter(plainReading(words));
      this.scattered.scan(words);
    }
    const kept = this.candidates.finish();
    return {
      readings: search.readings,
      kept,
      total,
      isTotalExact,
      scatteredReading: isScattered ? search.readings.length - 1 : -1,
      missingWords: isScattered ? this.missingWords(words) : [],
    };
  }

  /** Whether what was found may be worse than what a search word by word finds. */
  private isPoor(words: readonly Word[]): boolean {
    const { found } = this.candidates;
    if (found.bestScore >= POOR_SCORE) return false;
    if (found.count === 0) return true;
    const best = found.order[0]!;
    const { text, regions, penalty } = this.search.readings[found.reading[best]!]!;
    if (penalty !== 0) return true;
    const typos = found.typos[best]!;
    if (typos === 0) return !this.isWholeName(best);
    if (regions.length > 0) return typos > 1;
    const isTelling = text.length >= TELLING_LETTERS[typos]! && !words.some(({ isAfterComma }) => isAfterComma);
    return !(isTelling && this.isWholeName(best) && (typos === 1 || isMainName(found.flags[best]!)));
  }

  /** Whether what was typed for the name is, errors aside, the whole of one. */
  private isWholeName(slot: number): boolean {
    const { found } = this.candidates;
    return found.match[slot] === MATCH.exact && (found.flags[slot]! & POSTING.isLaterWord) === 0;
  }

  /** Whether the main name of the best place found is what was typed, and that is long enough not to be so by chance. */
  private isNamed(): boolean {
    const { found } = this.candidates;
    if (found.count === 0) return false;
    const best = found.order[0]!;
    const { text } = this.search.readings[found.reading[best]!]!;
    return text.length >= TELLING_LETTERS[0]! && this.isWholeName(best) && isMainName(found.flags[best]!);
  }

  /** Whether too little was found, or places that a town, misspelt, comes before. */
  private isWeak(): boolean {
    const { found } = this.candidates;
    return found.count < ENOUGH_HITS || found.score[found.order[ENOUGH_HITS - 1]!]! < WEAK_SCORE;
  }

  /** Whether what was found is misspelt and not the whole of a main name: it may be like what was typed by chance. */
  private isDoubtful(): boolean {
    const { found } = this.candidates;
    if (found.count === 0 || found.count >= ENOUGH_HITS) return false;
    const best = found.order[0]!;
    return found.typos[best]! > 0 && !(this.isWholeName(best) && isMainName(found.flags[best]!));
  }

  private get isNothingFound(): boolean {
    return this.candidates.found.count === 0;
  }

  private tryAsTyped(words: readonly Word[]): void {
    const { search } = this;
    search.tryExact(plainReading(words));
    if (words.length === 1) return;
    if (this.isNothingFound) for (const reading of turnedReadings(words)) search.tryExact(reading);
    const readings = regionReadings(words, this.regions, 'exact');
    for (const reading of readings) search.tryExact(reading);
    if (this.isNothingFound) {
      for (const reading of regionReadings(words, this.regions, 'prefix')) search.tryExact(reading);
    }
    if (!this.isNothingFound) return;
    if (words.some(({ isAfterComma }) => isAfterComma)) {
      // "Haag (Rheintal), Saint Gallen": the comma is within the name
      for (const reading of regionReadings(words, this.regions, 'exact', { isCutAtCommas: false }))
        search.tryExact(reading);
    }
    for (const reading of readings) {
      // "winds, ct": the name broken off, the region added
      if (!reading.isPrefix) search.tryExact({ ...reading, isPrefix: true, penalty: PENALTIES.brokenOff });
    }
  }

  private tryMisspelt(words: readonly Word[]): void {
    if (!this.isWeak()) return;
    const { search } = this;
    const { top } = this.candidates;
    const typed = search.readings.filter(({ penalty }) => penalty === 0 || penalty === PENALTIES.inexactRegion);
    if (!this.isNamed())
      this.tryTypos(typed, ONE_TYPO_LETTERS, {
        maxTypos: 1,
        first: top.bestScore < GOOD_SCORE ? 'any' : 'right',
        isMainOnly: !this.isNothingFound,
      });
    if (this.isDoubtful()) this.tryTypos(typed, LAST_RESORT_LETTERS, TWO_TYPOS);
    const misspelt = this.isNothingFound ? regionReadings(words, this.regions, 'misspelt') : [];
    for (const reading of misspelt) search.tryExact(reading);
    if (this.isNothingFound) this.tryTypos(typed, TWO_TYPO_LETTERS, TWO_TYPOS);
    if (this.isNothingFound || this.isDoubtful()) {
      this.tryTypos(typed, TWO_TYPO_LETTERS, TWO_TYPOS_WRONG_START);
    }
    for (const reach of TWO_TYPOS_ANY_NAME) if (this.isNothingFound) this.tryTypos(typed, TWO_TYPO_LETTERS, reach);
    if (this.isNothingFound) this.tryTypos(misspelt, ONE_TYPO_LETTERS, { maxTypos: 1 });
    if (!this.isNothingFound) return;
    const short = typed.filter(({ text }) => text.length < TWO_TYPO_LETTERS); // the others have been tried
    for (const reach of LAST_RESORT) if (this.isNothingFound) this.tryTypos(short, LAST_RESORT_LETTERS, reach);
  }

  private tryTypos(readings: readonly Reading[], minLetters: number, reach: TypoReach): void {
    for (const reading of readings) if (reading.text.length >= minLetters) this.search.tryTypos(reading, reach);
  }

  /** If the best hit comes from words taken one by one: those it has nothing of. */
  private missingWords(words: readonly Word[]): Word[] {
    const { top } = this.candidates;
    const best = top.order[0]!;
    if (top.count === 0 || top.reading[best] !== this.search.readings.length - 1) return [];
    const has = this.scattered.wordsOf(top.place[best]!);
    return words.filter((_, i) => !has[i]);
  }
}
