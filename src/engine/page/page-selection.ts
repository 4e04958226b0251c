/**
 * Selects the candidates that a page shows: the best, without duplicates. While a name is being
 * typed, a page shows different names rather than one name many times. For the first few letters it
 * shows the best candidates and the most populous ones.
 */
import type { Index } from '../../index-file/layout.ts';
import { readMainNameOffset, readPopulation } from '../../index-file/packed-record.ts';
import { isMainFromStart, POSTING } from '../../index-file/posting.ts';
import type { SearchQuery } from '../engine.ts';
import { MAX_IMPORTANCE } from '../rank/scores.ts';
import type { TopCandidates } from '../rank/top-candidates.ts';
import { MATCH } from '../trie/match-ranges.ts';
import { MAX_HITS } from './cut-page.ts';
import type { Duplicates } from './duplicates.ts';

/** Up to this query length the user is still typing: the page prefers other names to namesakes. */
const MAX_TYPING_LENGTH = 6;
/** Range of query lengths: such queries could mean more places than fit on a page. */
const FEW_LETTERS = { min: 2, max: 4 };
/** From this length on, a query that is a whole name means that name. */
const MIN_NAME_LENGTH = 4;
/**
 * For few letters, the best candidates' share of the page; the most populous get the rest. In a
 * test with prefixes of names (random places, weighted by population) the page contained the place
 * in 74.1% of cases; with the best candidates alone, in 73.0%.
 */
const BEST_SHARE = 0.4;
/** From this importance on, a candidate stays on the page: San Francisco, for "san". */
const WELL_KNOWN_IMPORTANCE = 0.75 * MAX_IMPORTANCE;
/** Shorter queries drop even well-known candidates: too many begin with two letters. */
const MIN_WELL_KNOWN_LENGTH = 3;
/**
 * Number of candidates for few letters, the maximum for any query. For each prefix with many
 * matches, the index stores a list of the best main names. More candidates than the list has would
 * mean reading all matches.
 */
export const MAX_CANDIDATES = POSTING.topSizes[0];
/** Extra candidates that replace duplicates. */
const SPARE_CANDIDATES = 6;
/** Number of candidates for all other queries: those of a page, and spare ones. */
export const PAGE_CANDIDATES = MAX_HITS + SPARE_CANDIDATES;
/** From this importance on, all namesakes are shown: Valencia in Spain and the one in Venezuela. */
const CITY_IMPORTANCE = 0.6 * MAX_IMPORTANCE;
/** From this importance on, a candidate without a known population (0) stays on the page. */
const TOWN_IMPORTANCE = 0.4 * MAX_IMPORTANCE;
/** Postings are ordered by name, so only those at most this far apart are checked for namesakes. */
const MAX_NAMESAKE_GAP = 16;

/** Number of candidates that the page for a query is selected from. */
export function candidateCount(query: SearchQuery): number {
  return isFewLetters(query) ? MAX_CANDIDATES : PAGE_CANDIDATES;
}

/** Whether the query has few letters and no point. */
function isFewLetters({ text, around }: SearchQuery): boolean {
  const { length } = text.trim();
  return around === undefined && length >= FEW_LETTERS.min && length <= FEW_LETTERS.max;
}

interface SelectionContext {
  readonly top: TopCandidates;
  readonly index: Index;
  readonly duplicates: Duplicates;
}

/** The slots in `top` that a page of MAX_HITS shows, best first, with all of `guaranteed`. */
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
  const addsPopulous = isFewLetters(query) && !isFinishedName(letters, top);
  const maxSlots = addsPopulous ? top.count : MAX_HITS;
  const slots: number[] = [];
  const repeated: number[] = [];
  duplicates.clear();
  for (let rank = 0; rank < top.count && slots.length < maxSlots; rank++) {
    const slot = top.order[rank]!;
    if (!duplicates.add(top.place[slot]!)) continue;
    const isRepeated = isTyping && top.match[slot] === MATCH.unfinished && repeatsName(slot, slots, context);
    (isRepeated ? repeated : slots).push(slot);
  }
  const shown = addsPopulous ? selectBestAndPopulous(slots, letters, context) : slots;
  if (shown.length < MAX_HITS) shown.push(...repeated.slice(0, MAX_HITS - shown.length));
  return addsPopulous || repeated.length > 0 ? sortByScore(shown, top) : shown;
}

