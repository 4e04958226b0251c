/** Why a hit stands where it stands: the parts its score was added up from, and the part that put it before the next. */
import type { Index } from '../index-file/layout.ts';
import { POSTING } from '../index-file/posting.ts';
import type { Ranking } from './engine.ts';
import { MATCH } from './match-ranges.ts';
import { penaltyParts } from './rank.ts';
import type { TopHits } from './top-hits.ts';

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
  readonly firstMatchedWord: number;
  readonly geoDistanceMeters: number;
}

export function rankingOf({ top, slot, standing, next, ...facts }: RankingFacts): Ranking {
  const isExact = top.match[slot] === MATCH.exact && top.typos[slot] === 0;
  return {
    typos: top.typos[slot]!,
    firstMatchedWord: facts.firstMatchedWord,
    proximityDistance: 0,
    userScore: Math.round(standing.criteria.importance! * 10_000),
    exactWords: isExact ? facts.words : Math.max(0, facts.words - 1 - top.typos[slot]!),
    words: facts.words,
    filters: facts.filters,
    geoDistanceMeters: facts.geoDistanceMeters,
    geoPrecision: 1,
    criteria: standing.criteria,
    ...(next === undefined ? {} : { decidedBy: decidedBy(standing, next) }),
  };
}

function rounded(points: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(points).map(([name, value]) => [name, Math.round(value * 10_000) / 10_000 || 0]),
  );
}
