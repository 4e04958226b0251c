/**
 * Selects the candidates that a page shows, without settlements listed twice. While a name is being
 * typed, pages prefer different names. For the first few letters they also prefer populous places. A
 * slot is the index of a candidate in TopCandidates.
 */

import type { SearchQuery } from '../engine.ts';
import { type Index, MAX_IMPORTANCE } from '../index-file/layout.ts';
import { readMainNameOffset, readPopulation } from '../index-file/packed-record.ts';
import { isMainFromStart, POSTING } from '../index-file/posting.ts';
import { distanceMeters, METERS_PER_DEGREE } from '../place/sphere.ts';
import { CITY_IMPORTANCE } from '../rank/scores.ts';
import type { TopCandidates } from '../rank/top-candidates.ts';
import { MATCH } from '../trie/match-ranges.ts';
import { MAX_HITS } from '../work-budget.ts';
import type { PlaceRecords } from './place-records.ts';
import { isSameWhenFolded } from './stored-text.ts';

/** Up to this query length, pages prefer new names to namesakes, unless `around` is given. */
const MAX_TYPING_LENGTH = 6;
/** Queries of these lengths could mean more places than fit on a page. */
const FEW_LETTERS = { min: 2, max: 4 };
/** From this length on, a query that is a whole main name probably means it. */
const MIN_WHOLE_NAME_LENGTH = 4;
/** The best candidates' share of a page: 0.4 found 74.1% of places when chosen, 1 found 73.0%. */
const BEST_SHARE = 0.4;
/** Of the best MAX_HITS, places from this importance on are kept: San Francisco, for "san". */
const BEST_KNOWN_IMPORTANCE = 0.75 * MAX_IMPORTANCE;
/** Too many best-known places have the same first two letters. */
const MIN_BEST_KNOWN_LENGTH = 3;
/** Of the best MAX_HITS, places of unknown population (0) are kept from this importance on. */
const TOWN_IMPORTANCE = 0.4 * MAX_IMPORTANCE;
/** The size of the lists in `rangeTops`. More candidates would mean reading all matches. */
export const MAX_CANDIDATES = POSTING.topSizes[0];
/** Spare candidates replace duplicates and repeated names. */
const SPARE_CANDIDATES = 6;
export const PAGE_CANDIDATES = MAX_HITS + SPARE_CANDIDATES;
/** Maximum distance of namesakes in `postings`. Most are this close, because they share a key. */
const MAX_NAMESAKE_GAP = 16;

export function candidateCount(query: SearchQuery): number {
  return mayAddPopulous(query) ? MAX_CANDIDATES : PAGE_CANDIDATES;
}

function mayAddPopulous({ text, around }: SearchQuery): boolean {
  const { length } = text.trim();
  return around === undefined && length >= FEW_LETTERS.min && length <= FEW_LETTERS.max;
}

/**
 * The first `limit` items. If `limit` > 1, guaranteed items replace the last of the others. So pages
 * of two or more items are subsequences of all larger pages.
 */
export function cutPage<T>(items: readonly T[], limit: number, isGuaranteed: (item: T) => boolean): readonly T[] {
  if (items.length <= limit) return items;
  const guaranteed = limit === 1 ? [] : items.filter(isGuaranteed).slice(0, limit);
  if (guaranteed.length === 0) return items.slice(0, limit);
  const others = items.filter((item) => !guaranteed.includes(item)).slice(0, limit - guaranteed.length);
  return items.filter((item) => guaranteed.includes(item) || others.includes(item));
}

interface SelectionContext {
  readonly top: TopCandidates;
  readonly index: Index;
  readonly duplicates: Duplicates;
}

/** Slots that a page of MAX_HITS shows, best first, with all of `guaranteed`. */
export function selectSlots(
  query: SearchQuery,
  guaranteed: readonly number[],
  context: SelectionContext,
): readonly number[] {
  const slots = selectIgnoringGuarantees(query, context);
  if (guaranteed.length === 0) return slots;
  const distinct = new Set(guaranteed); // the best match anywhere may also be the best nearby
  const others = slots.filter((slot) => !distinct.has(slot)).slice(0, MAX_HITS - distinct.size);
  return sortByScore([...others, ...distinct], context.top);
}

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
    // a name that is typed in full is probably meant, so its places do not give way
    const mayGiveWay = prefersNewNames && top.match[slot] === MATCH.unfinished;
    const givesWay = mayGiveWay && repeatsName(slot, newNames, context);
    (givesWay ? repeatedNames : newNames).push(slot);
  }
  const shown = addsPopulous ? bestAndPopulous(newNames, queryLength, context) : newNames;
  if (repeatedNames.length > 0) addNamesakes(repeatedNames, shown, top);
  return addsPopulous || repeatedNames.length > 0 ? sortByScore(shown, top) : shown;
}

