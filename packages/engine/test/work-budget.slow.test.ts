/** No search exceeds its work budget. Over the embedded data. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TOPICS } from '../../../test/relevance/cases.ts';
import { queryOf } from '../../../test/relevance/scoring.ts';
import { idsOf } from '../../../test/support/an-engine.ts';
import { embeddedEngine as engine, embeddedBytes as index } from '../../../test/support/embedded-engine.ts';
import type { SearchQuery, SearchResult } from '../src/engine.ts';
import { openEngine } from '../src/open-engine.ts';
import { PlaceFilter } from '../src/rank/place-filter.ts';
import { MAX_WORK, WorkBudget } from '../src/work-budget.ts';

/**
 * The slowest known queries, found without a budget by random search and by mutating the slowest
 * ones.
 */
const OVER_BUDGET = ['north Stavropol’ ne york ha Gw', 'north Stavropol’ ne france ha cw'];
const WORLD = { south: -90, west: -180, north: 90, east: 180 };
const SLOW: readonly SearchQuery[] = [
  ...OVER_BUDGET.map((text) => ({ text, limit: 20 })),
  { text: 'Livinagston Śląs hhjvuf Rājshāhi Saxā Mevasseret Taicatng shi ew york saint cyok', limit: 20 },
  { text: 'dregin Bvass Si Wepeelben bUbud saint tenhewb asnta Vf Ljnughuqen Podlaska Piedias Rey', limit: 20 },
  { text: 'iNa de Adzopé Ai', limit: 20, around: { lat: -33, lng: 151 }, radiusMeters: 1_000_000 },
  { text: 'Pinang', limit: 20, around: { lat: 31.2, lng: 121.4 }, radiusMeters: 1_000_000 },
  { text: 'ao ebenajd n j北 Stavropol', limit: 20, countries: ['US', 'CN', 'IN'] },
  { text: 'ce, ta, ca', limit: 20, box: WORLD },
  { text: '', limit: 20, around: { lat: 90, lng: 0 }, radiusMeters: 20_037_508 },
  { text: '', limit: 20, around: { lat: 48.85, lng: 2.35 }, types: ['hamlet'], countries: ['AQ'] },
];

test('the slowest known queries stay within the work budget', () => {
  for (const query of SLOW) {
    const { work = 0 } = engine.search(query);
    assert.ok(work > 0 && work <= MAX_WORK, `${JSON.stringify(query)}: ${work}`);
  }
});

test('a filter that measures places costs a unit for each place that it tests', (context) => {
  const accepts = context.mock.method(PlaceFilter.prototype, 'accepts');
  for (const filters of [{ box: WORLD }, { around: { lat: 0, lng: 0 }, radiusMeters: 20_000_000 }]) {
    for (const text of ['ce, ta, ca', 'no ga sa ms', 'gb ar sa wa']) {
      accepts.mock.resetCalls();
      const { work = 0 } = engine.search({ text, limit: 20, ...filters });
      const tested = accepts.mock.callCount();
      assert.ok(tested <= work, `${text}: ${tested} places tested for ${work} units`);
    }
  }
});

test('coordinates with a small box or radius find all places in it, near or far, with little work', () => {
  const box = { south: 43.295, west: 5.375, north: 43.3, east: 5.39 };
  const inBox = engine.search({ text: '', limit: 20, box });
  assert.ok(inBox.total > 0 && inBox.total < 20, 'few enough for a sample to miss them');
  for (const text of ['43.3, 5.4', '48.85, 2.35', '-40, -100']) {
    for (const filters of [{ box }, { around: { lat: 43.2975, lng: 5.3825 }, radiusMeters: 500 }]) {
      const { hits, total, isTotalExact, work = 0 } = engine.search({ text, limit: 20, ...filters });
      assert.deepEqual([hits.length > 0, total, isTotalExact], [true, hits.length, true], text);
      assert.ok(work < 5000, `${text}: ${work} units`);
    }
    assert.equal(engine.search({ text, limit: 20, box }).total, inBox.total);
  }
});

test('coordinates far from a wide radius measure the distances of few places', (context) => {
  const accepts = context.mock.method(PlaceFilter.prototype, 'accepts');
  const wide = { around: { lat: 48, lng: 8 }, radiusMeters: 1_000_000 };
  const { work = 0 } = engine.search({ text: '-42.971, -150.494', limit: 20, ...wide });
  assert.ok(work <= MAX_WORK);
  const counted = 65_536; // the sample of the total
  assert.ok(accepts.mock.callCount() <= counted + MAX_WORK / 8, `${accepts.mock.callCount()}`);
});

