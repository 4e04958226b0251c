import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GrowingArray } from '../../src/collections/growing-array.ts';
import { seededRandom } from '../support/seeded-random.ts';

test('a growing array holds the same numbers as a plain list', () => {
  const random = seededRandom(1);
  const growing = new GrowingArray(Uint32Array);
  const plain: number[] = [];
  for (let round = 0; round < 2_000; round++) {
    const values = Array.from({ length: random(9) }, () => random(2 ** 32));
    if (values.length === 1) growing.push(values[0] as number);
    else growing.pushAll(values);
    plain.push(...values);
  }
  assert.equal(growing.length, plain.length);
  assert.deepEqual([...growing.view()], plain);
  assert.deepEqual([...growing.toArray()], plain);
  assert.deepEqual(
    plain.map((_, i) => growing.at(i)),
    plain,
  );
});

test('appending more than twice the capacity at once keeps all numbers', () => {
  const values = Array.from({ length: 5_000 }, (_, i) => i / 2);
  const growing = new GrowingArray(Float64Array);
  growing.push(-1);
  growing.pushAll(values);
  assert.deepEqual([...growing.view()], [-1, ...values]);
});

test('a copy does not change when the growing array does', () => {
  const growing = new GrowingArray(Uint8Array);
  growing.push(7);
  const copy = growing.toArray();
  growing.view()[0] = 8;
  assert.deepEqual([...copy], [7]);
});
