import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hit } from '../src/client.ts';
import { formatPoints, gainOf, noteOf, receiptOf, receiptText } from '../src/explanation.ts';

function aHit(criteria: Record<string, number>, decidedBy?: string): Hit {
  return { _rankingInfo: { criteria, decidedBy } } as unknown as Hit;
}

const PARIS = aHit({ score: 0.58, words: 0, typo: 0, exact: -0.3, geo: 0, importance: 0.88 }, 'importance');
const PAR = aHit({ score: 0.44, words: 0, typo: 0, exact: 0, geo: 0, importance: 0.44 });

test('a receipt has the parts that count, gains first, and why the hit is above the next one', () => {
  assert.deepEqual(receiptOf(PARIS, PAR), {
    score: 0.58,
    parts: [
      { criterion: 'importance', points: 0.88 },
      { criterion: 'exact', points: -0.3 },
    ],
    reason: 'More important than the next one (+0.44).',
  });
});

test('a note says that main places of a region are all of the hits, or some after those with its name', () => {
  const matchedRegion = { name: 'Lisbon', code: 'PT.14', level: 1 };
  const hits = (...codes: string[]) => codes.map((matchCode) => ({ matchCode }) as Hit);
  assert.equal(noteOf({ hits: hits('region', 'partial'), matchedRegion }), 'Main places of Lisbon.');
  assert.equal(noteOf({ hits: hits('partial', 'region'), matchedRegion }), 'Also main places of the region Lisbon.');
  assert.equal(noteOf({ hits: hits('partial'), matchedRegion }), '');
});

test('the last hit has no reason, and a hit of a reverse lookup has no receipt', () => {
  assert.equal(receiptOf(PAR, undefined)?.reason, undefined);
  assert.equal(receiptOf({} as Hit, PAR), undefined);
});

test('equal scores are said to be equal', () => {
  assert.match(receiptOf(aHit({ score: 0.44, importance: 0.44 }, 'id'), PAR)?.reason ?? '', /^Same score/);
});

test('every criterion that can decide has a sentence', () => {
  for (const criterion of ['words', 'typo', 'exact', 'position', 'name', 'geo', 'importance']) {
    const reason = receiptOf(aHit({ score: 1, [criterion]: 1 }, criterion), PAR)?.reason;
    assert.match(reason ?? '', /\(\+\d\.\d\d\)\.$/, criterion);
  }
});

test('screen readers read the score as a sum', () => {
  const receipt = receiptOf(PARIS, PAR);
  assert.equal(receipt && receiptText(receipt), 'Score 0.58: importance 0.88, incomplete name -0.30.');
});

test('the gain of a receipt is the sum before the losses', () => {
  const receipt = receiptOf(PARIS, PAR);
  assert.equal(receipt && gainOf(receipt), 0.88);
});

test('a part below a hundredth has four decimals', () => {
  assert.deepEqual([0.0006, -0.0006, 0.45, -1].map(formatPoints), ['0.0006', '0.0006', '0.45', '1.00']);
});