/** Whether the query is long enough to be a whole name, and is the main name of a candidate. */
function isFinishedName(letters: number, top: TopCandidates): boolean {
  if (letters < MIN_NAME_LENGTH) return false;
  for (let slot = 0; slot < top.count; slot++) if (isWholeName(slot, top)) return true;
  return false;
}

/**
 * Selects the best slots, then the most populous of the others. Among the others, candidates whose
 * main name does not start with the query come last.
 */
function selectBestAndPopulous(slots: readonly number[], letters: number, { top, index }: SelectionContext): number[] {
  const canBeWellKnown = letters >= MIN_WELL_KNOWN_LENGTH;
  const shown: number[] = [];
  const others: number[] = [];
  const populationBySlot: number[] = [];
  for (let rank = 0; rank < slots.length; rank++) {
    const slot = slots[rank]!;
    const place = top.place[slot]!;
    const population = readPopulation(index, place);
    const importance = index.placeImportance[place]!;
    const stays =
      (population === 0 && importance >= TOWN_IMPORTANCE) ||
      (canBeWellKnown && importance >= WELL_KNOWN_IMPORTANCE) ||
      isWholeName(slot, top);
    if (rank < MAX_HITS * BEST_SHARE || (rank < MAX_HITS && stays)) {
      shown.push(slot);
    } else {
      others.push(slot);
      populationBySlot[slot] = mainNameStartsWithQuery(slot, top) ? population : -1; // -1: last
    }
  }
  return shown.concat(mostPopulous(others, populationBySlot, MAX_HITS - shown.length));
}

/** The `count` slots with the largest populations, largest first; ties keep their order. */
function mostPopulous(slots: readonly number[], populationBySlot: readonly number[], count: number): number[] {
  const best: number[] = [];
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]!;
    let rank = best.length;
    while (rank > 0 && populationBySlot[best[rank - 1]!]! < populationBySlot[slot]!) rank--;
    if (rank === count) continue;
    for (let last = Math.min(best.length, count - 1); last > rank; last--) best[last] = best[last - 1]!;
    best[rank] = slot;
  }
  return best;
}

function isWholeName(slot: number, top: TopCandidates): boolean {
  return top.match[slot] === MATCH.exact && mainNameStartsWithQuery(slot, top);
}

/** Whether the candidate's main name starts with the query, without typos. */
function mainNameStartsWithQuery(slot: number, { flags, typos }: TopCandidates): boolean {
  return typos[slot] === 0 && isMainFromStart(flags[slot]!);
}

/** Whether the candidate has the main name of one of those before it; never true for a city. */
function repeatsName(slot: number, before: readonly number[], { top, index }: SelectionContext): boolean {
  const { position, place } = top;
  if (index.placeImportance[place[slot]!]! >= CITY_IMPORTANCE) return false;
  const minPosition = position[slot]! - MAX_NAMESAKE_GAP;
  const maxPosition = position[slot]! + MAX_NAMESAKE_GAP;
  for (let i = 0; i < before.length; i++) {
    const other = before[i]!;
    if (position[other]! < minPosition || position[other]! > maxPosition) continue;
    // equal texts are stored once, so equal names have equal offsets
    if (readMainNameOffset(index, place[slot]!) === readMainNameOffset(index, place[other]!)) return true;
  }
  return false;
}

function sortByScore(slots: readonly number[], { score, place }: TopCandidates): number[] {
  return slots.toSorted((a, b) => score[b]! - score[a]! || place[a]! - place[b]!);
}
