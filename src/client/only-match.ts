/** The rule by which a typeahead answers longer text without a call (docs/client.md). */
import type { Hits, QueryOptions } from './api-types.ts';

/**
 * Whether the result of a shorter text also answers this one: it had a single match, and the text is
 * still the beginning of the name that matched.
 */
export function isOnlyMatch(result: Hits, text: string, { minConfidence }: QueryOptions): boolean {
  const [hit] = result.hits;
  const isComplete = result.exhaustiveNbHits !== false && result.exhaustive !== false && !minConfidence;
  if (!hit || result.nbHits !== 1 || !isComplete || result.degradedQuery || result.matchedRegion) return false;
  return plain(hit.matchedName?.value ?? hit.name).startsWith(plain(text));
}

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
