import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AggregatorRegistry } from 'prom-client';
import { createRequestMetrics } from '../../../src/serve/metrics/request-metrics.ts';

test('the counts of all threads are summed in the Prometheus text format', async () => {
  const threads = [createRequestMetrics(), createRequestMetrics()];
  for (const metrics of threads) {
    metrics.onResponse('query', 200, 2 ** -14);
    metrics.onResponse('query', 200, 0.5);
    metrics.onResponse('query', 400, 2);
    metrics.onResponse('id', 503, 2);
    metrics.onResponse('other', 503, 2);
  }
  threads[1]?.setReloadProblem(true);
  const text = await AggregatorRegistry.aggregate(threads.map((metrics) => metrics.collect())).metrics();
  const isOfQuery = (line: string) => !/^toponym_request_seconds.*"(id|other)"/.test(line);
  assert.deepEqual(text.split('\n').filter(isSample).filter(isOfQuery), [
    'toponym_requests_total{endpoint="query",status="200"} 4',
    'toponym_requests_total{endpoint="query",status="400"} 2',
    'toponym_requests_total{endpoint="id",status="503"} 2',
    'toponym_requests_total{endpoint="other",status="503"} 2',
    ...[0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25].map(
      (upperBound) => `toponym_request_seconds_bucket{le="${upperBound}",endpoint="query"} 2`,
    ),
    'toponym_request_seconds_bucket{le="1",endpoint="query"} 4',
    'toponym_request_seconds_bucket{le="+Inf",endpoint="query"} 6',
    'toponym_request_seconds_sum{endpoint="query"} 5.0001220703125',
    'toponym_request_seconds_count{endpoint="query"} 6',
    'toponym_shed_requests_total 2',
    'toponym_cache_hits_total 0',
    'toponym_cache_misses_total 0',
    'toponym_reload_problem 1',
  ]);
});

function isSample(line: string): boolean {
  return line !== '' && !line.startsWith('#');
}
