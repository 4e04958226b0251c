/** Explains a hit's rank: the parts of its score, and the part that puts it before the next hit. */

import type { Ranking } from '../engine.ts';
import { type Index, MAX_IMPORTANCE } from '../index-file/layout.ts';
import { POSTING } from '../index-file/posting.ts';
import type { Interpretation } from '../query/interpretations.ts';
import { isUncommonAlias } from '../rank/candidates.ts';
import { MAX_SCORED_TYPOS, namesakePenalty, penaltyParts } from '../rank/scores.ts';
import type { TopCandidates } from '../rank/top-candidates.ts';
import { BROWSE } from '../search/readings.ts';
import { MATCH } from '../trie/match-ranges.ts';
import type { WordPositions } from './highlight.ts';

/** The score, then the points of each criterion, which add up to the score. */
type Criteria = Ranking['criteria'];

export function searchCriteria(
  index: Index,
  top: TopCandidates,
  slot: number,
  { nearness, queryFlags, interpretation }: { nearness: number; queryFlags: number; interpretation: Interpretation },
): Criteria {
  const place = top.place[slot]!;
  const flags = top.flags[slot]!;
  const importance = index.placeImportance[place]! / MAX_IMPORTANCE;
  const penalties = penaltyParts(top.match[slot]!, Math.min(top.typos[slot]!, MAX_SCORED_TYPOS), { flags, queryFlags });
  const score = top.score[slot]!;
  const { text, penalty, namesakeImportance, aliasCeiling } = interpretation;
  const withoutName = importance - penalties.typo - penalties.incomplete - penalties.position;
  const baseScore = withoutName - penalties.name - penalty;
  const behindNamesake = namesakePenalty(baseScore, flags, { namesakeImportance, queryFlags });
  const isUncommon =
    text !== '' && top.match[slot] === MATCH.whole && isUncommonAlias(index, place, top.position[slot]!, text);
  const behindCity = isUncommon ? Math.max(0, baseScore - behindNamesake - aliasCeiling) : 0;
  const namePenalty = penalties.name + behindNamesake + behindCity;
  const scoreWithoutWords = withoutName - namePenalty + nearness;
  return rounded({
    score,
    words: score - scoreWithoutWords, // minus all other penalties, such as that of the interpretation
    typo: -penalties.typo,
    exact: -penalties.incomplete,
    position: -penalties.position,
    name: -namePenalty,
    geo: nearness,
    importance,
  });
}

export function browseCriteria(importance: number, nearness: number): Criteria {
  return rounded({ score: importance + nearness, geo: nearness, importance });
}

export function browseRanking(
  criteria: Criteria,
  next: Criteria | undefined,
  inputs: Pick<Ranking, 'filters' | 'geoDistanceMeters'>,
): Ranking {
  return {
    stage: BROWSE.name,
    typos: 0,
    firstMatchedWord: 0,
    proximityDistance: 0,
    exactWords: 0,
    words: 0,
    ...inputs,
    ...scoreFields(criteria, next),
  };
}

function scoreFields(criteria: Criteria, next: Criteria | undefined) {
  return {
    userScore: Math.round(criteria.importance! * 10_000),
    geoPrecision: 1,
    criteria,
    ...(next === undefined ? {} : { decidedBy: decidedBy(criteria, next) }),
  };
}

/** The criterion with the largest lead over the next hit, or `id` if none leads. */
export function decidedBy(criteria: Criteria, next: Criteria): string {
  let maxAhead = 0;
  let decisive = 'id';
  for (const [criterion, points] of Object.entries(criteria)) {
    if (criterion === 'score') continue;
    const ahead = points - (next[criterion] ?? 0);
    if (ahead > maxAhead) {
      maxAhead = ahead;
      decisive = criterion;
    }
  }
  return decisive;
}

interface RankingInputs extends Pick<Ranking, 'stage' | 'words' | 'filters' | 'geoDistanceMeters'> {
  readonly top: TopCandidates;
  readonly slot: number;
  readonly criteria: Criteria;
  readonly next: Criteria | undefined;
  readonly wordPositions: WordPositions;
  /** Whether consecutive words of the name matched, not words one by one. */
  readonly isContiguous: boolean;
  readonly exactRegionWords: number;
}

export function createRanking(inputs: RankingInputs): Ranking {
  const { top, slot, wordPositions } = inputs;
  const isWholeKey = inputs.isContiguous && top.match[slot] === MATCH.whole && top.typos[slot] === 0;
  // a whole spelling was typed, so all words are exact, even "st" for Saint without a position
  const exactNameWords = isWholeKey ? wordPositions.positions.length : wordPositions.exactCount;
  return {
    stage: inputs.stage,
    typos: top.typos[slot]!,
    firstMatchedWord: firstMatchedWord(inputs),
    proximityDistance: wordsBetween(wordPositions.positions),
    exactWords: exactNameWords + inputs.exactRegionWords,
    words: inputs.words,
    filters: inputs.filters,
    geoDistanceMeters: inputs.geoDistanceMeters,
    ...scoreFields(inputs.criteria, inputs.next),
  };
}

function firstMatchedWord({ top, slot, wordPositions: { positions }, isContiguous }: RankingInputs): number {
  if ((top.flags[slot]! & POSTING.isLaterWord) === 0) return 0;
  const matched = positions.filter((position) => position !== -1);
  if (matched.length === 0) return 1; // a later word, but unknown which
  const first = Math.min(...matched);
  if (!isContiguous) return first;
  // "st michel" for Mont Saint Michel: typed word 1 is at 2 in the name, so typed word 0 is at 1
  return Math.max(1, first - positions.indexOf(first));
}

function wordsBetween(positions: readonly number[]): number {
  const matched = positions.filter((position) => position !== -1);
  let count = 0;
  for (let i = 1; i < matched.length; i++) count += Math.max(0, Math.abs(matched[i]! - matched[i - 1]!) - 1);
  return count;
}

/** Rounds to four decimals. `|| 0` turns -0 into 0. */
function rounded(points: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(points).map(([name, value]) => [name, Math.round(value * 10_000) / 10_000 || 0]),
  );
}
