/** Says what a response tells about how its query was understood. */
import type { Hits } from './api-types.ts';

type Understood = Pick<Hits, 'hits' | 'message' | 'matchedRegion' | 'degradedQuery'>;

/** What the service did other than search for the text as typed; empty if nothing. */
export function noteOf({ hits, message, matchedRegion, degradedQuery }: Understood): string {
  const advice = hits.length === 0 && 'Check the spelling, type less, or remove a filter.';
  const region = matchedRegion && `Main places of ${matchedRegion.name}.`;
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
