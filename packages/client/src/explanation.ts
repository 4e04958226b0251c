/**
 * Explains a response: how its query was understood, the parts that add up to the score of a hit, and
 * why the hit is above the next one. The page and the command `explain` use the same words.
 */
import type { Hit, Hits, RankingInfo } from './api-types.ts';

export interface ScorePart {
  readonly criterion: string;
  /** Negative: what the hit loses. */
  readonly points: number;
}

export interface Receipt {
  readonly score: number;
  /** Gains first, then losses, without parts of 0. */
  readonly parts: readonly ScorePart[];
  /** Why the hit is above the next one; undefined for the last hit. */
  readonly reason: string | undefined;
}

/** The parts of a score, in order. `reason`: why a hit is above the next, if this part decides. */
export const CRITERIA: Readonly<Record<string, { readonly name: string; readonly reason: string }>> = {
  importance: { name: 'importance', reason: 'More important than the next one' },
  geo: { name: 'nearness', reason: 'Nearer than the next one' },
  words: { name: 'other words', reason: 'Matches the words better than the next one' },
  typo: { name: 'typos', reason: 'Fewer typos than the next one' },
  exact: { name: 'incomplete name', reason: 'The text is more of its name than of the next one’s' },
  position: { name: 'later word', reason: 'The text starts its name, but not the next one’s' },
  name: { name: 'alternate name', reason: 'The text is a better-known name than the next one’s' },
};

/** What the colours or characters of a score's bar mean. */
export const SCORE_KEYS = {
  importance: 'importance of the place',
  geo: 'nearness to the point',
  loss: 'lost by the match',
} as const;

/** Undefined if the hit has no ranking information. */
export function receiptOf(hit: Hit, next: Hit | undefined): Receipt | undefined {
  const info = hit._rankingInfo;
  if (info === undefined) return undefined;
  const { score = 0, ...criteria } = info.criteria;
  const parts = Object.keys(CRITERIA).map((criterion) => ({ criterion, points: criteria[criterion] ?? 0 }));
  const gains = parts.filter(({ points }) => points > 0);
  const losses = parts.filter(({ points }) => points < 0);
  return { score, parts: [...gains, ...losses], reason: reasonOf(info, next?._rankingInfo) };
}

function reasonOf({ decidedBy, criteria }: RankingInfo, next: RankingInfo | undefined): string | undefined {
  if (decidedBy === undefined || next === undefined) return undefined;
  const reason = CRITERIA[decidedBy]?.reason;
  if (reason === undefined) return 'Same score as the next one: the order of the data decides.';
  const ahead = (criteria[decidedBy] ?? 0) - (next.criteria[decidedBy] ?? 0);
  return `${reason} (+${formatPoints(ahead)}).`;
}

/** The sum of the gains, before the losses. */
export function gainOf({ parts }: Receipt): number {
  return parts.reduce((sum, { points }) => sum + Math.max(points, 0), 0);
}

/** The size of a part. Small parts have more decimals, so that they are not shown as 0. */
export function formatPoints(points: number): string {
  const size = Math.abs(points);
  return size.toFixed(size < 0.01 ? 4 : 2);
}

/** The receipt in words, for screen readers. */
export function receiptText({ score, parts }: Receipt): string {
  const terms = parts.map(({ criterion, points }) => `${CRITERIA[criterion]?.name} ${points.toFixed(2)}`);
  return `Score ${score.toFixed(2)}: ${terms.join(', ')}.`;
}

type Understood = Pick<Hits, 'hits' | 'message' | 'matchedRegion' | 'degradedQuery'>;

/** What the service did other than search for the text as typed; empty if nothing. */
export function noteOf({ hits, message, matchedRegion, degradedQuery }: Understood): string {
  const advice = hits.length === 0 && 'Check the spelling, type less, or remove a filter.';
  const first = hits.findIndex(({ matchCode }) => matchCode === 'region');
  // places with the name of a region come before those in it
  const places = first === 0 ? 'Main places of' : 'Also main places of the region';
  const region = matchedRegion && first >= 0 && `${places} ${matchedRegion.name}.`;
  const instead = degradedQuery && `Searched for “${degradedQuery.query}”.`;
  return [advice, instead, region, message && `${message}.`].filter(Boolean).join(' ');
}

/** A sentence for each word that was corrected, completed or left out. */
export function wordNotesOf({ degradedQuery }: Pick<Hits, 'degradedQuery'>): string[] {
  if (degradedQuery === undefined) return [];
  const { dropped, corrected, expanded } = degradedQuery;
  return [
    ...corrected.map(({ from, to }) => `Corrected “${from}” to “${to}”.`),
    ...expanded.map(({ from, to }) => `Completed “${from}” to “${to}”.`),
    ...dropped.map((word) => `Left out “${word}”.`),
  ];
}
