/**
 * Whether an answer serves a case, and if not, why. Pure: the same case and result give the same
 * score.
 */
import type { SearchQuery, SearchResult } from '../../src/engine/engine.ts';
import type { RelevanceCase } from './relevance-case.ts';

export interface Score {
  readonly passed: boolean;
  /** Rank of the first acceptable place, the first is 1; absent when none is on the page. */
  readonly rank?: number;
  /** Why it failed; absent when it passed. */
  readonly reason?: string;
}

/** The most a page can hold. */
const PAGE_HITS = 20;

/** The question a case asks the engine. */
export function queryOf(asked: RelevanceCase): SearchQuery {
  const { query, intent, expect, within, twins, ...options } = asked;
  return { ...options, text: query, limit: PAGE_HITS };
}

export function scoreCase({ expect, within, twins = [] }: RelevanceCase, { hits }: SearchResult): Score {
  const shown = hits.map(({ record }) => record.objectID);
  const acceptable = typeof expect === 'string' ? [expect] : expect;
  const position = shown.findIndex((id) => acceptable.includes(id));
  if (position < 0) return { passed: false, reason: 'not on the page' };
  const rank = position + 1;
  if (rank > within) return { passed: false, rank, reason: `at rank ${rank}, wanted within ${within}` };
  const twinsShown = twins.filter((id) => shown.includes(id));
  if (twinsShown.length > 1) return { passed: false, rank, reason: `shown twice, as ${twinsShown.join(' and ')}` };
  return { passed: true, rank };
}
