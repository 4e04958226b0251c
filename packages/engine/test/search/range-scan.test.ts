/**
 * Lists, limits and skipped blocks must not change a result: a search among thousands of names is
 * compared with scoring every name.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anIndex, aPlace, aQuery } from '../../../../test/support/an-engine.ts';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import { openIndex } from '../../src/index-file/open-index.ts';
import { readPopulation } from '../../src/index-file/packed-record.ts';
import { isMainFromStart, POSTING } from '../../src/index-file/posting.ts';
import { openEngine } from '../../src/open-engine.ts';
import type { PlaceName } from '../../src/place/place.ts';
import { distanceMeters, type LatLng } from '../../src/place/sphere.ts';
import { lengthClass, matchPenalties, nearnessBonus, penaltyIndex, QUERY_FLAGS } from '../../src/rank/scores.ts';

const random = seededRandom(11);
const SYLLABLES = ['ba', 'be', 'bo', 'ra', 'ri', 'ta', 'ti', 'no', 'ní', 'sé'];
const KINDS: readonly PlaceName['kind'][] = ['alternate', 'historic', 'romanized'];
const COUNTRIES = ['US', 'US', 'US', 'DE', 'CA'];

function aWord(): string {
  return Array.from({ length: 3 + random(2) }, () => SYLLABLES[random(SYLLABLES.length)]).join('');
}

function aName(): string {
  return random(3) === 0 ? `${aWord()} ${aWord()}` : aWord();
}

const taken = new Set<string>();
/** A name that no other place has. */
function aNewName(): string {
  let name = aName();
  while (taken.has(name)) name = aName();
  taken.add(name);
  return name;
}

/** Names that often start alike, so that a place occurs several times in a range. */
function someNames(): { name: string; alternateNames: PlaceName[] } {
  const name = aNewName();
  const alternateNames = Array.from({ length: random(5) }, () => ({
    value: `${random(3) === 0 ? '' : name.slice(0, 2)}${aName()}`,
    kind: KINDS[random(KINDS.length)]!,
  }));
  return { name, alternateNames };
}

const bytes = await anIndex(
  Array.from({ length: 4000 }, (_, i) =>
    aPlace({
      id: `G${i + 1}`,
      ...someNames(),
      lat: random(1400) / 10 - 70,
      lng: i * 0.08 - 160,
      population: Math.floor(10 ** (2 + random(5000) / 1000)),
      country: COUNTRIES[random(COUNTRIES.length)]!,
    }),
  ),
);
const engine = openEngine(bytes);
const index = openIndex(bytes);

interface Scored {
  readonly score: number;
  /** -1 unless the main name starts with the text. */
  readonly population: number;
}

/**
 * The best hits by reading every posting whose key starts with the text; no key is the text itself.
 */
function bestOf(text: string, { around, country }: { around?: LatLng; country?: string }): Scored[] {
  const queryFlags =
    (lengthClass(text.length) << QUERY_FLAGS.lengthShift) | (/^[a-z]*$/.test(text) ? QUERY_FLAGS.isPlain : 0);
  const scored = new Map<number, Scored>();
  for (const { place, position } of keysFrom(text)) {
    if (country !== undefined && index.metadata.countries[index.placeCountry[place]! - 1] !== country) continue;
    const flags = index.postings[position]! >>> POSTING.flagShift;
    const penalties = penaltyIndex(2, 0, queryFlags) | flags;
    const score = index.placeImportance[place]! / 0xffff - matchPenalties[penalties]! + bonus(place, around);
    if (score <= (scored.get(place)?.score ?? Number.NEGATIVE_INFINITY)) continue;
    scored.set(place, { score, population: isMainFromStart(flags) ? readPopulation(index, place) : -1 });
  }
  return [...scored.values()].sort((a, b) => b.score - a.score);
}

/** Scores of the page: for two or three letters, the best places and the most populous ones. */
function pageOf(text: string, best: readonly Scored[], limit: number): number[] {
  if (text.length === 1) return best.slice(0, limit).map(({ score }) => score);
  const populous = best.slice(8, 40).sort((a, b) => b.population - a.population);
  const shown = [...best.slice(0, 8), ...populous].slice(0, 20);
  const scores = shown.map(({ score }) => score).sort((a, b) => b - a);
  return scores.slice(0, limit);
}

/** The postings of keys that start with the text, by walking the whole trie. */
function* keysFrom(text: string): Iterable<{ place: number; position: number }> {
  const {
    nameTrieEdgeLetter,
    nameTrieChildStart,
    nameTrieTailStart,
    nameTrieTailLetters,
    nameTriePostingStart,
    postings,
  } = index;
  const nodes = [{ node: 0, key: '', end: postings.length }];
  for (let next = nodes.pop(); next !== undefined; next = nodes.pop()) {
    const first = nameTrieChildStart[next.node]!;
    const last = nameTrieChildStart[next.node + 1]!;
    const ownEnd = first < last ? nameTriePostingStart[first]! : next.end;
    for (let position = nameTriePostingStart[next.node]!; position < ownEnd && next.key.startsWith(text); position++) {
      yield { place: postings[position]! & POSTING.placeMask, position };
    }
    for (let node = first; node < last; node++) {
      const tail = nameTrieTailLetters.subarray(nameTrieTailStart[node]!, nameTrieTailStart[node + 1]!);
      const key = next.key + String.fromCharCode(nameTrieEdgeLetter[node]!, ...tail);
      nodes.push({ node, key, end: node + 1 < last ? nameTriePostingStart[node + 1]! : next.end });
    }
  }
}

function bonus(place: number, around: LatLng | undefined): number {
  const { placeLatE7, placeLngE7 } = index;
  if (around === undefined) return 0;
  const lat = placeLatE7[place]! / 1e7;
  if (Math.abs(lat - around.lat) > 20) return 0;
  const meters = distanceMeters(around.lat, around.lng, lat, placeLngE7[place]! / 1e7);
  return nearnessBonus(meters);
}

const rounded = (scores: readonly number[]) => scores.map((score) => score.toFixed(9));

for (const text of ['b', 'ba', 'bar', 'n', 'no', 'ta', 'tib', 's', 'r', 'be']) {
  test(`the best of all names that start with "${text}" are found`, () => {
    for (const limit of [1, 10, 20]) {
      const found = engine.search(aQuery(text, { limit })).hits.map(({ score }) => score);
      assert.deepEqual(rounded(found), rounded(pageOf(text, bestOf(text, {}), limit)), String(limit));
    }
    const inCanada = engine.search(aQuery(text, { limit: 10, countries: ['CA'] })).hits.map(({ score }) => score);
    assert.deepEqual(rounded(inCanada), rounded(pageOf(text, bestOf(text, { country: 'CA' }), 10)));
  });
}

// for one letter, only the most important places and those within 50 km are scored
for (const text of ['ba', 'bar', 'no', 'ta', 'tib', 'be', 'rita']) {
  test(`near a point, the best of all names that start with "${text}" comes first`, () => {
    const around = { lat: 10, lng: 20 };
    const [first] = engine.search(aQuery(text, { limit: 10, around })).hits;
    assert.equal(first?.score.toFixed(9), bestOf(text, { around })[0]?.score.toFixed(9));
  });
}
