/**
 * Finds the places that match a query as typed by brute force: it compares every key with the text
 * and every place with the filters. Only the list of interpretations comes from the engine.
 */
import { lowerBound } from '../../src/collections/sorting.ts';
import type { SearchQuery } from '../../src/engine.ts';
import type { Index } from '../../src/index-file/layout.ts';
import { POSTING } from '../../src/index-file/posting.ts';
import { SpatialIndex } from '../../src/nearest.ts';
import { candidateCount, MAX_CANDIDATES } from '../../src/page/page-selection.ts';
import { PLACE_TYPES } from '../../src/place/place.ts';
import { distanceMeters } from '../../src/place/sphere.ts';
import { type Interpretation, isRegionAlone } from '../../src/query/interpretations.ts';
import { Candidates } from '../../src/rank/candidates.ts';
import { createFilter } from '../../src/rank/place-filter.ts';
import { READINGS } from '../../src/search/readings.ts';
import { TextSearch } from '../../src/search/search.ts';
import { WorkBudget } from '../../src/work-budget.ts';

/** Readings whose matches count: those before the first one that corrects typos. */
const COUNTED_READINGS = new Set(
  READINGS.slice(
    0,
    READINGS.findIndex(({ correctsTypos }) => correctsTypos),
  ).map(({ name }) => name),
);

/** A key and the positions of its postings. */
interface Key {
  readonly text: string;
  readonly lo: number;
  readonly hi: number;
}

/** Returns a function that finds the places, as dense ids, that match a query without typos. */
export function naiveMatches(index: Index): (query: SearchQuery) => Set<number> {
  const keys = sortedKeys(index);
  const candidates = new Candidates(index, MAX_CANDIDATES);
  const spatial = new SpatialIndex({
    ids: index.treeIds,
    coords: index.treeCoords,
    latE7: index.placeLatE7,
    lngE7: index.placeLngE7,
  });
  const work = new WorkBudget();
  const textSearch = new TextSearch({ index, spatial, candidates, work });
  return (query) => {
    const found = new Set<number>();
    const words = textSearch.readWords(query.text);
    if (words.length === 0) return found;
    work.reset();
    candidates.reset(query.around, candidateCount(query));
    const isPlain = /^[A-Za-z0-9, ]*$/.test(query.text);
    const isInCapitals = /^[A-Z ]+$/.test(query.text);
    const { interpretations, readings } = textSearch.run(words, {
      isPlain,
      isInCapitals,
      allowsTypos: true,
      filter: createFilter(index, query),
    });
    interpretations.forEach((interpretation, i) => {
      if (!COUNTED_READINGS.has(readings[i]!) || isRegionAlone(interpretation) || interpretation.cities.length > 0)
        return;
      for (const place of placesNamed(interpretation)) {
        if (isInRegions(place, interpretation) && passes(place, query)) found.add(place);
      }
    });
    return found;
  };

  function* placesNamed({ text, isPrefix, allowsMoreWords }: Interpretation): Iterable<number> {
    const first = lowerBound(keys.length, (i) => keys[i]!.text < text);
    for (let i = first; keys[i]?.text.startsWith(text) === true; i++) {
      const { text: key, lo, hi } = keys[i]!;
      if (!isPrefix && key !== text && !(allowsMoreWords && key.startsWith(`${text} `))) continue;
      for (const posting of index.postings.subarray(lo, hi)) yield posting & POSTING.placeMask;
    }
  }

  function isInRegions(place: number, { regionGroups }: Interpretation): boolean {
    const own = [index.placeCountry[place]!, index.placeAdmin1[place]!, index.placeAdmin2[place]!];
    return regionGroups.every(({ regions }) => own.some((region) => regions.includes(region)));
  }

  function passes(place: number, { types, countries, around, radiusMeters, box }: SearchQuery): boolean {
    if (types !== undefined && !types.includes(PLACE_TYPES[index.placeType[place]!]!)) return false;
    const country = index.metadata.countries[index.placeCountry[place]! - 1]!;
    if (countries !== undefined && !countries.includes(country)) return false;
    const [lat, lng] = [index.placeLatE7[place]! / 1e7, index.placeLngE7[place]! / 1e7];
    if (box !== undefined && (lat < box.south || lat > box.north)) return false;
    if (box !== undefined && !isBetween(lng, box.west, box.east)) return false;
    if (around === undefined || radiusMeters === undefined) return true;
    return distanceMeters(around.lat, around.lng, lat, lng) <= radiusMeters;
  }
}

/** Whether a longitude is on the way east from `west` to `east`. */
function isBetween(lng: number, west: number, east: number): boolean {
  return west <= east ? lng >= west && lng <= east : lng >= west || lng <= east;
}

/** All keys of the trie, sorted. */
function sortedKeys(index: Index): Key[] {
  const { nameTrieEdgeLetter, nameTrieChildStart, nameTrieTailStart, nameTrieTailLetters } = index;
  const { nameTriePostingStart, postings } = index;
  const keys: Key[] = [];
  const nodes = [{ node: 0, text: '', end: postings.length }];
  for (let next = nodes.pop(); next !== undefined; next = nodes.pop()) {
    const first = nameTrieChildStart[next.node]!;
    const last = nameTrieChildStart[next.node + 1]!;
    const lo = nameTriePostingStart[next.node]!;
    const hi = first < last ? nameTriePostingStart[first]! : next.end;
    if (lo < hi) keys.push({ text: next.text, lo, hi });
    // backwards, so that the next key is the first in order
    for (let node = last - 1; node >= first; node--) {
      const tail = nameTrieTailLetters.subarray(nameTrieTailStart[node]!, nameTrieTailStart[node + 1]!);
      const text = next.text + String.fromCharCode(nameTrieEdgeLetter[node]!, ...tail);
      nodes.push({ node, text, end: node + 1 < last ? nameTriePostingStart[node + 1]! : next.end });
    }
  }
  return keys;
}
