/**
 * Selects the candidates that a page shows: the best, without duplicates. While a name is being
 * typed, a page shows different names rather than one name many times. For the first few letters it
 * shows the best candidates and the most populous ones.
 */
import type { Index } from '../../index-file/layout.ts';
import { readMainNameOffset, readPopulation } from '../../index-file/packed-record.ts';
import { isMainFromStart, POSTING } from '../../index-file/posting.ts';
import type { SearchQuery } from '../engine.ts';
import type { TopHits } from '../rank/top-hits.ts';
import { MATCH } from '../trie/match-ranges.ts';
import { MAX_HITS } from './cut-page.ts';
import type { Duplicates } from './duplicates.ts';

/** Up to this length people are still typing, and each unfinished name is shown once. */
const MAX_TYPING_LENGTH = 6;
/** Lengths of queries that could mean more places than fit on a page. */
const FEW_LETTERS = { min: 2, max: 4 };
/** From this length on, a text that is a whole name means that name. */
const MIN_NAME_LENGTH = 4;
/** For few letters, the best candidates' share of the page; the most populous get the rest. */
const BEST_SHARE = 0.4;
/** Places of this importance stay on the page from this query length on: "san", San Francisco. */
const WELL_KNOWN_IMPORTANCE = 0.75 * 0xffff;
const MIN_WELL_KNOWN_LENGTH = 3;
/**
 * Number of candidates for few letters. The index lists this many postings of a long range; more
 * would mean reading the whole range. For prefixes of places drawn by population, the intended
 * place is on the page in 74.1% of cases; with the best candidates alone, in 73.0%.
 */
export const MAX_CANDIDATES = POSTING.topSizes[0];
/** Extra candidates that replace duplicates. */
const SPARE_CANDIDATES = 6;
/** Number of candidates for all other queries. */
export const PAGE_CANDIDATES = MAX_HITS + SPARE_CANDIDATES;
/** From this importance on, all namesakes are shown: Valencia in Spain and the one in Venezuela. */
const CITY_IMPORTANCE = 0.6 * 0xffff;
/** From this importance on, a place of unknown population is a town. */
const TOWN_IMPORTANCE = 0.4 * 0xffff;
/** Only postings at most this far apart are compared: those of one name are adjacent. */
const MAX_NAMESAKE_GAP = 16;

/** Number of candidates that the page for a query is selected from. */
export function candidateCount(query: SearchQuery): number {
  return isFewLetters(query) ? MAX_CANDIDATES : PAGE_CANDIDATES;
}

/** Whether the query is a few letters without a point. */
function isFewLetters({ text, around }: SearchQuery): boolean {
  const { length } = text.trim();
  return around === undefined && length >= FEW_LETTERS.min && length <= FEW_LETTERS.max;
}

interface SelectionContext {
  readonly top: TopHits;
  readonly index: Index;
  readonly duplicates: Duplicates;
}

/** The slots of a page of MAX_HITS, best first. Guaranteed slots replace the last ones. */
export function selectSlots(
  query: SearchQuery,
  guaranteed: readonly number[],
  context: SelectionContext,
): readonly number[] {
  const slots = bestSlots(query, context);
  if (guaranteed.every((slot) => slots.includes(slot))) return slots;
  const others = slots.filter((slot) => !guaranteed.includes(slot)).slice(0, MAX_HITS - guaranteed.length);
  return sortByScore([...others, ...guaranteed], context.top);
}

