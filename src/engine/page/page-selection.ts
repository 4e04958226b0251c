/**
 * Selects the candidates that a page shows: the best, without duplicates. While a name is being
 * typed, a page shows different names rather than one name many times. For the first few letters,
 * the most populous candidates replace some of the best. A candidate is given by its slot in
 * TopCandidates (rank/top-candidates.ts).
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

/** Up to this query length the page prefers new names to namesakes, unless `around` is given. */
const MAX_TYPING_LENGTH = 6;
/** Lengths of queries of few letters: such a query could mean more places than fit on a page. */
const FEW_LETTERS = { min: 2, max: 4 };
/** From this length on, a query that is a whole main name probably means it. */
const MIN_WHOLE_NAME_LENGTH = 4;
/**
 * For few letters, the share of the page that the best candidates keep in any case. In a test with
 * prefixes of the names of random places (weighted by population), the page contained the place in
 * 74.1% of cases; with the best candidates alone, in 73.0%.
 */
const BEST_SHARE = 0.4;
/** Of the best MAX_HITS, places from this importance on are kept: San Francisco, for "san". */
const BEST_KNOWN_IMPORTANCE = 0.75 * MAX_IMPORTANCE;
/** For shorter queries the best-known are not kept: too many have the same first two letters. */
const MIN_BEST_KNOWN_LENGTH = 3;
/** Of the best MAX_HITS, places of unknown population (0) are kept from this importance on. */
const TOWN_IMPORTANCE = 0.4 * MAX_IMPORTANCE;
/**
 * Number of candidates for few letters, the maximum for any query. For each prefix with many
 * matches, the index stores a list of the best main names (`rangeTops`). More candidates than the
 * list has would mean reading all matches.
 */
export const MAX_CANDIDATES = POSTING.topSizes[0];
/** Number of extra candidates, which replace duplicates and repeated names. */
const SPARE_CANDIDATES = 6;
/** Number of candidates for all other queries: those of a page, and spare ones. */
export const PAGE_CANDIDATES = MAX_HITS + SPARE_CANDIDATES;
/** From this importance on, places are shown beside better namesakes: Valencia in Venezuela. */
const CITY_IMPORTANCE = 0.6 * MAX_IMPORTANCE;
/**
 * Maximum distance in `postings` at which namesakes are recognised. They have the same key, and the
 * postings of a key are in importance order, so namesakes that are among the candidates are mostly
 * this close. A namesake that is not recognised is shown, which does little harm.
 */
const MAX_NAMESAKE_GAP = 16;

/** Number of candidates that the page for a query is selected from. */
export function candidateCount(query: SearchQuery): number {
  return mayAddPopulous(query) ? MAX_CANDIDATES : PAGE_CANDIDATES;
}

/** Whether populous candidates may replace some of the best: for few letters without `around`. */
function mayAddPopulous({ text, around }: SearchQuery): boolean {
  const { length } = text.trim();
  return around === undefined && length >= FEW_LETTERS.min && length <= FEW_LETTERS.max;
}

interface SelectionContext {
  readonly top: TopCandidates;
  readonly index: Index;
  readonly duplicates: Duplicates;
}

/** Slots that a page of MAX_HITS shows, best first, with all of `guaranteed`: see engine.ts. */
export function selectSlots(
  query: SearchQuery,
  guaranteed: readonly number[],
  context: SelectionContext,
): readonly number[] {
  const slots = selectIgnoringGuarantees(query, context);
  const distinct = new Set(guaranteed); // the best match anywhere may also be the best nearby
  if (distinct.size === 0) return slots;
  const others = slots.filter((slot) => !distinct.has(slot)).slice(0, MAX_HITS - distinct.size);
  return sortByScore([...others, ...distinct], context.top);
}

