/**
 * From the candidates to those that the page shows: the best, but for twins. While a name is being typed, a page is to hold
 * what may be meant, not one name over and over; and of its first few letters, besides the best, where most people live.
 */
import type { Index } from '../index-file/layout.ts';
import { mainNameOf, populationOf } from '../index-file/place-card.ts';
import { isMainName, POSTING } from '../index-file/posting.ts';
import type { SearchQuery } from './engine.ts';
import { MATCH } from './match-ranges.ts';
import type { PlaceRecords } from './place-records.ts';
import type { TopHits } from './top-hits.ts';
import { isTwin } from './twins.ts';

/** Up to so many letters, people are still typing: a name is shown once. */
const SOME_LETTERS = 6;
/** With so many letters there are more places than a page holds; with one, so many that only the best known count. */
const FEW_LETTERS = { least: 2, most: 4 };
/** From so many letters on, a text that is a whole name is taken for it. */
const NAME_LETTERS = 4;
/** Of a page for few letters, the share of the best. The others are the most populous of those next to them. */
const BEST_SHARE = 0.4;
/** For few letters: how many candidates there must be to choose from, for each one that is shown. */
export const CHOICE = 3;
/** From this importance (0..0xffff) on, places are no mere namesakes: Valencia in Spain, and in Venezuela. */
const CITY = 0.6 * 0xffff;
/** Postings of one name stand together, in order of importance: those farther apart are not compared. */
const SAME_NAME = 16;

/** Whether a query is a few letters of a name, and nothing says where to look. */
export function isFewLetters({ text, around }: SearchQuery): boolean {
  const { length } = text.trim();
  return around === undefined && length >= FEW_LETTERS.least && length <= FEW_LETTERS.most;
}

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

function bestSlots(query: SearchQuery, parts: PageParts): number[] {
  const { text, limit, around } = query;
  const { top, index, records } = parts;
  const isTyping = around === undefined && text.trim().length <= SOME_LETTERS;
  const isFew = isFewLetters(query) && !isName(text, top);
  const order = isFew ? populousNext(limit, parts) : top.order;
  const slots: number[] = [];
  const repeated: number[] = [];
  const places: number[] = [];
  for (let rank = 0; rank < top.count && slots.length < limit; rank++) {
    const slot = order[rank]!;
    const place = top.place[slot]!;
    if (isTwin(index, records, place, places)) continue;
    places.push(place);
    const isRepeated = isTyping && top.match[slot] === MATCH.prefix && repeatsName(slot, slots, parts);
    (isRepeated ? repeated : slots).push(slot);
  }
  if (slots.length < limit) slots.push(...repeated.slice(0, limit - slots.length));
  return isFew || repeated.length > 0 ? sortByScore(slots, top) : slots;
}

/** Whether what was typed is long enough to be a name, and is one of a candidate. */
function isName(text: string, top: TopHits): boolean {
  if (text.trim().length < NAME_LETTERS) return false;
  for (let slot = 0; slot < top.count; slot++) if (isWholeName(slot, top)) return true;
  return false;
}

/** All slots: the best and whole names, then those whose main name begins as was typed, by population, then the others. */
function populousNext(limit: number, { top, index }: PageParts): number[] {
  const first: number[] = [];
  const others: number[] = [];
  const people: number[] = [];
  for (let rank = 0; rank < top.count; rank++) {
    const slot = top.order[rank]!;
    if (rank < limit * BEST_SHARE || (rank < limit && isWholeName(slot, top))) {
      first.push(slot);
    } else {
      others.push(slot);
      people[slot] = isMainFromStart(slot, top) ? populationOf(index, top.place[slot]!) : -1;
    }
  }
  // sorting leaves those that are alike in the order of their scores
  return first.concat(others.sort((a, b) => people[b]! - people[a]!));
}

function isWholeName(slot: number, top: TopHits): boolean {
  return top.match[slot] === MATCH.exact && isMainFromStart(slot, top);
}

/** Whether it was found by the beginning of its main name, as typed. */
function isMainFromStart(slot: number, { flags, typos }: TopHits): boolean {
  return typos[slot] === 0 && isMainName(flags[slot]!) && (flags[slot]! & POSTING.isLaterWord) === 0;
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
