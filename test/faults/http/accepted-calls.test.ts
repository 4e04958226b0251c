import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AcceptedCalls } from '../../../faults/http/accepted-calls.ts';

/** Calls that were sent at these times; the response took 10 ms. */
function accepted(...sentMs: number[]): AcceptedCalls {
  const calls = new AcceptedCalls();
  for (const time of sentMs) calls.add(time, time + 10);
  return calls;
}

const SIXTY = Array.from({ length: 60 }, (_, i) => i);

test('60 calls in 60 seconds are within the limit, 61 are not', () => {
  assert.equal(accepted(...SIXTY).isOverLimit(), false);
  assert.equal(accepted(...SIXTY, 59_980).isOverLimit(), true);
});

test('a call is not over the limit if the first of 61 may have left the window', () => {
  assert.equal(accepted(...SIXTY, 59_995).isOverLimit(), false);
});

test('the window slides', () => {
  assert.equal(accepted(...SIXTY, ...SIXTY.map((i) => 60_000 + i)).isOverLimit(), false);
  assert.equal(accepted(...SIXTY, ...SIXTY.map((i) => 59_000 + i)).isOverLimit(), true);
});
