/** A metric in the form of prom-client's `getMetricsAsJSON`, which it aggregates over threads. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'histogram' | 'gauge';
  /** How values of several threads are combined. */
  readonly aggregator: 'sum' | 'max';
  readonly values: readonly MetricValue[];
}

export interface MetricValue {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** Name of the sample, if it differs from the metric's. */
  readonly metricName?: string;
}

/** A metric with one value and no labels. */
export function plainMetric(value: number, rest: Omit<Metric, 'values'>): Metric {
  return { ...rest, values: [{ value, labels: {} }] };
}
