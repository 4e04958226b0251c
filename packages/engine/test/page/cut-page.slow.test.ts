/** A smaller page is the start of a larger one, for any query. Over the embedded data. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idsOf } from '../../../../test/support/an-engine.ts';
import { embeddedEngine as engine } from '../../../../test/support/embedded-engine.ts';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import type { SearchQuery } from '../../src/engine.ts';

const LIMITS = [1, 2, 3, 5, 10, 19, 20];
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const NAMES = ['paris', 'san jose', 'springfield il', 'new york', 'birmigham', 'saint', 'valencia', 'st', 'ba', 'lon'];
test('without a point a smaller page is the start of a larger one', () => {
  for (const text of someTexts(1)) {
    for (const rest of [{}, { countries: ['US', 'FR'] }, { types: ['village', 'hamlet'] }] as const) {
      assertPrefixes({ text, ...rest });
    }
  }
});

test('with a radius a smaller page is the start of a larger one', () => {
  for (const text of someTexts(2).slice(0, 8)) {
    assertPrefixes({ text, around: { lat: 48.85, lng: 2.35 }, radiusMeters: 300_000 });
  }
});

test('with a point, the hits of a smaller page are all on the larger one, in the same order', () => {
  for (const text of someTexts(3)) {
    for (const around of [
      { lat: 48.85, lng: 2.35 },
      { lat: 33.66, lng: -95.55 },
    ]) {
      const pages = pagesOf({ text, around });
      assert.deepEqual(pages[0], pages.at(-1)!.slice(0, 1), `"${text}", the first hit`);
      for (let i = 2; i < pages.length; i++) {
        const smaller = pages[i - 1]!;
        const larger = pages[i]!.filter((id) => smaller.includes(id));
        assert.deepEqual(larger, smaller, `"${text}", ${LIMITS[i - 1]} and ${LIMITS[i]} hits`);
      }
    }
  }
});

test('with a point, a page of two hits shows the best match anywhere and the best match nearby', () => {
  const nearParis = { text: 'london', around: { lat: 48.85, lng: 2.35 } };
  const best = idsOf(engine.search({ text: 'london', limit: 1 }))[0]!;
  assert.ok(idsOf(engine.search({ ...nearParis, limit: 2 })).includes(best));
  const inTexas = idsOf(engine.search({ text: 'paris', around: { lat: 33.66, lng: -95.55 }, limit: 2 }));
  assert.ok(inTexas.includes('G4717560') && inTexas.includes('G2988507'), inTexas.join());
});

function assertPrefixes(query: Omit<SearchQuery, 'limit'>): void {
  const pages = pagesOf(query);
  const whole = pages.at(-1)!;
  for (const [i, limit] of LIMITS.entries()) {
    assert.deepEqual(pages[i], whole.slice(0, limit), `${JSON.stringify(query)}, ${limit} hits`);
  }
}

function pagesOf(query: Omit<SearchQuery, 'limit'>): string[][] {
  return LIMITS.map((limit) => idsOf(engine.search({ ...query, limit })));
}

/**
 * The empty text, every third letter, random texts of two to four letters, and names with prefixes of
 * them.
 */
function someTexts(seed: number): string[] {
  const random = seededRandom(seed);
  const letters = (count: number) => Array.from({ length: count }, () => LETTERS[random(26)]).join('');
  const prefixes = NAMES.flatMap((name) => [name, name.slice(0, 2 + random(4))]);
  const short = Array.from({ length: 9 }, (_, i) => letters(2 + (i % 3)));
  return ['', 'par', ...LETTERS.slice(random(3)).replaceAll(/(.)../g, '$1'), ...prefixes, ...short];
}