/** Selects at most MAX_HITS slots, best first. Guaranteed slots may be missing. */
function selectIgnoringGuarantees(query: SearchQuery, context: SelectionContext): number[] {
  const { text, around } = query;
  const { top, duplicates } = context;
  const queryLength = text.trim().length;
  const prefersNewNames = around === undefined && queryLength <= MAX_TYPING_LENGTH;
  const addsPopulous = mayAddPopulous(query) && !meansWholeName(queryLength, top);
  const maxNewNames = addsPopulous ? top.count : MAX_HITS;
  const newNames: number[] = [];
  const repeatedNames: number[] = [];
  duplicates.clear();
  for (let rank = 0; rank < top.count && newNames.length < maxNewNames; rank++) {
    const slot = top.order[rank]!;
    if (duplicates.rejects(top.place[slot]!)) continue;
    // places whose name is typed in full do not give way: that name is probably meant
    const mayGiveWay = prefersNewNames && top.match[slot] === MATCH.unfinished;
    const givesWay = mayGiveWay && repeatsName(slot, newNames, context);
    (givesWay ? repeatedNames : newNames).push(slot);
  }
  const shown = addsPopulous ? bestAndPopulous(newNames, queryLength, context) : newNames;
  if (shown.length < MAX_HITS) shown.push(...repeatedNames.slice(0, MAX_HITS - shown.length));
  return addsPopulous || repeatedNames.length > 0 ? sortByScore(shown, top) : shown;
}

/** Whether the query means a whole name: it is long enough, and the main name of a candidate. */
function meansWholeName(queryLength: number, top: TopCandidates): boolean {
  if (queryLength < MIN_WHOLE_NAME_LENGTH) return false;
  for (let slot = 0; slot < top.count; slot++) if (mainNameIsQuery(slot, top)) return true;
  return false;
}

/**
 * The candidates that are kept, then the most populous of the others. Of the others, those whose
 * main name does not start with the query come last.
 */
function bestAndPopulous(slots: readonly number[], queryLength: number, { top, index }: SelectionContext): number[] {
  const keepsBestKnown = queryLength >= MIN_BEST_KNOWN_LENGTH;
  const kept: number[] = [];
  const others: number[] = [];
  const populationBySlot: number[] = [];
  for (let rank = 0; rank < slots.length; rank++) {
    const slot = slots[rank]!;
    const place = top.place[slot]!;
    const population = readPopulation(index, place);
    const importance = index.placeImportance[place]!;
    const isWorthKeeping =
      (population === 0 && importance >= TOWN_IMPORTANCE) ||
      (keepsBestKnown && importance >= BEST_KNOWN_IMPORTANCE) ||
      mainNameIsQuery(slot, top);
    if (rank < MAX_HITS * BEST_SHARE || (rank < MAX_HITS && isWorthKeeping)) {
      kept.push(slot);
    } else {
      others.push(slot);
      populationBySlot[slot] = mainNameStartsWithQuery(slot, top) ? population : -1; // -1: after all others
    }
  }
  return kept.concat(mostPopulous(others, populationBySlot, MAX_HITS - kept.length));
}

/** The `count` slots with the largest populations, largest first; ties keep their order. */
function mostPopulous(slots: readonly number[], populationBySlot: readonly number[], count: number): number[] {
  const largest: number[] = [];
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]!;
    let rank = largest.length;
    while (rank > 0 && populationBySlot[largest[rank - 1]!]! < populationBySlot[slot]!) rank--;
    if (rank === count) continue;
    for (let at = Math.min(largest.length, count - 1); at > rank; at--) largest[at] = largest[at - 1]!;
    largest[rank] = slot;
  }
  return largest;
}

/** Whether the query is the candidate's whole main name. */
function mainNameIsQuery(slot: number, top: TopCandidates): boolean {
  return top.match[slot] === MATCH.whole && mainNameStartsWithQuery(slot, top);
}

/** Whether the candidate's main name starts with the query, without typos. */
function mainNameStartsWithQuery(slot: number, { flags, typos }: TopCandidates): boolean {
  return typos[slot] === 0 && isMainFromStart(flags[slot]!);
}

/** Whether a better candidate has the same main name; false for cities, which are always shown. */
function repeatsName(slot: number, better: readonly number[], { top, index }: SelectionContext): boolean {
  const { position, place } = top;
  if (index.placeImportance[place[slot]!]! >= CITY_IMPORTANCE) return false;
  const minPosition = position[slot]! - MAX_NAMESAKE_GAP;
  const maxPosition = position[slot]! + MAX_NAMESAKE_GAP;
  for (let i = 0; i < better.length; i++) {
    const other = better[i]!;
    if (position[other]! < minPosition || position[other]! > maxPosition) continue;
    // equal texts are stored once, so equal names have equal offsets
    if (readMainNameOffset(index, place[slot]!) === readMainNameOffset(index, place[other]!)) return true;
  }
  return false;
}

function sortByScore(slots: readonly number[], { score, place }: TopCandidates): number[] {
  return slots.toSorted((a, b) => score[b]! - score[a]! || place[a]! - place[b]!);
}
