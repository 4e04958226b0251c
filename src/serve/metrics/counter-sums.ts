/** Sums of counters and histograms over threads that have exited, so that totals never fall. */
import type { Metric, MetricValue } from './metric.ts';

/** Returns `sums` plus the counters and histograms in `metrics`. Gauges are left out. */
export function addCounters(sums: readonly Metric[], metrics: readonly Metric[]): Metric[] {
  const byName = new Map(sums.map((metric) => [metric.name, metric]));
  for (const metric of metrics) {
    if (metric.type !== 'counter' && metric.type !== 'histogram') continue;
    const sum = byName.get(metric.name)?.values ?? [];
    byName.set(metric.name, { ...metric, values: addValues(sum, metric.values) });
  }
  return [...byName.values()];
}

function addValues(sums: readonly MetricValue[], values: readonly MetricValue[]): MetricValue[] {
  const byLabels = new Map(sums.map((each) => [labelsKey(each), each]));
  for (const each of values) {
    const sum = byLabels.get(labelsKey(each))?.value ?? 0;
    byLabels.set(labelsKey(each), { ...each, value: sum + each.value });
  }
  return [...byLabels.values()];
}

function labelsKey({ metricName, labels }: MetricValue): string {
  return JSON.stringify([metricName, labels]);
}
