import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overRounds, percentile, summarize } from '../../bench/statistics.ts';

test('percentiles are measured values by nearest rank', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => i + 1);
  assert.deepEqual([percentile(hundred, 0.5), percentile(hundred, 0.99), percentile(hundred, 1)], [50, 99, 100]);
  assert.deepEqual([percentile([7], 0.5), percentile([7], 0.99)], [7, 7]);
  assert.equal(percentile([1, 2, 3], 0.99), 3);
  assert.equal(percentile([1, 2, 3], 0), 1);
});

test('a summary sorts numerically and does not change its input', () => {
  const values = [10, 9, 100, 1];
  assert.deepEqual(summarize(values), { count: 4, p50: 9, p99: 100, mean: 30 });
  assert.deepEqual(values, [10, 9, 100, 1]);
});

test('rounds are summarized by median, minimum and maximum', () => {
  assert.deepEqual(overRounds([30, 4, 5]), { median: 5, min: 4, max: 30 });
});
