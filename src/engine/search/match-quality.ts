/** The quality of the matches found so far, which decides the later stages of a search. */
import { isMainName, POSTING } from '../../index-file/posting.ts';
import type { Word } from '../../text/fold.ts';
import type { Interpretation } from '../query/interpretations.ts';
import type { Candidates } from '../rank/candidates.ts';
import { MATCH } from '../trie/match-ranges.ts';
import type { InterpretationSearch } from './interpretation-search.ts';

/**
 * With this many exact matches, typos are searched for only if the last of them is weak. The number
 * does not depend on the page size, so that a smaller page is a prefix of a larger one.
 */
const ENOUGH_HITS = 10;
/** Below this the best match is no better than one that drops a word of a well-known name. */
const POOR_SCORE = 0.2;
/** If the tenth match is below this, a town with a misspelt name ranks above it. */
const WEAK_SCORE = 0;
/** An exact match this good, a town or a place nearby, shows that the first letter is right. */
const GOOD_SCORE = 0.4;
/** By number of typos: a match of a whole name with this many letters is the intended one. */
const MIN_DISTINCTIVE_LENGTH = [7, 7, 10];

export class MatchQuality {
  private readonly candidates: Candidates;
  private readonly search: InterpretationSearch;

  constructor(candidates: Candidates, search: InterpretationSearch) {
    this.candidates = candidates;
    this.search = search;
  }

  get hasNoMatches(): boolean {
    return this.candidates.topUnbiased.count === 0;
  }

  /** Whether there are too few matches, or a misspelt town would rank above the tenth. */
  get isWeak(): boolean {
    const { topUnbiased: top } = this.candidates;
    return top.count < ENOUGH_HITS || top.score[top.order[ENOUGH_HITS - 1]!]! < WEAK_SCORE;
  }

  /** Whether the query is the main name of the best place, and too long for a coincidence. */
  get isDistinctiveName(): boolean {
    const { topUnbiased: top } = this.candidates;
    if (top.count === 0) return false;
    const best = top.order[0]!;
    const { text } = this.interpretationOf(best);
    return text.length >= MIN_DISTINCTIVE_LENGTH[0]! && this.isWholeName(best) && isMainName(top.flags[best]!);
  }

  /** Whether there are few matches, and the best has typos and is not a whole main name. */
  get hasOnlyDoubtfulTypos(): boolean {
    const { topUnbiased: top } = this.candidates;
    if (top.count === 0 || top.count >= ENOUGH_HITS) return false;
    const best = top.order[0]!;
    return top.typos[best]! > 0 && !(this.isWholeName(best) && isMainName(top.flags[best]!));
  }

  get isFirstLetterRight(): boolean {
    return this.candidates.top.bestScore >= GOOD_SCORE;
  }

  /** Whether the word-by-word stage may find something better. */
  isPoor(words: readonly Word[]): boolean {
    const { topUnbiased: top } = this.candidates;
    if (top.bestScore >= POOR_SCORE) return false;
    if (top.count === 0) return true;
    const best = top.order[0]!;
    const { text, regions, penalty } = this.interpretationOf(best);
    if (penalty !== 0) return true;
    const typos = top.typos[best]!;
    if (typos === 0) return !this.isWholeName(best);
    if (regions.length > 0) return typos > 1;
    const isDistinctive =
      text.length >= MIN_DISTINCTIVE_LENGTH[typos]! && !words.some(({ isAfterComma }) => isAfterComma);
    return !(isDistinctive && this.isWholeName(best) && (typos === 1 || isMainName(top.flags[best]!)));
  }

  /** Whether the match is a whole name, typos aside. */
  private isWholeName(slot: number): boolean {
    const { topUnbiased: top } = this.candidates;
    return top.match[slot] === MATCH.exact && (top.flags[slot]! & POSTING.isLaterWord) === 0;
  }

  private interpretationOf(slot: number): Interpretation {
    return this.search.interpretations[this.candidates.topUnbiased.interpretation[slot]!]!;
  }
}
