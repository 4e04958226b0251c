/** Metrics in the JSON form that prom-client aggregates over threads. */

/** A metric in the JSON form that prom-client aggregates over threads. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'histogram' | 'gauge';
  readonly aggregator: 'sum' | 'max';
  readonly values: readonly MetricValue[];
}

interface MetricValue {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** Name in the output, if it differs from the metric's. */
  readonly metricName?: string;
}

export function counter(values: number | readonly MetricValue[], texts: Pick<Metric, 'name' | 'help'>): Metric {
  return { ...texts, type: 'counter', aggregator: 'sum', values: toValues(values) };
}

export function gauge(
  values: number | readonly MetricValue[],
  rest: Pick<Metric, 'name' | 'help' | 'aggregator'>,
): Metric {
  return { ...rest, type: 'gauge', values: toValues(values) };
}

/** Returns no metric if the value is unknown. */
export function optionalGauge(value: number | undefined, texts: Pick<Metric, 'name' | 'help'>): Metric[] {
  return value === undefined ? [] : [gauge(value, { ...texts, aggregator: 'max' })];
}

function toValues(values: number | readonly MetricValue[]): readonly MetricValue[] {
  return typeof values === 'number' ? [{ value: values, labels: {} }] : values;
}

/**
 * Sums over threads that have exited, so that totals never fall. Returns `sums` plus the counters and histograms in `metrics`.
 * Gauges are left out.
 */
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
