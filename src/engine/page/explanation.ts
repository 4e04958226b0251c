/** Why a hit stands where it stands: the parts its score was added up from, and the part that put it before the next. */
import type { Index } from '../../index-file/layout.ts';
import { POSTING } from '../../index-file/posting.ts';
import type { Ranking } from '../engine.ts';
import { penaltyParts } from '../rank/scores.ts';
import type { TopHits } from '../rank/top-hits.ts';
import { MATCH } from '../trie/match-ranges.ts';
import type { WordPositions } from './highlight.ts';

export interface Standing {
  readonly score: number;
  /** Points by criterion, in the order they are told; they add up to the score. */
  readonly criteria: Readonly<Record<string, number>>;
}

/** The score of candidate `slot` taken apart. */
export function standingOf(
  index: Index,
  top: TopHits,
  slot: number,
  { nearness, typed, otherName }: { nearness: number; typed: number; otherName: number },
): Standing {
  const place = top.place[slot]!;
  const flags = top.flags[slot]!;
  const importance = index.placeImportance[place]! / 0xffff;
  const lacking = penaltyParts(top.match[slot]!, top.typos[slot]!, { flags, typed });
  const score = top.score[slot]!;
  const name = lacking.name + ((flags & POSTING.qualityMask) === 0 ? 0 : otherName);
  const matched = importance - lacking.typo - lacking.exact - lacking.position - name + nearness;
  const criteria = {
    words: score - matched,
    typo: -lacking.typo,
    exact: -lacking.exact,
    position: -lacking.position,
    name: -name,
    geo: nearness,
    importance,
  };
  return { score, criteria: rounded({ score, ...criteria }) };
}

/** Of a place shown without words: its importance and how near it is. */
export function browsedStanding(index: Index, place: number, nearness: number): Standing {
  const importance = index.placeImportance[place]! / 0xffff;
  const score = importance + nearness;
  return { score, criteria: rounded({ score, geo: nearness, importance }) };
}

export function browsedRanking(
  standing: Standing,
  next: Standing | undefined,
  facts: { readonly filters: number; readonly geoDistanceMeters: number },
): Ranking {
  return {
    typos: 0,
    firstMatchedWord: 0,
    proximityDistance: 0,
    userScore: Math.round((standing.criteria.importance ?? 0) * 10_000),
    exactWords: 0,
    words: 0,
    ...facts,
    geoPrecision: 1,
    criteria: standing.criteria,
    ...(next === undefined ? {} : { decidedBy: decidedBy(standing, next) }),
  };
}

/** The criterion in which `hit` is most ahead of `next`; they are equal in all when only their ids differ. */
export function decidedBy(hit: Pick<Standing, 'criteria'>, next: Pick<Standing, 'criteria'>): string {
  let most = 0;
  let name = 'id';
  for (const [criterion, points] of Object.entries(hit.criteria)) {
    if (criterion === 'score') continue;
    const ahead = points - (next.criteria[criterion] ?? 0);
    if (ahead > most) {
      most = ahead;
      name = criterion;
    }
  }
  return name;
}

export interface RankingFacts {
  readonly top: TopHits;
  readonly slot: number;
  readonly standing: Standing;
  readonly next: Standing | undefined;
  readonly words: number;
  readonly filters: number;
  /** Where the words typed for the name stand in the name that matched. */
  readonly wordPositions: WordPositions;
  /** Whether the match is a run of words of the name; false if each word was looked for by itself. */
  readonly isContiguous: boolean;
  /** Words of the query that are the whole name of a region. */
  readonly exactRegionWords: number;
  readonly geoDistanceMeters: number;
}

export function rankingOf(facts: RankingFacts): Ranking {
  const { top, slot, standing, next, wordPositions } = facts;
  const isExact = facts.isContiguous && top.match[slot] === MATCH.exact && top.typos[slot] === 0;
  const exactNameWords = isExact ? wordPositions.positions.length : wordPositions.exact;
  return {
    typos: top.typos[slot]!,
    firstMatchedWord: firstMatchedWord(facts),
    proximityDistance: wordsBetween(wordPositions.positions),
    userScore: Math.round(standing.criteria.importance! * 10_000),
    exactWords: exactNameWords + facts.exactRegionWords,
    words: facts.words,
    filters: facts.filters,
    geoDistanceMeters: facts.geoDistanceMeters,
    geoPrecision: 1,
    criteria: standing.criteria,
    ...(next === undefined ? {} : { decidedBy: decidedBy(standing, next) }),
  };
}

/** Index of the first word of the matched name that the match covers. */
function firstMatchedWord({ top, slot, wordPositions, isContiguous }: RankingFacts): number {
  if ((top.flags[slot]! & POSTING.isLaterWord) === 0) return 0;
  const { positions } = wordPositions;
  const matched = positions.filter((position) => position !== -1);
  if (matched.length === 0) return 1;
  const first = Math.min(...matched);
  // "st" of "st michel" is a word of Mont Saint Michel too, in another spelling
  return isContiguous ? Math.max(1, first - positions.indexOf(first)) : first;
}

/** How many words of the name stand between matched words, from each typed word to the next. */
function wordsBetween(positions: readonly number[]): number {
  const matched = positions.filter((position) => position !== -1);
  let between = 0;
  for (let i = 1; i < matched.length; i++) between += Math.max(0, Math.abs(matched[i]! - matched[i - 1]!) - 1);
  return between;
}

function rounded(points: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(points).map(([name, value]) => [name, Math.round(value * 10_000) / 10_000 || 0]),
  );
}
