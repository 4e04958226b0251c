/**
 * Finds the places that match a query as typed by brute force: it compares every key with the text
 * and every place with the filters. Only the list of interpretations comes from the engine.
 */
import { lowerBound } from '../../../src/collections/lower-bound.ts';
import type { SearchQuery } from '../../../src/engine/engine.ts';
import type { Interpretation } from '../../../src/engine/query/interpretations.ts';
import { RegionLookup } from '../../../src/engine/query/region-lookup.ts';
import { type SearchState, STAGES } from '../../../src/engine/search/stages.ts';
import { WorkBudget } from '../../../src/engine/work-budget.ts';
import type { Index } from '../../../src/index-file/layout.ts';
import { POSTING } from '../../../src/index-file/posting.ts';
import { PLACE_TYPES } from '../../../src/place/place.ts';
import { distanceMeters } from '../../../src/place/sphere.ts';
import { foldWords } from '../../../src/text/fold.ts';

/** A key and the positions of its postings. */
interface Key {
  readonly text: string;
  readonly lo: number;
  readonly hi: number;
}

/** Returns a function that finds the places, as dense ids, that match a query without typos. */
export function naiveMatches(index: Index): (query: SearchQuery) => Set<number> {
  const keys = sortedKeys(index);
  const regionLookup = new RegionLookup(index, new WorkBudget(Number.POSITIVE_INFINITY));
  return (query) => {
    const found = new Set<number>();
    const words = foldWords(query.text);
    if (words.length === 0) return found;
    const tryWithoutTypos = (interpretation: Interpretation) => {
      for (const place of placesNamed(interpretation)) {
        if (isInRegions(place, interpretation) && passes(place, query)) found.add(place);
      }
    };
    // the stages need only these members of a state as long as they try no typos
    const state = {
      words,
      regionLookup,
      search: { tryWithoutTypos },
      quality: {
        get hasMatches() {
          return found.size > 0;
        },
      },
      regionStagesFoundNothing: false,
      exactRegionInterpretations: [],
    } as unknown as SearchState;
    for (const stage of STAGES) if (stage.phase === 'withoutTypos' && stage.when(state)) stage.run(state);
    return found;
  };

  function* placesNamed({ text, isPrefix }: Interpretation): Iterable<number> {
    const first = lowerBound(keys.length, (i) => keys[i]!.text < text);
    for (let i = first; keys[i]?.text.startsWith(text) === true; i++) {
      const { text: key, lo, hi } = keys[i]!;
      if (!isPrefix && key !== text && !key.startsWith(`${text} `)) continue;
      for (const posting of index.postings.subarray(lo, hi)) yield posting & POSTING.placeMask;
    }
  }

  function isInRegions(place: number, { regionGroups }: Interpretation): boolean {
    const own = [index.placeCountry[place]!, index.placeAdmin1[place]!, index.placeAdmin2[place]!];
    return regionGroups.every(({ regions }) => own.some((region) => regions.includes(region)));
  }

  function passes(place: number, { types, countries, around, radiusMeters }: SearchQuery): boolean {
    if (types !== undefined && !types.includes(PLACE_TYPES[index.placeType[place]!]!)) return false;
    const country = index.metadata.countries[index.placeCountry[place]! - 1]!;
    if (countries !== undefined && !countries.includes(country)) return false;
    if (around === undefined || radiusMeters === undefined) return true;
    const [lat, lng] = [index.placeLatE7[place]! / 1e7, index.placeLngE7[place]! / 1e7];
    return distanceMeters(around.lat, around.lng, lat, lng) <= radiusMeters;
  }
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
