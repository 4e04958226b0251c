/** Decides whether a result passes a case. */

import type { SearchQuery, SearchResult } from '../../src/engine/engine.ts';
import { MAX_HITS } from '../../src/engine/work-budget.ts';
import type { RelevanceCase } from './relevance-case.ts';

export interface Score {
  readonly passed: boolean;
  /** Rank of the first acceptable place, from 1; absent if none is on the page. */
  readonly rank?: number;
  /** Reason of a failure. */
  readonly reason?: string;
}

export function queryOf(item: RelevanceCase): SearchQuery {
  const { query, intent, expect, within, label, duplicates, ...options } = item;
  return { ...options, text: query, limit: MAX_HITS };
}

export function scoreCase({ expect, within, label, duplicates = [] }: RelevanceCase, { hits }: SearchResult): Score {
  const shown = hits.map(({ record }) => record.objectID);
  const acceptable = typeof expect === 'string' ? [expect] : expect;
  const position = shown.findIndex((id) => acceptable.includes(id));
  if (position < 0) return { passed: false, reason: 'not on the page' };
  const rank = position + 1;
  if (rank > within) return { passed: false, rank, reason: `at rank ${rank}, expected within ${within}` };
  const shownLabel = hits[position]?.label;
  if (label !== undefined && shownLabel !== label) return { passed: false, rank, reason: `labelled "${shownLabel}"` };
  const duplicatesShown = duplicates.filter((id) => shown.includes(id));
  if (duplicatesShown.length > 1)
    return { passed: false, rank, reason: `shown twice, as ${duplicatesShown.join(' and ')}` };
  return { passed: true, rank };
}
