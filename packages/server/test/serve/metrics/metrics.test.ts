import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { addCounters, byLabel, formatMetrics, type Metric, metricsOf } from '../../../src/serve/metrics/metric.ts';
import { maxDescriptors, memoryLimitBytes } from '../../../src/serve/metrics/process-metrics.ts';
import { createRequestMetrics } from '../../../src/serve/metrics/request-metrics.ts';

function calls(counts: Readonly<Record<number, number>>): Metric[] {
  return metricsOf({ toponym_requests_total: byLabel('status', counts) });
}

function aHistogram(fast: number, all: number): Metric[] {
  const bucket = (le: string, value: number) => ({ value, labels: { le }, metricName: 'seconds_bucket' });
  const values = [bucket('0.1', fast), bucket('+Inf', all), { value: all, labels: {}, metricName: 'seconds_count' }];
  return metricsOf({ toponym_request_seconds: values });
}

test('counters are added by their labels, histograms also by bucket, and gauges are left out', () => {
  const gauges = metricsOf({ toponym_connections: 7, toponym_data_places: 7 });
  const first = addCounters([], [...calls({ 200: 5, 404: 1 }), ...aHistogram(3, 6), ...gauges]);
  assert.deepEqual(first, [...calls({ 200: 5, 404: 1 }), ...aHistogram(3, 6)]);
  assert.deepEqual(addCounters(first, [...calls({ 200: 10, 500: 2 }), ...aHistogram(1, 2)]), [
    ...calls({ 200: 15, 404: 1, 500: 2 }),
    ...aHistogram(4, 8),
  ]);
});

test('metrics are text with help, type and escaped labels; a maximum stays, even if it is negative or infinite', () => {
  const gaugeOf = (value: number) =>
    metricsOf({ toponym_data_info: [{ value, labels: { version: 'a "b" \\\n' } }], toponym_connections: 3 });
  const text = formatMetrics([
    [...gaugeOf(-5), ...calls({})],
    [...gaugeOf(-7), ...metricsOf({ process_max_fds: Number.POSITIVE_INFINITY, process_open_fds: undefined })],
  ]);
  assert.equal(
    text,
    String.raw`# HELP toponym_data_info Always 1; the version of the data being served is a label.
# TYPE toponym_data_info gauge
toponym_data_info{version="a \"b\" \\\n"} -5

# HELP toponym_connections Connections open now.
# TYPE toponym_connections gauge
toponym_connections 6

# HELP toponym_requests_total Requests answered, by endpoint and HTTP status.
# TYPE toponym_requests_total counter

# HELP process_max_fds Maximum open file descriptors.
# TYPE process_max_fds gauge
process_max_fds +Inf
`,
  );
});

test('the limit of descriptors is the soft limit of /proc/self/limits', (context) => {
  const file = join(temporaryFolder(context), 'limits');
  const write = (limits: string) => writeFileSync(file, `Max cpu time  unlimited\nMax open files  ${limits}  files\n`);
  write('1024   524288');
  assert.equal(maxDescriptors(file), 1024);
  write('unlimited   unlimited');
  assert.equal(maxDescriptors(file), Number.POSITIVE_INFINITY);
  writeFileSync(file, 'something else\n');
  assert.equal(maxDescriptors(file), undefined);
  assert.equal(maxDescriptors(`${file}.missing`), undefined);
});

test('the limit of memory is at most the memory of the machine', () => {
  assert.ok(memoryLimitBytes() > 0 && memoryLimitBytes() <= totalmem());
});

test('the counts of all threads are summed in the Prometheus text format', () => {
  const threads = [createRequestMetrics(), createRequestMetrics()];
  for (const metrics of threads) {
    metrics.onResponse('query', 200, 2 ** -14);
    metrics.onResponse('query', 200, 0.5);
    metrics.onResponse('query', 400, 2);
    metrics.onResponse('id', 503, 2);
    metrics.onResponse('other', 503, 2);
  }
  const text = formatMetrics(threads.map((metrics) => metrics.collect()));
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
  ]);
});

function isSample(line: string): boolean {
  return line !== '' && !line.startsWith('#');
}
