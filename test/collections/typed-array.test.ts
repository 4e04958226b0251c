import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillWith, grown, sequence } from '../../src/collections/typed-array.ts';

test('a grown array has the same type and items, and zeros in at least twice the length', () => {
  assert.deepEqual(grown(Int32Array.of(1, -2, 3)), Int32Array.of(1, -2, 3, 0, 0, 0));
  assert.deepEqual(grown(Uint16Array.of(1, 2), 3), Uint16Array.of(1, 2, 0, 0));
  assert.deepEqual(grown(Uint8Array.of(1), 5), Uint8Array.of(1, 0, 0, 0, 0));
});

test('an array is filled in place', () => {
  const array = new Float64Array(3);
  assert.equal(
    fillWith(array, (i) => i / 2),
    array,
  );
  assert.deepEqual(array, Float64Array.of(0, 0.5, 1));
});

test('a sequence counts up from 0', () => {
  assert.deepEqual(sequence(4), Uint32Array.of(0, 1, 2, 3));
  assert.deepEqual(sequence(0), new Uint32Array(0));
});
