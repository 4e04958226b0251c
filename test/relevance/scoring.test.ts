import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEngine, aPlace } from '../support/an-engine.ts';
import type { RelevanceCase } from './cases.ts';
import { describeFailures, queryOf, raisedFloor, runTopics, scoreCase } from './scoring.ts';

const engine = await anEngine([
  aPlace({ id: 'G1', name: 'Ham', population: 9000, lat: 10 }),
  aPlace({ id: 'G2', name: 'Ham', population: 5000, lat: 20 }),
  aPlace({ id: 'G3', name: 'Ham', population: 1000, lat: 30 }),
]);

function aCase(rest: Partial<RelevanceCase>): RelevanceCase {
  return { query: 'ham', intent: 'A village', expect: ['G1'], within: 1, ...rest };
}

function scoreOf(rest: Partial<RelevanceCase>) {
  const item = aCase(rest);
  return scoreCase(item, engine.search(queryOf(item)));
}

test('a case passes if its place ranks high enough', () => {
  assert.deepEqual(scoreOf({}), { passed: true, rank: 1 });
  assert.deepEqual(scoreOf({ expect: ['G3'], within: 3 }), { passed: true, rank: 3 });
});

test('a case passes by the best of several acceptable places', () => {
  assert.deepEqual(scoreOf({ expect: ['G3', 'G2'], within: 3 }), { passed: true, rank: 2 });
});

test('a case fails if its place ranks too low, and reports the rank', () => {
  assert.deepEqual(scoreOf({ expect: ['G2'] }), { passed: false, rank: 2, reason: 'at rank 2, expected within 1' });
});

test('a case fails if its place is not on the page', () => {
  assert.deepEqual(scoreOf({ expect: ['G9'] }), { passed: false, reason: 'not on the page' });
});

test('a case fails if its place has another label, and reports that label', () => {
  const label = 'Ham (10.000, 2.000), France';
  assert.deepEqual(scoreOf({ label }), { passed: true, rank: 1 });
  assert.deepEqual(scoreOf({ label: 'Ham' }), { passed: false, rank: 1, reason: `labelled "${label}"` });
});

test('a case fails if one settlement is shown twice', () => {
  const reason = 'shown twice, as G1 and G3';
  assert.deepEqual(scoreOf({ duplicates: ['G1', 'G3'] }), { passed: false, rank: 1, reason });
  assert.deepEqual(scoreOf({ duplicates: ['G1', 'G9'] }), { passed: true, rank: 1 });
});

test('the query of a case has its options but not its expectations', () => {
  const item = aCase({
    countries: ['FR'],
    types: ['village'],
    around: { lat: 1, lng: 2 },
    radiusMeters: 5,
    duplicates: [],
  });
  assert.deepEqual(queryOf(item), {
    text: 'ham',
    limit: 20,
    countries: ['FR'],
    types: ['village'],
    around: { lat: 1, lng: 2 },
    radiusMeters: 5,
  });
});

test('a topic counts passing cases and first ranks, and describes failures', () => {
  const cases = [aCase({}), aCase({ expect: ['G2'], within: 3 }), aCase({ expect: ['G9'] })];
  const [outcome] = runTopics(engine, [{ name: 'hams', cases }]);
  assert.ok(outcome);
  assert.deepEqual([outcome.passed, outcome.first], [2, 1]);
  assert.match(
    describeFailures(outcome),
    /^hams: 1 failing\n {2}"ham" \(A village\)\n {6}G9 not on the page; shown: Ham \(10/,
  );
});

test('the floor rises to the number of passing cases and never falls', () => {
  const outcome = (name: string, passed: number) => ({ name, passed, first: 0, outcomes: [] });
  const topics = [outcome('better', 7), outcome('worse', 3), outcome('new', 2)];
  assert.deepEqual(raisedFloor({ better: 5, worse: 4, gone: 9 }, topics), { better: 7, worse: 4, new: 2 });
});
