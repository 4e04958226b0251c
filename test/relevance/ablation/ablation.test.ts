import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEngine, aPlace } from '../../support/an-engine.ts';
import { ablate, netInterval, totalWorth } from './ablation.ts';
import type { SuiteCase } from './suites.ts';

const engine = await anEngine([aPlace({ id: 'G1', name: 'Paris' }), aPlace({ id: 'G2', name: 'Lyon' })]);

const NONE = { work: 0, millis: 0 };

function findsFirst(text: string, id: string): SuiteCase {
  return { query: { text, limit: 5 }, passes: ({ hits: [first] }) => first?.objectID === id };
}

test('a part is worth the cases that fail without it', () => {
  const suites = [
    { name: 'a', cases: [findsFirst('paris', 'G1'), findsFirst('parsi', 'G1'), findsFirst('lyno', 'G2')] },
  ];
  const worths = [...ablate(suites, () => engine)].map((ofPart) => totalWorth(ofPart, 'all'));
  const changes = worths.filter(({ lost, gained }) => lost + gained > 0);
  assert.deepEqual(
    changes.map(({ part, cases, lost, gained }) => ({ part, cases, lost, gained })),
    [
      { part: 'asTyped', cases: 3, lost: 3, gained: 0 },
      { part: 'oneTypo', cases: 3, lost: 2, gained: 0 },
    ],
  );
  assert.equal(engine.search({ text: 'parsi', limit: 5 }).hits.length, 1);
});

test('the interval of a difference is wide for few changed cases, and never empty', () => {
  const interval = (lost: number, gained: number) =>
    netInterval(
      totalWorth([{ part: '', suite: '', cases: 100, searches: 0, lost, gained, cost: NONE, saved: NONE }], ''),
    );
  const [low, high] = interval(10, 0);
  assert.ok(low < -0.1 && high > -0.1 && high < 0);
  const [lowest, highest] = interval(0, 0);
  assert.ok(lowest < 0 && highest > 0);
});
