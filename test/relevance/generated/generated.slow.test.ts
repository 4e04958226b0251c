/** Compares a part of the generated queries with the floor. `npm run relevance -- --generated` runs all. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIndex } from 'toponym-engine/index-file/open-index';
import { embeddedBytes, embeddedEngine } from '../../support/embedded-engine.ts';
import { readFloor } from '../scoring.ts';
import { GENERATED_FLOOR, TESTED_PER_CLASS, testedOutcomes } from './measuring.ts';

/** Two rankings of equal quality differ by this many in a class. */
const SLACK = 2;

test('about as many generated queries of each class pass as the floor says', () => {
  const floor = readFloor(GENERATED_FLOOR);
  const outcomes = testedOutcomes(openIndex(embeddedBytes), embeddedEngine);
  const names = outcomes.map(({ name }) => name).sort();
  assert.deepEqual(Object.keys(floor).sort(), names, 'write it with `npm run relevance -- --generated --raise`');
  const worse = outcomes.filter(({ name, passed }) => passed < floor[name]! - SLACK);
  assert.deepEqual(worse, [], `of ${TESTED_PER_CLASS} in each class`);
});
