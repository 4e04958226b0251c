import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { anEngine, aPlace, aQuery, idsOf } from '../../../../test/support/an-engine.ts';
import { competingScore, confidences } from '../../src/rank/confidence.ts';

const texas = { country: 'US', admin1: 'US.TX' };
const places = [
  aPlace({ id: 'G1', name: 'Paris', population: 2_000_000, alternateNames: ['Lutèce'] }),
  aPlace({ id: 'G2', name: 'Paris', population: 25_000, lat: 33.7, lng: -95.6, ...texas }),
  aPlace({ id: 'G3', name: 'Dallas', population: 1_300_000, lat: 32.8, lng: -96.8, ...texas }),
  aPlace({ id: 'G4', name: 'Springfield', population: 110_000, lat: 39.8, lng: -89.6, country: 'US', admin1: 'US.IL' }),
  aPlace({ id: 'G5', name: 'Springfield', population: 110_000, lat: 37.2, lng: -93.3, country: 'US', admin1: 'US.MO' }),
];
const engine = await anEngine(places);

const confidenceOf = (text: string, id: string) =>
  engine.search(aQuery(text)).hits.find(({ objectID }) => objectID === id)?.confidence ?? 0;

describe('confidence', () => {
  test('the hits of a page share less than 1, because none may be meant', () => {
    for (const text of ['paris', 'springfield', 'dallas', 'texas']) {
      const sum = engine.search(aQuery(text)).hits.reduce((total, { confidence = 0 }) => total + confidence, 0);
      assert.ok(sum > 0 && sum < 1, `${text}: ${sum}`);
    }
  });

  test('a region, more letters and right spelling make a hit surer', () => {
    const rows = [
      ['G2', 'paris', 'paris, texas'],
      ['G4', 'springfield', 'springfield illinois'],
      ['G3', 'da', 'dalla'],
      ['G3', 'dall', 'dallas'],
      ['G3', 'dalas', 'dallas'],
    ] as const;
    for (const [id, less, more] of rows) {
      assert.ok(
        confidenceOf(less, id) < confidenceOf(more, id),
        `${less}: ${confidenceOf(less, id)}, ${more}: ${confidenceOf(more, id)}`,
      );
    }
  });

  test('a place of a region that has the name of the best hit hardly competes, unlike a namesake', () => {
    const bestBeside = (...others: number[]) =>
      confidences({ scores: [0.8, ...others], bestScore: 0.8, kind: 'mainName', matches: 2, text: 'new york' })[0]!;
    assert.ok(bestBeside() - bestBeside(competingScore(0.7, true, 'mainName')) < 0.03);
    assert.ok(bestBeside() - bestBeside(competingScore(0.7, false, 'mainName')) > 0.05);
    assert.equal(competingScore(0.7, true, 'regionAlone'), 0.7);
  });
});

describe('match codes', () => {
  for (const [text, codes] of [
    ['paris', { G1: 'exact', G2: 'exact' }],
    ['paris, texas', { G2: 'exact' }],
    ['lutece', { G1: 'alias' }],
    ['springfield', { G4: 'ambiguous', G5: 'ambiguous' }],
    ['springfield illinois', { G4: 'exact' }],
    ['dalas', { G3: 'corrected' }],
    ['dallas teaxs', { G3: 'corrected' }],
    ['dall', { G3: 'partial' }],
    ['dallas tex', { G3: 'partial' }],
    ['dallas airport', { G3: 'partial' }],
    ['texas', { G3: 'region', G2: 'region' }],
    ['', { G1: 'ambiguous', G2: 'ambiguous', G3: 'ambiguous', G4: 'ambiguous', G5: 'ambiguous' }],
  ] as const) {
    test(`"${text}"`, () => {
      const { hits } = engine.search(aQuery(text));
      assert.deepEqual(Object.fromEntries(hits.map((hit) => [hit.objectID, hit.matchCode])), codes);
    });
  }
});

test('a page has the same confidences whatever its number of hits, with and without an explanation', () => {
  const confidencesOf = (limit: number, explain = false) =>
    engine.search(aQuery('paris', { limit, explain })).hits.map(({ confidence }) => confidence);
  const all = confidencesOf(20);
  assert.equal(all.length, 2);
  assert.ok(all[0]! > all[1]! && all[1]! > 0);
  assert.deepEqual(confidencesOf(1), [all[0]]);
  assert.deepEqual(confidencesOf(20, true), all);
});

test('without text every hit has confidence 0, and a reverse lookup has no confidence', () => {
  assert.deepEqual(new Set(engine.search(aQuery('')).hits.map(({ confidence }) => confidence)), new Set([0]));
  const nearest = engine.reverse({ at: { lat: 47, lng: 2 }, limit: 1 }).hits[0];
  assert.deepEqual([nearest?.confidence, nearest?.matchCode], [undefined, undefined]);
});

describe('minConfidence', () => {
  test('leaves out hits below it, and the total counts the others', () => {
    const [first, second] = engine.search(aQuery('paris')).hits.map(({ confidence }) => confidence!);
    const at = (minConfidence: number) => {
      const { hits, total, isTotalExact } = engine.search(aQuery('paris', { minConfidence }));
      return { ids: hits.map(({ objectID }) => objectID), total, isTotalExact };
    };
    assert.deepEqual(at(0), { ids: ['G1', 'G2'], total: 2, isTotalExact: true });
    assert.deepEqual(at(second!), { ids: ['G1', 'G2'], total: 2, isTotalExact: true });
    assert.deepEqual(at(first!), { ids: ['G1'], total: 1, isTotalExact: true });
    assert.deepEqual(at(1), { ids: [], total: 0, isTotalExact: true });
  });

  test('leaves out all hits if there is no text', () => {
    assert.deepEqual(idsOf(engine.search(aQuery('', { minConfidence: 0.1 }))), []);
  });

  test('leaves match codes as they are', () => {
    const { hits } = engine.search(aQuery('springfield', { minConfidence: 0.1 }));
    assert.deepEqual(
      hits.map(({ matchCode }) => matchCode),
      ['ambiguous', 'ambiguous'],
    );
  });
});
