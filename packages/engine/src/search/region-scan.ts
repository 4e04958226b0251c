/**
 * Scans the places of regions: the most important ones, if the query names a region and no place, or
 * those whose main name is similar to the query.
 */
import type { Index } from '../index-file/layout.ts';
import { readMainNameOffset, readText } from '../index-file/packed-record.ts';
import type { RegionGroup } from '../query/interpretations.ts';
import { WITH_NEARNESS } from '../rank/candidates.ts';
import type { PlaceFilter } from '../rank/place-filter.ts';
import { PENALTIES } from '../rank/scores.ts';
import { fold } from '../text/fold.ts';
import { MATCH } from '../trie/match-ranges.ts';
import type { SearchContext } from './search-context.ts';

/** Maximum per region: a page shows no more. */
const MAX_REGION_PLACES = 20;
const REGIONS_PER_WORK_UNIT = 2;

export interface RegionLimits {
  readonly maxPlaces: number;
  /** Further places get a penalty. */
  readonly maxUnpenalised: number;
}

/** Importance (0..MAX_IMPORTANCE) of the most important place of these regions. */
export function highestImportance(index: Index, regions: Uint32Array): number {
  let highest = 0;
  visitPlaces(index, regions, (place) => {
    highest = index.placeImportance[place]!;
    return false;
  });
  return highest;
}

/** Offers the most important places of these regions. */
export function offerMainPlaces(
  { index, candidates, work }: SearchContext,
  regions: Uint32Array,
  { maxPlaces, maxUnpenalised, filter }: RegionLimits & { readonly filter: PlaceFilter },
): void {
  candidates.setMatch(MATCH.whole, 0);
  const { placesPerWorkUnit } = filter;
  // the query's filters may reject the main places
  const maxVisited = filter.query.count === 0 ? MAX_REGION_PLACES : Number.POSITIVE_INFINITY;
  let limit = candidates.idLimit(WITH_NEARNESS);
  let visited = 0;
  let count = 0;
  visitPlaces(index, regions, (place) => {
    if (place >= limit || (visited % placesPerWorkUnit === 0 && !work.spend(visitWork(regions)))) return false;
    visited++;
    if (filter.accepts(place)) {
      if (count++ === maxUnpenalised) candidates.setMatch(MATCH.whole, 0, PENALTIES.lesserPlaceOfRegion);
      candidates.offerPlace(place, WITH_NEARNESS);
      limit = candidates.idLimit(WITH_NEARNESS);
    }
    return count < maxPlaces && visited < maxVisited;
  });
}

/** Units of work for visiting some places: it compares the next places of all regions. */
function visitWork(regions: Uint32Array): number {
  return Math.ceil(regions.length / REGIONS_PER_WORK_UNIT);
}

/** Visits the places of these regions, each once and the most important first, until `visit` returns false. */
function visitPlaces(
  { regionPlaceStart, regionPlaces }: Index,
  regions: Uint32Array,
  visit: (place: number) => boolean,
): void {
  const next = Uint32Array.from(regions, (region) => regionPlaceStart[region]!);
  const ends = Uint32Array.from(regions, (region) => regionPlaceStart[region + 1]!);
  for (let last = -1; ; ) {
    let first = -1; // the list whose next place is the most important
    for (let i = 0; i < next.length; i++) {
      if (next[i] === ends[i]) continue;
      if (first === -1 || regionPlaces[next[i]!]! < regionPlaces[next[first]!]!) first = i;
    }
    if (first === -1) return;
    const place = regionPlaces[next[first]!++]!;
    if (place === last) continue; // it is in several of the regions
    last = place;
    if (!visit(place)) return;
  }
}

const MAX_TYPOS = 4;
/** Further typos cost nothing: a syllable typed twice is several typos, but one mistake. */
const MAX_COUNTED_TYPOS = 3;
/** The text may have one typo per this many letters. */
const LETTERS_PER_TYPO = 3;
const COMPARED_NAME_WORK = 40;

/** Offers the places of these regions whose main name is similar to the text. */
export function offerSimilarNames(
  { index, candidates, work }: SearchContext,
  regions: Uint32Array,
  { text, filter }: { readonly text: string; readonly filter: PlaceFilter },
): void {
  const { placesPerWorkUnit } = filter;
  const sortedText = sortedWords(text);
  const maxTypos = Math.min(MAX_TYPOS, Math.floor(text.length / LETTERS_PER_TYPO));
  let visited = 0;
  visitPlaces(index, regions, (place) => {
    if (visited++ % placesPerWorkUnit === 0 && !work.spend(visitWork(regions))) return false;
    if (!filter.accepts(place)) return true;
    if (!work.spend(COMPARED_NAME_WORK)) return false;
    const name = fold(readText(index, readMainNameOffset(index, place)));
    if (Math.abs(name.length - text.length) > maxTypos) return true;
    const typosIfReordered = 1 + typosBetween(sortedText, sortedWords(name)); // another order counts as a typo
    const typos = Math.min(typosBetween(text, name), typosIfReordered);
    if (typos > maxTypos) return true;
    candidates.setMatch(MATCH.whole, Math.min(typos, MAX_COUNTED_TYPOS));
    candidates.offerPlace(place, WITH_NEARNESS);
    return true;
  });
}

function sortedWords(folded: string): string {
  return folded.includes(' ') ? folded.split(' ').sort().join(' ') : folded;
}

/** Number of insertions, deletions, substitutions and transpositions of adjacent letters. */
function typosBetween(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let typos = Math.min(substitution, previous[j]! + 1, current[j - 1]! + 1);
      const isTransposed = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isTransposed) typos = Math.min(typos, beforePrevious[j - 2]! + 1);
      current.push(typos);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length]!;
}

/** The group of regions with the fewest places; undefined without groups. Places in two of its regions count twice. */
export function fewestPlaces(
  { regionPlaceStart }: Index,
  groups: readonly RegionGroup[],
): { readonly regions: Uint32Array; readonly count: number } | undefined {
  let fewest: { regions: Uint32Array; count: number } | undefined;
  for (const { regions } of groups) {
    let count = 0;
    for (const region of regions) count += regionPlaceStart[region + 1]! - regionPlaceStart[region]!;
    if (fewest === undefined || count < fewest.count) fewest = { regions, count };
  }
  return fewest;
}
