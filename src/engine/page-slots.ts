/** From the candidates to those that the page shows. */
import type { Index } from '../index-file/layout.ts';
import type { SearchQuery } from './engine.ts';
import type { PlaceRecords } from './place-records.ts';
import type { TopHits } from './top-hits.ts';
import { isTwin } from './twins.ts';

/** The slots of the best candidates but twins, and of those that must be shown, in the place of the last if need be. */
export function pageSlots(
  { limit, radiusMeters }: SearchQuery,
  kept: readonly number[],
  { top, index, records }: { top: TopHits; index: Index; records: PlaceRecords },
): number[] {
  const slots: number[] = [];
  const places: number[] = [];
  for (let rank = 0; rank < top.count && slots.length < limit; rank++) {
    const slot = top.order[rank]!;
    const place = top.place[slot]!;
    if (isTwin(index, records, place, places)) continue;
    slots.push(slot);
    places.push(place);
  }
  if (radiusMeters !== undefined || kept.length === 0) return slots;
  const missing = kept.filter((slot) => !slots.includes(slot)).slice(0, limit);
  if (missing.length === 0) return slots;
  const shown = slots.filter((slot) => kept.includes(slot));
  const others = slots.filter((slot) => !kept.includes(slot));
  const room = limit - shown.length - missing.length;
  return [...others.slice(0, Math.max(0, room)), ...shown, ...missing]
    .slice(0, limit)
    .sort((a, b) => top.score[b]! - top.score[a]! || top.place[a]! - top.place[b]!);
}
