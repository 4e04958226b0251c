import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdTickShape } from '../../../src/serve/threads/tick-shape.ts';

test('one of the objects that process.nextTick creates is retained', () => {
  const held = holdTickShape();
  assert.deepEqual(Object.keys(held ?? {}), ['callback', 'args']);
});
