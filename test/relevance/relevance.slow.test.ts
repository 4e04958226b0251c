/** Compares the relevance cases on the embedded data with the floor. `print.ts` shows details. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { embeddedEngine as engine } from '../support/embedded-engine.ts';
import { TOPICS } from './cases.ts';
import { describeFailures, readFloor, runTopics } from './scoring.ts';

const floor = readFloor();
const cases = TOPICS.flatMap((topic) => topic.cases);

test('every topic has a floor and every floor a topic', () => {
  const names = TOPICS.map(({ name }) => name).sort();
  assert.deepEqual(Object.keys(floor).sort(), names, 'floor.json: write it with `npm run relevance -- --raise`');
});

test('no case is repeated', () => {
  const texts = cases.map(({ intent: _, ...rest }) => JSON.stringify(rest));
  assert.deepEqual(texts, [...new Set(texts)]);
});

describe('on the embedded data', () => {
  test('every place that a case names is a current record', () => {
    const ids = cases.flatMap(({ expect, duplicates = [] }) => [...expect, ...duplicates]);
    const stale = ids.filter((id) => engine.get(id)?.record.objectID !== id);
    assert.deepEqual(stale, []);
  });

  for (const topic of TOPICS) {
    const minPassed = floor[topic.name] ?? 0;
    test(`${topic.name}: at least ${minPassed} of ${topic.cases.length} cases pass`, (t) => {
      const [outcome] = runTopics(engine, [topic]);
      assert.ok(outcome);
      assert.ok(
        outcome.passed >= minPassed,
        `${outcome.passed} of ${topic.cases.length} pass, the floor is ${minPassed}\n${describeFailures(outcome)}`,
      );
      if (outcome.passed > minPassed)
        t.diagnostic(`${outcome.passed} pass, the floor is ${minPassed}: raise it with npm run relevance -- --raise`);
    });
  }
});