function bestSlots(query: SearchQuery, context: SelectionContext): number[] {
  const { text, around } = query;
  const { top, duplicates } = context;
  const letters = text.trim().length;
  const isTyping = around === undefined && letters <= MAX_TYPING_LENGTH;
  const isFew = isFewLetters(query) && !(letters >= MIN_NAME_LENGTH && hasWholeName(top));
  const maxSlots = isFew ? top.count : MAX_HITS;
  const slots: number[] = [];
  const repeated: number[] = [];
  duplicates.clear();
  for (let rank = 0; rank < top.count && slots.length < maxSlots; rank++) {
    const slot = top.order[rank]!;
    if (!duplicates.add(top.place[slot]!)) continue;
    const isRepeated = isTyping && top.match[slot] === MATCH.prefix && repeatsName(slot, slots, context);
    (isRepeated ? repeated : slots).push(slot);
  }
  const shown = isFew ? selectBestAndPopulous(slots, letters, context) : slots;
  if (shown.length < MAX_HITS) shown.push(...repeated.slice(0, MAX_HITS - shown.length));
  return isFew || repeated.length > 0 ? sortByScore(shown, top) : shown;
}

/** Whether the query is the whole main name of a candidate. */
function hasWholeName(top: TopHits): boolean {
  for (let slot = 0; slot < top.count; slot++) if (isWholeName(slot, top)) return true;
  return false;
}

/** Selects the best slots, then those whose main name starts with the query, by population. */
function selectBestAndPopulous(slots: readonly number[], letters: number, { top, index }: SelectionContext): number[] {
  const minImportance = letters >= MIN_WELL_KNOWN_LENGTH ? WELL_KNOWN_IMPORTANCE : Number.POSITIVE_INFINITY;
  const shown: number[] = [];
  const others: number[] = [];
  const populations: number[] = [];
  for (let rank = 0; rank < slots.length; rank++) {
    const slot = slots[rank]!;
    const place = top.place[slot]!;
    const population = readPopulation(index, place);
    const stays =
      index.placeImportance[place]! >= (population === 0 ? TOWN_IMPORTANCE : minImportance) || isWholeName(slot, top);
    if (rank < MAX_HITS * BEST_SHARE || (rank < MAX_HITS && stays)) {
      shown.push(slot);
    } else {
      others.push(slot);
      populations[slot] = mainNameStartsWithQuery(slot, top) ? population : -1;
    }
  }
  return shown.concat(mostPopulous(others, populations, MAX_HITS - shown.length));
}

/** The `count` slots with the largest populations, largest first; ties keep their order. */
function mostPopulous(slots: readonly number[], populations: readonly number[], count: number): number[] {
  const best: number[] = [];
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]!;
    let rank = best.length;
    while (rank > 0 && populations[best[rank - 1]!]! < populations[slot]!) rank--;
    if (rank === count) continue;
    for (let last = Math.min(best.length, count - 1); last > rank; last--) best[last] = best[last - 1]!;
    best[rank] = slot;
  }
  return best;
}

function isWholeName(slot: number, top: TopHits): boolean {
  return top.match[slot] === MATCH.exact && mainNameStartsWithQuery(slot, top);
}

/** Whether the candidate's main name starts with the query, without typos. */
function mainNameStartsWithQuery(slot: number, { flags, typos }: TopHits): boolean {
  return typos[slot] === 0 && isMainFromStart(flags[slot]!);
}

/** Whether a candidate that is not a city has the same main name as one of the slots before it. */
function repeatsName(slot: number, before: readonly number[], { top, index }: SelectionContext): boolean {
  const { position, place } = top;
  const first = position[slot]! - MAX_NAMESAKE_GAP;
  const last = position[slot]! + MAX_NAMESAKE_GAP;
  for (let i = 0; i < before.length; i++) {
    const other = before[i]!;
    if (position[other]! < first || position[other]! > last) continue;
    if (index.placeImportance[place[slot]!]! >= CITY_IMPORTANCE) return false;
    // equal texts are stored once
    if (readMainNameOffset(index, place[slot]!) === readMainNameOffset(index, place[other]!)) return true;
  }
  return false;
}

function sortByScore(slots: readonly number[], { score, place }: TopHits): number[] {
  return slots.toSorted((a, b) => score[b]! - score[a]! || place[a]! - place[b]!);
}
