/**
 * Judges the matches so far, to decide which stages run. Scores are without the nearness bonus,
 * except in `isFirstLetterRight`.
 */
import { isMainFromStart, isMainName, POSTING } from '../index-file/posting.ts';
import type { Interpretation } from '../query/interpretations.ts';
import type { Candidates } from '../rank/candidates.ts';
import type { Word } from '../text/fold.ts';
import { MATCH } from '../trie/match-ranges.ts';
import type { InterpretationSearch } from './interpretation-search.ts';

/** Must not depend on the page size, so that a smaller page is a prefix of a larger one. */
const ENOUGH_MATCHES = 10;
/** A match that scores less would rank below a town with a misspelt name. */
const WEAK_SCORE = 0;
/** A match that scores less is no better than a well-known place that lacks a word of the query. */
const POOR_SCORE = 0.2;
/** An alternate name or a later word of a name that scores less may match by accident. */
const DOUBTFUL_SCORE = 0.35;
/** A match that scores this is a town or, with the nearness bonus, a place nearby. */
const TOWN_SCORE = 0.4;
const LIKELY_SCORE = 0.5;
/** By number of typos: a whole name this long does not match by chance. */
const MIN_DISTINCTIVE_LENGTH = [7, 7, 10];

export class MatchQuality {
  private readonly candidates: Candidates;
  private readonly search: InterpretationSearch;

  constructor(candidates: Candidates, search: InterpretationSearch) {
    this.candidates = candidates;
    this.search = search;
  }

  get hasMatches(): boolean {
    return this.candidates.topWithoutNearness.count > 0;
  }

  get hasLikelyMatch(): boolean {
    return this.candidates.topWithoutNearness.bestScore >= LIKELY_SCORE;
  }

  /** Score of the best match that is a whole name without typos; -Infinity if there is none. */
  get wholeNameScore(): number {
    const { count, typos, score } = this.candidates.topWithoutNearness;
    let best = Number.NEGATIVE_INFINITY;
    for (let slot = 0; slot < count; slot++) {
      if (typos[slot] === 0 && this.isWholeName(slot)) best = Math.max(best, score[slot]!);
    }
    return best;
  }

  /** Score of the candidate at this rank, from 0; -Infinity if there is none. */
  scoreAt(rank: number): number {
    const { count, order, score } = this.candidates.topWithoutNearness;
    return rank < count ? score[order[rank]!]! : Number.NEGATIVE_INFINITY;
  }

  get isBestWeak(): boolean {
    return this.candidates.topWithoutNearness.bestScore < WEAK_SCORE;
  }

  get hasFewOrWeakMatches(): boolean {
    const { count, order, score } = this.candidates.topWithoutNearness;
    return count < ENOUGH_MATCHES || score[order[ENOUGH_MATCHES - 1]!]! < WEAK_SCORE;
  }

  /** Before typos are tried: whether the best match is a main name too long to match by chance. */
  get isBestDistinctive(): boolean {
    const { topWithoutNearness } = this.candidates;
    if (topWithoutNearness.count === 0) return false;
    const best = topWithoutNearness.order[0]!;
    const { text, penalty } = this.interpretationOf(best);
    return penalty === 0 && text.length >= MIN_DISTINCTIVE_LENGTH[0]! && this.isWholeMainName(best);
  }

  /** Whether the best match is a whole alternate name of a place smaller than a town. */
  get isBestObscureAlternate(): boolean {
    const { topWithoutNearness } = this.candidates;
    if (topWithoutNearness.count === 0) return false;
    const best = topWithoutNearness.order[0]!;
    const { typos, flags, score } = topWithoutNearness;
    const isAlternate = typos[best] === 0 && this.isWholeName(best) && !isMainName(flags[best]!);
    return isAlternate && score[best]! < TOWN_SCORE;
  }

  /**
   * Whether the text is the unfinished main name of a match without typos that scores this much.
   */
  isNameStart(text: string, minScore = Number.NEGATIVE_INFINITY): boolean {
    const { count, match, flags, typos, score } = this.candidates.topWithoutNearness;
    for (let slot = 0; slot < count; slot++) {
      if (typos[slot] !== 0 || score[slot]! < minScore) continue;
      const isUnfinishedMain = match[slot] === MATCH.unfinished && isMainFromStart(flags[slot]!);
      if (isUnfinishedMain && this.interpretationOf(slot).text === text) return true;
    }
    return false;
  }

  /** Whether there are matches, but few, and the best may match by accident. */
  get hasFewDoubtfulMatches(): boolean {
    const { topWithoutNearness } = this.candidates;
    if (topWithoutNearness.count === 0 || topWithoutNearness.count >= ENOUGH_MATCHES) return false;
    const best = topWithoutNearness.order[0]!;
    const { typos, score, flags } = topWithoutNearness;
    if (typos[best]! > 0) return !this.isWholeMainName(best);
    return score[best]! < DOUBTFUL_SCORE && !isMainFromStart(flags[best]!);
  }

  /** Whether the best match is so good that the query's first letter must be right. */
  get isFirstLetterRight(): boolean {
    return this.candidates.top.bestScore >= TOWN_SCORE;
  }

  /** Whether the best match has more than one typo: "london bridge" is not Conon Bridge. */
  get hasBestTwoTypos(): boolean {
    const { count, order, typos } = this.candidates.topWithoutNearness;
    return count > 0 && typos[order[0]!]! > 1;
  }

  /** Whether the best match is so poor that stages that leave out words may find a better one. */
  isBestPoor(words: readonly Word[]): boolean {
    const { topWithoutNearness } = this.candidates;
    if (topWithoutNearness.bestScore >= POOR_SCORE) return false;
    if (topWithoutNearness.count === 0) return true;
    const best = topWithoutNearness.order[0]!;
    const { text, regionGroups, penalty } = this.interpretationOf(best);
    if (penalty > 0) return true; // for example, the words are reordered
    const typos = topWithoutNearness.typos[best]!;
    if (typos === 0) return !this.isWholeName(best);
    // the region confirms a whole name with one typo
    if (regionGroups.length > 0) return typos > 1 || !this.isWholeName(best);
    const hasComma = words.some(({ isAfterComma }) => isAfterComma); // suggests a region
    if (hasComma || text.length < MIN_DISTINCTIVE_LENGTH[typos]!) return true;
    return typos === 1 ? !this.isWholeName(best) : !this.isWholeMainName(best);
  }

  /** Whether a candidate of `topWithoutNearness` matches by a whole name, typos aside. */
  private isWholeName(slot: number): boolean {
    const { topWithoutNearness } = this.candidates;
    return (
      topWithoutNearness.match[slot] === MATCH.whole && (topWithoutNearness.flags[slot]! & POSTING.isLaterWord) === 0
    );
  }

  private isWholeMainName(slot: number): boolean {
    return this.isWholeName(slot) && isMainName(this.candidates.topWithoutNearness.flags[slot]!);
  }

  private interpretationOf(slot: number): Interpretation {
    return this.search.interpretations[this.candidates.topWithoutNearness.interpretation[slot]!]!;
  }
}
