/** A metric as prom-client's `getMetricsAsJSON` gives it, for its aggregation over threads. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'histogram' | 'gauge';
  /** How the values of threads become one. */
  readonly aggregator: 'sum' | 'max';
  readonly values: readonly MetricValue[];
}

export interface MetricValue {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** Where it is not the name of the metric. */
  readonly metricName?: string;
}

/** A metric with one value and no labels. */
export function plainMetric(value: number, rest: Omit<Metric, 'values'>): Metric {
  return { ...rest, values: [{ value, labels: {} }] };
}
