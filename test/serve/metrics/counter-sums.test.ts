import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addCounters } from '../../../src/serve/metrics/counter-sums.ts';
import { counter, gauge, type Metric } from '../../../src/serve/metrics/metric.ts';

const CALLS = { name: 'calls_total', help: 'Calls.' };

function aHistogram(fast: number, all: number): Metric {
  const bucket = (le: string, value: number) => ({ value, labels: { le }, metricName: 'seconds_bucket' });
  const values = [bucket('0.1', fast), bucket('+Inf', all), { value: all, labels: {}, metricName: 'seconds_count' }];
  return { name: 'seconds', help: 'Time.', type: 'histogram', aggregator: 'sum', values };
}

test('counters are added by their labels, histograms also by bucket, and gauges are left out', () => {
  const calls = (status: number, value: number) => ({ value, labels: { status } });
  const first = addCounters(
    [],
    [
      counter([calls(200, 5), calls(404, 1)], CALLS),
      aHistogram(3, 6),
      gauge(7, { name: 'connections', help: '', aggregator: 'sum' }),
    ],
  );
  assert.deepEqual(first, [counter([calls(200, 5), calls(404, 1)], CALLS), aHistogram(3, 6)]);
  assert.deepEqual(addCounters(first, [counter([calls(200, 10), calls(500, 2)], CALLS), aHistogram(1, 2)]), [
    counter([calls(200, 15), calls(404, 1), calls(500, 2)], CALLS),
    aHistogram(4, 8),
  ]);
});
