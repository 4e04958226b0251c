/** A metric in the JSON form that prom-client aggregates over threads. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'histogram' | 'gauge';
  readonly aggregator: 'sum' | 'max';
  readonly values: readonly MetricValue[];
}

export interface MetricValue {
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

function toValues(values: number | readonly MetricValue[]): readonly MetricValue[] {
  return typeof values === 'number' ? [{ value: values, labels: {} }] : values;
}
