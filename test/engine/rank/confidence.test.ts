import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Calibration, competingScore, confidences } from '../../../src/engine/rank/confidence.ts';
import { anEngine, aPlace, aQuery, idsOf } from '../../support/an-engine.ts';

const row = { sharpness: 10, none: -2, nonePerScore: 0, nonePerLetter: 0, nonePerMatch: 0 };
const calibration = {
  mainName: row,
  partOfName: { ...row, none: 3, nonePerLetter: -2, nonePerMatch: 1 },
} as unknown as Calibration;
const page = { scores: [0.8, 0.7, 0.2], bestScore: 0.8, kind: 'mainName', matches: 3, text: 'ham' } as const;

describe('confidences', () => {
  test('hits and the possibility of none share a probability of 1, by the distance of their scores', () => {
    const weights = [1, Math.exp(-1), Math.exp(-6)];
    const sum = weights.reduce((total, weight) => total + weight, Math.exp(-2));
    const expected = weights.map((weight) => Math.floor((1000 * weight) / sum) / 1000);
    assert.deepEqual(confidences(page, calibration), expected);
  });

  test('a single hit is not certain, because none may be meant', () => {
    assert.deepEqual(confidences({ ...page, scores: [0.8] }, calibration), [0.88]);
  });

  test('the more letters of an unfinished name are typed, the surer its hit is', () => {
    const values = ['ha', 'hamb', 'hamburg'].map(
      (text) => confidences({ ...page, scores: [0.8], kind: 'partOfName', text }, calibration)[0]!,
    );
    assert.deepEqual(
      values,
      values.toSorted((a, b) => a - b),
    );
    assert.ok(values[0]! < values[2]!);
  });

  test('the more places match, the less sure the hit of an unfinished name is', () => {
    const confidenceWith = (matches: number) => confidences({ ...page, kind: 'partOfName', matches }, calibration)[0]!;
    assert.ok(confidenceWith(100) < confidenceWith(10));
  });

  test('a place of a region that has the name of the best hit hardly competes', () => {
    const scores = [0.8, competingScore(0.7, true, 'mainName')];
    const [best, placeOfRegion] = confidences({ ...page, scores }, calibration);
    assert.ok(best! > 0.85 && placeOfRegion! < 0.01);
    assert.equal(competingScore(0.7, true, 'regionAlone'), 0.7);
  });

  test('a page without hits has no confidences', () => {
    assert.deepEqual(confidences({ ...page, scores: [] }, calibration), []);
  });
});

const texas = { country: 'US', admin1: 'US.TX' };
const places = [
  aPlace({ id: 'G1', name: 'Paris', population: 2_000_000, alternateNames: ['Lutèce'] }),
  aPlace({ id: 'G2', name: 'Paris', population: 25_000, lat: 33.7, lng: -95.6, ...texas }),
  aPlace({ id: 'G3', name: 'Dallas', population: 1_300_000, lat: 32.8, lng: -96.8, ...texas }),
  aPlace({ id: 'G4', name: 'Springfield', population: 110_000, lat: 39.8, lng: -89.6, country: 'US', admin1: 'US.IL' }),
  aPlace({ id: 'G5', name: 'Springfield', population: 110_000, lat: 37.2, lng: -93.3, country: 'US', admin1: 'US.MO' }),
];
const engine = await anEngine(places);

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

test('a cached page of a short prefix has the confidences of the search', () => {
  const first = engine.search(aQuery('pa')).hits.map(({ confidence }) => confidence);
  const again = engine.search(aQuery('pa')).hits.map(({ confidence }) => confidence);
  assert.ok(first[0]! > 0);
  assert.deepEqual(again, first);
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