/** Fills the page with namesakes. On a full page they replace corrections that score less. */
function addNamesakes(namesakes: readonly number[], shown: number[], { typos, score }: TopCandidates): void {
  for (const slot of namesakes) {
    if (shown.length < MAX_HITS) {
      shown.push(slot);
      continue;
    }
    const corrections = shown.filter((other) => typos[other]! > 0);
    const worst = corrections.reduce((a, b) => (score[b]! < score[a]! ? b : a), slot);
    if (worst === slot) return;
    shown[shown.indexOf(worst)] = slot;
  }
}

function meansWholeName(queryLength: number, top: TopCandidates): boolean {
  if (queryLength < MIN_WHOLE_NAME_LENGTH) return false;
  for (let slot = 0; slot < top.count; slot++) if (mainNameIsQuery(slot, top)) return true;
  return false;
}

/** The candidates that are kept, then the most populous of the others. */
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
      populationBySlot[slot] = mainNameStartsWithQuery(slot, top) ? population : -1; // -1: last
    }
  }
  return kept.concat(mostPopulous(others, populationBySlot, MAX_HITS - kept.length));
}

/** The `count` most populous slots, largest first. Ties keep their order. */
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

function mainNameIsQuery(slot: number, top: TopCandidates): boolean {
  return top.match[slot] === MATCH.whole && mainNameStartsWithQuery(slot, top);
}

function mainNameStartsWithQuery(slot: number, { flags, typos }: TopCandidates): boolean {
  return typos[slot] === 0 && isMainFromStart(flags[slot]!);
}

/** Whether a better candidate has the same main name. False for cities, which always show. */
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

/** Two entries of one town are closer than this. Few other namesakes are. */
const DUPLICATE_METERS = 8000;
/** DUPLICATE_METERS in degrees of latitude × 10^7, for a check without trigonometry. */
const DUPLICATE_LAT_E7 = Math.ceil((DUPLICATE_METERS / METERS_PER_DEGREE) * 1e7);

type PlaceColumns = Pick<Index, 'placeAdmin1' | 'placeCountry' | 'placeLatE7' | 'placeLngE7'>;
type MainNames = Pick<PlaceRecords, 'mainNameText'>;

/** Detects settlements listed twice: same name and first-level division, a few kilometres apart. */
export class Duplicates {
  private readonly index: PlaceColumns;
  private readonly names: MainNames;
  rejectedCount = 0;
  private acceptedCount = 0;
  private readonly places: Uint32Array;
  private readonly divisions: Uint32Array;

  constructor(index: PlaceColumns, names: MainNames, maxPlaces: number) {
    this.index = index;
    this.names = names;
    this.places = new Uint32Array(maxPlaces);
    this.divisions = new Uint32Array(maxPlaces);
  }

  clear(): void {
    this.acceptedCount = 0;
    this.rejectedCount = 0;
  }

  /** Whether a place duplicates an accepted place. If not, this method accepts it. */
  rejects(place: number): boolean {
    const { divisions, acceptedCount } = this;
    const division = this.index.placeAdmin1[place]!;
    for (let i = 0; i < acceptedCount; i++) {
      if (divisions[i] !== division || !this.isDuplicateInDivision(place, this.places[i]!)) continue;
      this.rejectedCount++;
      return true;
    }
    divisions[acceptedCount] = division;
    this.places[acceptedCount] = place;
    this.acceptedCount++;
    return false;
  }

  /** Whether two places with the same division id (0 if they have none) are duplicates. */
  private isDuplicateInDivision(place: number, other: number): boolean {
    const { placeCountry, placeLatE7, placeLngE7 } = this.index;
    if (placeCountry[place] !== placeCountry[other]) return false;
    if (Math.abs(placeLatE7[place]! - placeLatE7[other]!) > DUPLICATE_LAT_E7) return false;
    const [lat, otherLat] = [placeLatE7[place]! / 1e7, placeLatE7[other]! / 1e7];
    const [lng, otherLng] = [placeLngE7[place]! / 1e7, placeLngE7[other]! / 1e7];
    if (distanceMeters(lat, lng, otherLat, otherLng) >= DUPLICATE_METERS) return false;
    return isSameWhenFolded(this.names.mainNameText(place), this.names.mainNameText(other));
  }
}
