import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdTickShape } from '../../../src/serve/threads/tick-shape.ts';

test('an object of those that process.nextTick makes is held', () => {
  const held = holdTickShape();
  assert.deepEqual(Object.keys(held ?? {}), ['callback', 'args']);
});
