/**
 * The engine keeps answering what it once answered, on the embedded data. See `print.ts` for the
 * whole picture.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Engine } from '../../src/engine/engine.ts';
import { openEngine } from '../../src/engine/open-engine.ts';
import { readIndexFile } from '../../src/index-file/file.ts';
import { builtIndex } from '../support/built-index.ts';
import { readFloor } from './floor.ts';
import { describeFailures, runTopics } from './run-topics.ts';
import { TOPICS } from './topics.ts';

const floor = readFloor();
const cases = TOPICS.flatMap((topic) => topic.cases);

test('every topic has a floor and every floor a topic', () => {
  const names = TOPICS.map(({ name }) => name).sort();
  assert.deepEqual(Object.keys(floor).sort(), names, 'floor.json: write it with `npm run relevance -- --raise`');
});

test('no case is there twice', () => {
  const texts = cases.map(({ intent: _, ...asked }) => JSON.stringify(asked));
  assert.deepEqual(texts, [...new Set(texts)]);
});

describe('on the embedded data', () => {
  let engine: Engine;
  before(async () => {
    engine = openEngine(readIndexFile(await builtIndex()));
  });

  test('every place a case names is a current record', () => {
    const ids = cases.flatMap(({ expect, twins = [] }) => [expect, twins].flat());
    const stale = ids.filter((id) => engine.get(id)?.record.objectID !== id);
    assert.deepEqual(stale, []);
  });

  for (const topic of TOPICS) {
    const least = floor[topic.name] ?? 0;
    test(`${topic.name}: at least ${least} of ${topic.cases.length} find the place meant`, (t) => {
      const [outcome] = runTopics(engine, [topic]);
      assert.ok(outcome);
      assert.ok(
        outcome.passed >= least,
        `${outcome.passed} of ${topic.cases.length} pass, the floor is ${least}\n${describeFailures(outcome)}`,
      );
      if (outcome.passed > least)
        t.diagnostic(`${outcome.passed} pass, the floor is ${least}: raise it with npm run relevance -- --raise`);
    });
  }
});
