import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anIndex, aPlace, type PlaceSketch } from '../../../../test/support/an-engine.ts';
import { MAX_IMPORTANCE } from '../../src/index-file/layout.ts';
import { openIndex } from '../../src/index-file/open-index.ts';
import { POSTING } from '../../src/index-file/posting.ts';
import { PLACE_TYPES, type Place } from '../../src/place/place.ts';
import { Candidates } from '../../src/rank/candidates.ts';
import { MAX_SCORED_TYPOS, QUERY_FLAGS } from '../../src/rank/scores.ts';
import { MATCH } from '../../src/trie/match-ranges.ts';

const point = { lat: 47, lng: 2 };
/** A new field of a place must be here, because a score may come to depend on it. */
const everyFact = {
  ...point,
  box: { south: 46, west: 1, north: 48, east: 3 },
  edgeAirports: [point],
  admin1: 'FR.11',
  adminRank: 5,
  population: 2_000_000,
  timezone: 'Europe/Paris',
  externalIds: ['wd:Q90'],
  alternateNames: ['Parigi', { value: 'PAR', kind: 'code' as const }, { value: 'Пари', kind: 'romanized' as const }],
} satisfies Required<Omit<Place, 'id' | 'type' | 'names' | 'country' | 'admin2' | 'likelyPopulation' | 'importance'>> &
  PlaceSketch;

const everyNumberBelow = (end: number) => Array.from({ length: end }, (_, i) => i);

// Otherwise scans would miss places: they stop at an importance (`idLimit`, `importanceFloor`), read lists of the
// most important places (`rangeTops`), and expect that posting flags 0 cost least.
test('without a point, no match scores above the importance of its place, or above a match with posting flags 0', async () => {
  const index = openIndex(
    await anIndex(PLACE_TYPES.flatMap((type) => [aPlace({ type }), aPlace({ type, ...everyFact })])),
  );
  const candidates = new Candidates(index, 1);
  const scoring = { interpretation: 0, penalty: 0, namesakeImportance: 0, onlyWellKnown: false, text: '' };
  const unlimited = { aliasCeiling: Number.POSITIVE_INFINITY, maxScore: Number.POSITIVE_INFINITY };
  const scoreOf = (place: number, flags: number) => {
    candidates.reset(undefined, 1);
    candidates.offerPosting(place | (flags << POSTING.flagShift), index.slotPosting[index.placeSlots[place]!]!, true);
    return candidates.top.score[0]!;
  };
  for (const queryFlags of everyNumberBelow(4 << QUERY_FLAGS.lengthShift)) {
    candidates.setInterpretation({ ...scoring, ...unlimited, queryFlags });
    for (const match of Object.values(MATCH)) {
      for (const typos of everyNumberBelow(MAX_SCORED_TYPOS + 1)) {
        candidates.setMatch(match, typos);
        for (const place of everyNumberBelow(index.metadata.places)) {
          const best = scoreOf(place, 0);
          assert.ok(best <= index.placeImportance[place]! / MAX_IMPORTANCE, `place ${place} scores ${best}`);
          for (const flags of everyNumberBelow(1 << (32 - POSTING.flagShift))) {
            assert.ok(scoreOf(place, flags) <= best, `flags ${flags} cost less than flags 0`);
          }
        }
      }
    }
  }
});
