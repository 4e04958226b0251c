/** Metrics: their form in messages between threads, how those of all threads are combined, and their text. */

/** What one thread tells about a metric. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'histogram' | 'gauge';
  /** How the values of all threads become one. */
  readonly aggregator: 'sum' | 'max';
  readonly values: readonly MetricValue[];
}

interface MetricValue {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** Name in the output, if it differs from the metric's. */
  readonly metricName?: string;
}

type Texts = Pick<Metric, 'name' | 'help'>;

export function counter(values: number | readonly MetricValue[], texts: Texts): Metric {
  return { ...texts, type: 'counter', aggregator: 'sum', values: toValues(values) };
}

/** The highest value of all threads. */
export function gauge(values: number | readonly MetricValue[], texts: Texts): Metric {
  return { ...texts, type: 'gauge', aggregator: 'max', values: toValues(values) };
}

/** Returns no metric if the value is unknown. */
export function optionalGauge(value: number | undefined, texts: Texts): Metric[] {
  return value === undefined ? [] : [gauge(value, texts)];
}

function toValues(values: number | readonly MetricValue[]): readonly MetricValue[] {
  return typeof values === 'number' ? [{ value: values, labels: {} }] : values;
}

/** Adds the counters and histograms of a thread that has exited to `sums`, so that totals never fall. */
export function addCounters(sums: readonly Metric[], metrics: readonly Metric[]): Metric[] {
  return combine([...sums, ...metrics.filter(({ type }) => type === 'counter' || type === 'histogram')]);
}

/** The text format of Prometheus. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function formatMetrics(perThread: readonly (readonly Metric[])[]): string {
  const blocks = combine(perThread.flat()).map(({ name, help, type, values }) => {
    const samples = values.map((each) => `${each.metricName ?? name}${formatLabels(each)} ${formatValue(each)}`);
    return [`# HELP ${name} ${escapeText(help)}`, `# TYPE ${name} ${type}`, ...samples].join('\n');
  });
  return `${blocks.join('\n\n')}\n`;
}

/** Combines metrics of the same name, by their labels. */
function combine(metrics: readonly Metric[]): Metric[] {
  const byName = new Map<string, Metric>();
  for (const metric of metrics) {
    const values = [...(byName.get(metric.name)?.values ?? []), ...metric.values];
    byName.set(metric.name, { ...metric, values: combineValues(values, metric.aggregator) });
  }
  return [...byName.values()];
}

function combineValues(values: readonly MetricValue[], aggregator: Metric['aggregator']): MetricValue[] {
  const byLabels = new Map<string, MetricValue>();
  for (const each of values) {
    const key = JSON.stringify([each.metricName, each.labels]);
    const before = byLabels.get(key)?.value;
    const combined = aggregator === 'sum' ? each.value + (before ?? 0) : Math.max(each.value, before ?? each.value);
    byLabels.set(key, { ...each, value: combined });
  }
  return [...byLabels.values()];
}

function formatLabels({ labels }: MetricValue): string {
  const parts = Object.entries(labels).map(
    ([name, value]) => `${name}="${escapeText(String(value)).replaceAll('"', '\\"')}"`,
  );
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

function formatValue({ value }: MetricValue): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
