/** Judges the matches so far. Scores are without the nearness bonus. */
import { isMainFromStart, POSTING } from '../index-file/posting.ts';
import { type Interpretation, isRegionAlone } from '../query/interpretations.ts';
import type { TopCandidates } from '../rank/top-candidates.ts';
import { MATCH } from '../trie/match-ranges.ts';

/** Score of the best match that is a whole name without typos; -Infinity if there is none. */
export function wholeNameScore(
  { count, typos, match, flags, score, interpretation }: TopCandidates,
  interpretations: readonly Interpretation[],
): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let slot = 0; slot < count; slot++) {
    const isWhole = match[slot] === MATCH.whole && (flags[slot]! & POSTING.isLaterWord) === 0;
    if (!isWhole || typos[slot] !== 0 || isRegionAlone(interpretations[interpretation[slot]!]!)) continue;
    best = Math.max(best, score[slot]!);
  }
  return best;
}

/** Score of the candidate at this rank, from 0; -Infinity if there is none. */
export function scoreAt(rank: number, { count, order, score }: TopCandidates): number {
  return rank < count ? score[order[rank]!]! : Number.NEGATIVE_INFINITY;
}

/** Whether the text is the unfinished main name of a match without typos. */
export function isUnfinishedName(
  text: string,
  { count, match, flags, typos, interpretation }: TopCandidates,
  interpretations: readonly Interpretation[],
): boolean {
  for (let slot = 0; slot < count; slot++) {
    const isUnfinishedMain = match[slot] === MATCH.unfinished && isMainFromStart(flags[slot]!);
    if (isUnfinishedMain && typos[slot] === 0 && interpretations[interpretation[slot]!]!.text === text) return true;
  }
  return false;
}
