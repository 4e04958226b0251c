/**
 * From the candidates to those that the page shows: the best, but for twins. While a name is being typed, a page is to hold
 * what may be meant, not one name over and over; and of its first few letters, besides the best, where most people live.
 */
import type { Index } from '../../index-file/layout.ts';
import { readMainNameOffset, readPopulation } from '../../index-file/packed-record.ts';
import { isMainFromStart, POSTING } from '../../index-file/posting.ts';
import type { SearchQuery } from '../engine.ts';
import type { TopHits } from '../rank/top-hits.ts';
import { MATCH } from '../trie/match-ranges.ts';
import { MAX_HITS } from './cut-page.ts';
import type { Duplicates } from './duplicates.ts';

/** Up to so many letters, people are still typing: a name is shown once. */
const SOME_LETTERS = 6;
/** With so many letters there are more places than a page holds; with one, so many that only the best known count. */
const FEW_LETTERS = { least: 2, most: 4 };
/** From so many letters on, a text that is a whole name is taken for it. */
const NAME_LETTERS = 4;
/** For few letters, the share of a page that the best have in any case; the others are the most populous. */
const BEST_SHARE = 0.4;
/** From this importance (0..0xffff) on, and from so many letters, a place is known well enough to stay: San Francisco. */
const WELL_KNOWN = 0.75 * 0xffff;
const KNOWN_LETTERS = 3;
/**
 * For few letters: from how many candidates they are chosen. So many are listed of a run of postings; to have more would mean
 * to read it all. Of prefixes of places drawn by population the place that was meant is then on the page in 74.1%, with the
 * best alone in 73.0%.
 */
export const MAX_CANDIDATES = POSTING.topSizes[0];
/** More candidates than hits on a page, so that twins can be left out. */
const SPARE = 6;
/** How many candidates a page is chosen from where only twins have to be left out. */
export const PAGE_CANDIDATES = MAX_HITS + SPARE;
/** From this importance (0..0xffff) on, places are no mere namesakes: Valencia in Spain, and in Venezuela. */
const CITY = 0.6 * 0xffff;
/** From this importance on, a place whose population is not known is no village. */
const TOWN = 0.4 * 0xffff;
/** Postings of one name stand together, in order of importance: those farther apart are not compared. */
const SAME_NAME = 16;

/** How many candidates a page is chosen from. */
export function candidateCount(query: SearchQuery): number {
  return isFewLetters(query) ? MAX_CANDIDATES : PAGE_CANDIDATES;
}

/** Whether a query is a few letters of a name, and nothing says where to look. */
function isFewLetters({ text, around }: SearchQuery): boolean {
  const { length } = text.trim();
  return around === undefined && length >= FEW_LETTERS.least && length <= FEW_LETTERS.most;
}

interface SelectionContext {
  readonly top: TopHits;
  readonly index: Index;
  readonly duplicates: Duplicates;
}

/**
 * The slots of a page of MAX_HITS, best first: the best candidates except twins, and in the place of the last ones those
 * that are guaranteed.
 */
export function selectSlots(
  query: SearchQuery,
  guaranteed: readonly number[],
  parts: SelectionContext,
): readonly number[] {
  const slots = bestSlots(query, parts);
  if (guaranteed.every((slot) => slots.includes(slot))) return slots;
  const others = slots.filter((slot) => !guaranteed.includes(slot)).slice(0, MAX_HITS - guaranteed.length);
  return sortByScore([...others, ...guaranteed], parts.top);
}

function bestSlots(query: SearchQuery, parts: SelectionContext): number[] {
  const { text, around } = query;
  const { top, duplicates } = parts;
  const letters = text.trim().length;
  const isTyping = around === undefined && letters <= SOME_LETTERS;
  const isFew = isFewLetters(query) && !(letters >= NAME_LETTERS && hasWholeName(top));
  const most = isFew ? top.count : MAX_HITS;
  const slots: number[] = [];
  const repeated: number[] = [];
  duplicates.clear();
  for (let rank = 0; rank < top.count && slots.length < most; rank++) {
    const slot = top.order[rank]!;
    if (!duplicates.add(top.place[slot]!)) continue;
    const isRepeated = isTyping && top.match[slot] === MATCH.prefix && repeatsName(slot, slots, parts);
    (isRepeated ? repeated : slots).push(slot);
  }
  const shown = isFew ? withPopulous(slots, letters, parts) : slots;
  if (shown.length < MAX_HITS) shown.push(...repeated.slice(0, MAX_HITS - shown.length));
  return isFew || repeated.length > 0 ? sortByScore(shown, top) : shown;
}

/** Whether what was typed is the name of a candidate. */
function hasWholeName(top: TopHits): boolean {
  for (let slot = 0; slot < top.count; slot++) if (isWholeName(slot, top)) return true;
  return false;
}

/** Of slots in the order of their scores: the best, then those whose main name begins as was typed, by population. */
function withPopulous(slots: readonly number[], letters: number, { top, index }: SelectionContext): number[] {
  const known = letters >= KNOWN_LETTERS ? WELL_KNOWN : Number.POSITIVE_INFINITY;
  const shown: number[] = [];
  const others: number[] = [];
  const people: number[] = [];
  for (let rank = 0; rank < slots.length; rank++) {
    const slot = slots[rank]!;
    const place = top.place[slot]!;
    const population = readPopulation(index, place);
    const stays = index.placeImportance[place]! >= (population === 0 ? TOWN : known) || isWholeName(slot, top);
    if (rank < MAX_HITS * BEST_SHARE || (rank < MAX_HITS && stays)) {
      shown.push(slot);
    } else {
      others.push(slot);
      people[slot] = startsAsTyped(slot, top) ? population : -1;
    }
  }
  return shown.concat(greatest(others, people, MAX_HITS - shown.length));
}

/** So many of the slots, those with the most people first; ties keep their order. */
function greatest(slots: readonly number[], people: readonly number[], most: number): number[] {
  const best: number[] = [];
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]!;
    let rank = best.length;
    while (rank > 0 && people[best[rank - 1]!]! < people[slot]!) rank--;
    if (rank === most) continue;
    for (let last = Math.min(best.length, most - 1); last > rank; last--) best[last] = best[last - 1]!;
    best[rank] = slot;
  }
  return best;
}

function isWholeName(slot: number, top: TopHits): boolean {
  return top.match[slot] === MATCH.exact && startsAsTyped(slot, top);
}

/** Whether it was found by the beginning of its main name, as typed. */
function startsAsTyped(slot: number, { flags, typos }: TopHits): boolean {
  return typos[slot] === 0 && isMainFromStart(flags[slot]!);
}

/** Whether a candidate, other than a city, has the main name of one before it. */
function repeatsName(slot: number, before: readonly number[], { top, index }: SelectionContext): boolean {
  const { posting, place } = top;
  const first = posting[slot]! - SAME_NAME;
  const last = posting[slot]! + SAME_NAME;
  for (let i = 0; i < before.length; i++) {
    const other = before[i]!;
    if (posting[other]! < first || posting[other]! > last) continue;
    if (index.placeImportance[place[slot]!]! >= CITY) return false;
    // equal texts are stored once
    if (readMainNameOffset(index, place[slot]!) === readMainNameOffset(index, place[other]!)) return true;
  }
  return false;
}

function sortByScore(slots: readonly number[], { score, place }: TopHits): number[] {
  return slots.toSorted((a, b) => score[b]! - score[a]! || place[a]! - place[b]!);
}