test('a search that uses up its budget returns its hits so far and reports that it is not exhaustive', () => {
  for (const text of OVER_BUDGET) {
    const result = engine.search({ text, limit: 20 });
    assert.deepEqual([result.isExhaustive, result.isTotalExact], [false, false], text);
    assert.equal(result.hits.length, 20, text);
  }
});

test('a search is cut short at the same point every time, whatever was searched before', () => {
  const frugal = openEngine(index, { maxWork: 60_000 });
  const first = SLOW.map((query) => shown(frugal.search(query)));
  assert.ok(first.filter(({ isExhaustive }) => !isExhaustive).length > 4);
  for (const query of SLOW.toReversed()) frugal.search(query);
  assert.deepEqual(
    SLOW.map((query) => shown(frugal.search(query))),
    first,
  );
  const fresh = openEngine(index, { maxWork: 60_000 });
  assert.deepEqual(
    SLOW.toReversed().map((query) => shown(fresh.search(query))),
    first.toReversed(),
  );
});

test('results do not depend on misspelt regions in the cache', () => {
  const text = 'north york ha Livinagston Rājshāhi Gw';
  const fresh = openEngine(index, { maxWork: 60_000 });
  const warm = openEngine(index, { maxWork: 60_000 });
  for (const word of text.split(' ')) warm.search({ text: `x ${word}`, limit: 20 });
  for (const word of text.split(' ')) warm.search({ text: word, limit: 20 });
  assert.deepEqual(shown(warm.search({ text, limit: 20 })), shown(fresh.search({ text, limit: 20 })));
});

test('browsing a circle with too many places finds the most important ones with an inexact total', () => {
  const query = { text: '', limit: 5, around: { lat: 0, lng: 0 }, radiusMeters: 20_037_508 };
  const cut = openEngine(index, { maxWork: 100_000 }).search(query);
  assert.deepEqual(idsOf(cut), idsOf(engine.search(query)));
  assert.deepEqual([cut.isExhaustive, cut.isTotalExact], [true, false]);
  const rare = openEngine(index, { maxWork: 100_000 }).search({
    ...query,
    countries: ['AQ'],
    types: ['city'],
  });
  assert.deepEqual([rare.isExhaustive, rare.isTotalExact], [false, false]);
});

test('browsing more places than the budget allows estimates their number, for any page size', () => {
  const frugal = openEngine(index, { maxWork: 100_000 });
  const around = { lat: 20, lng: 20 };
  for (const scope of [
    { around, radiusMeters: 9_000_000 },
    { around, radiusMeters: 9_000_000, types: ['city'] as const },
    { countries: ['FR'] },
    { countries: ['US', 'IN'], types: ['town', 'village'] as const },
  ]) {
    const { total: truth, isTotalExact } = engine.search({ text: '', limit: 20, ...scope });
    assert.ok(isTotalExact);
    const estimates = [1, 5, 20].map((limit) => frugal.search({ text: '', limit, ...scope }));
    for (const estimate of estimates) {
      assert.equal(estimate.isTotalExact, false);
      assert.equal(estimate.total, estimates[0]?.total);
      assert.ok(Math.abs(estimate.total - truth) <= 0.2 * truth, `${estimate.total} instead of ${truth}`);
    }
  }
});

test('reverse with a filter that no place nearby passes is bounded too', () => {
  const at = { lat: 0, lng: 0 };
  const types = ['locality'] as const;
  const whole = engine.reverse({ at, limit: 20, types });
  assert.ok(whole.isExhaustive && (whole.work ?? 0) <= MAX_WORK);
  const cut = openEngine(index, { maxWork: 1000 }).reverse({ at, limit: 20, types });
  assert.equal(cut.isExhaustive, false);
  assert.ok((cut.work ?? 0) <= 1000);
});

test('no query of the relevance tests uses up the budget', () => {
  for (const { cases } of TOPICS) {
    for (const each of cases) {
      const { isExhaustive, work = 0 } = engine.search(queryOf(each));
      assert.ok(isExhaustive && work < MAX_WORK, `${each.query}: ${work}`);
    }
  }
});

test('a budget grants what is left, and a reserve is available after its release', () => {
  const work = new WorkBudget(100);
  const reserved = work.reserve(0.3);
  assert.deepEqual([reserved, work.spend(60), work.grant(20)], [30, true, 10]);
  assert.deepEqual([work.spend(1), work.isExceeded], [false, true]);
  work.release(reserved);
  assert.deepEqual([work.spend(30), work.spend(1), work.used], [true, false, 100]);
  work.reset();
  assert.deepEqual([work.used, work.isExceeded, work.spend(100)], [0, false, true]);
});

function shown(result: SearchResult) {
  const { total, isTotalExact, isExhaustive, work } = result;
  return { ids: idsOf(result), total, isTotalExact, isExhaustive, work };
}
