/**
 * From the candidates to those that the page shows: the best, but for twins. While a name is being typed, a page is to hold
 * what may be meant, not one name over and over.
 */
import type { Index } from '../index-file/layout.ts';
import { mainNameOf } from '../index-file/place-card.ts';
import type { SearchQuery } from './engine.ts';
import { MATCH } from './match-ranges.ts';
import type { PlaceRecords } from './place-records.ts';
import type { TopHits } from './top-hits.ts';
import { isTwin } from './twins.ts';

/** Up to so many letters, people are still typing: a name is shown once. */
const SOME_LETTERS = 6;
/** From this importance (0..0xffff) on, places are no mere namesakes: Valencia in Spain, and in Venezuela. */
const CITY = 0.6 * 0xffff;
/** Postings of one name stand together, in order of importance: those farther apart are not compared. */
const SAME_NAME = 16;

interface PageParts {
  readonly top: TopHits;
  readonly index: Index;
  readonly records: PlaceRecords;
}

/** The slots of the best candidates but twins, and of those that must be shown, in the place of the last if need be. */
export function pageSlots(query: SearchQuery, kept: readonly number[], parts: PageParts): number[] {
  const { limit } = query;
  const slots = bestSlots(query, parts);
  if (query.radiusMeters !== undefined || kept.length === 0) return slots;
  const missing = kept.filter((slot) => !slots.includes(slot)).slice(0, limit);
  if (missing.length === 0) return slots;
  const shown = slots.filter((slot) => kept.includes(slot));
  const others = slots.filter((slot) => !kept.includes(slot));
  const room = limit - shown.length - missing.length;
  return sortByScore([...others.slice(0, Math.max(0, room)), ...shown, ...missing].slice(0, limit), parts.top);
}

function bestSlots({ text, limit, around }: SearchQuery, parts: PageParts): number[] {
  const { top, index, records } = parts;
  const isTyping = around === undefined && text.trim().length <= SOME_LETTERS;
  const slots: number[] = [];
  const repeated: number[] = [];
  const places: number[] = [];
  for (let rank = 0; rank < top.count && slots.length < limit; rank++) {
    const slot = top.order[rank]!;
    const place = top.place[slot]!;
    if (isTwin(index, records, place, places)) continue;
    places.push(place);
    const isRepeated = isTyping && top.match[slot] === MATCH.prefix && repeatsName(slot, slots, parts);
    (isRepeated ? repeated : slots).push(slot);
  }
  if (slots.length === limit || repeated.length === 0) return slots;
  return sortByScore([...slots, ...repeated.slice(0, limit - slots.length)], top);
}

/** Whether a candidate, other than a city, has the main name of one before it. */
function repeatsName(slot: number, before: readonly number[], { top, index }: PageParts): boolean {
  const { posting, place } = top;
  for (let i = 0; i < before.length; i++) {
    const other = before[i]!;
    if (Math.abs(posting[other]! - posting[slot]!) > SAME_NAME) continue;
    if (index.placeImportance[place[slot]!]! >= CITY) return false;
    // equal texts are stored once
    if (mainNameOf(index, place[slot]!) === mainNameOf(index, place[other]!)) return true;
  }
  return false;
}

function sortByScore(slots: readonly number[], { score, place }: TopHits): number[] {
  return slots.toSorted((a, b) => score[b]! - score[a]! || place[a]! - place[b]!);
}
