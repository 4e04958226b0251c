/** Metrics: their form in messages between threads, how those of all threads are combined, and their text. */

/** The help texts of counters, on one line each. Their values are added over all threads. */
const COUNTERS = {
  toponym_requests_total: 'Requests answered, by endpoint and HTTP status.',
  toponym_shed_requests_total: 'API calls answered with 503 because the thread was overloaded or stopping.',
  toponym_cache_hits_total: 'Searches answered from the response cache.',
  toponym_cache_misses_total: 'Searches looked up in the response cache and not found.',
  toponym_refused_connections_total: 'Connections refused, or closed to make room for others, by reason.',
  toponym_redis_round_trips_total: 'Ticks of the event loop whose calls were counted in Redis.',
  toponym_calls_limited_locally_total:
    'Limits and quotas of calls that this replica decided alone because Redis could not.',
  toponym_thread_restarts_total: 'Worker threads started to replace others that failed.',
  toponym_reloads_total: 'Reloads by result: ok if every file was reloaded.',
  process_cpu_seconds_total: 'Processor time of the process, all threads included.',
} satisfies Readonly<Record<`${string}_total`, string>>;

/** Added like counters. */
const HISTOGRAMS = {
  toponym_request_seconds: 'Time from the start of handling a request to the end of its response.',
};

/** Gauges whose values are added over all threads. */
const SUMMED_GAUGES = {
  toponym_connections: 'Connections open now.',
};

/** Gauges of which the highest value of any thread counts. */
const HIGHEST_GAUGES = {
  toponym_reload_problem:
    '1 while the newest index, overlay, certificate or IP database could not be reloaded and the old one is being served.',
  toponym_event_loop_delay_seconds:
    'Longest event loop delay of any thread in the last minute. Each thread measures its delay ten times a second.',
  toponym_data_places: 'Places being served, overlay included.',
  toponym_data_info: 'Always 1; the version of the data being served is a label.',
  toponym_data_timestamp_seconds:
    'Unix time of the date in the version of the data being served; absent if it has none.',
  toponym_certificate_expiry_timestamp_seconds:
    'Unix time at which the certificate being served expires; absent behind a proxy.',
  toponym_redis_problem: '1 while a thread cannot use Redis: its calls are limited by this replica alone.',
  toponym_data_threads:
    'Threads by the version of the data that they serve; `unknown` if a thread has not confirmed new data.',
  toponym_build_info: 'Always 1; the version of the program is a label.',
  toponym_ready: '1 while the service accepts calls; 0 while it starts or stops, or if no thread replies.',
  toponym_index_written_timestamp_seconds:
    'Unix time at which the index file being served was written; its age is time() minus this.',
  // Prometheus recommends these for every process, except the limit of memory
  process_start_time_seconds: 'Unix time at which the process started.',
  process_resident_memory_bytes: 'Resident memory of the process, all threads and shared data included.',
  toponym_memory_limit_bytes:
    'Memory that the process may use: the limit of its container, or the memory of the machine.',
  process_open_fds: 'Open file descriptors.',
  process_max_fds: 'Maximum open file descriptors.',
};

export const HELP = { ...COUNTERS, ...HISTOGRAMS, ...SUMMED_GAUGES, ...HIGHEST_GAUGES };

type MetricName = keyof typeof HELP;

/** What one thread tells about a metric. */
export interface Metric {
  readonly name: MetricName;
  readonly values: readonly MetricValue[];
}

interface MetricValue {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** Name in the output, if it differs from the metric's. */
  readonly metricName?: string;
}

/** Leaves out metrics whose value is unknown. */
export function metricsOf(values: { readonly [N in MetricName]?: number | readonly MetricValue[] | undefined }) {
  return Object.entries(values).flatMap(([name, value]): Metric[] => {
    if (value === undefined) return [];
    return [{ name: name as MetricName, values: typeof value === 'number' ? [{ value, labels: {} }] : value }];
  });
}

/** One value for each value of a label. */
export function byLabel(label: string, values: Readonly<Record<string, number>>): MetricValue[] {
  return Object.entries(values).map(([name, value]) => ({ value, labels: { [label]: name } }));
}

/** Adds the counters and histograms of a thread that has exited to `sums`, so that totals never fall. */
export function addCounters(sums: readonly Metric[], metrics: readonly Metric[]): Metric[] {
  return combine([...sums, ...metrics.filter(({ name }) => typeOf(name) !== 'gauge')]);
}

/** The text format of Prometheus. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function formatMetrics(perThread: readonly (readonly Metric[])[]): string {
  const blocks = combine(perThread.flat()).map(({ name, values }) => {
    const samples = values.map((each) => `${each.metricName ?? name}${formatLabels(each)} ${formatValue(each)}`);
    return [`# HELP ${name} ${HELP[name]}`, `# TYPE ${name} ${typeOf(name)}`, ...samples].join('\n');
  });
  return `${blocks.join('\n\n')}\n`;
}

function typeOf(name: MetricName): 'counter' | 'histogram' | 'gauge' {
  if (name in COUNTERS) return 'counter';
  return name in HISTOGRAMS ? 'histogram' : 'gauge';
}

/** Combines metrics of the same name, by their labels. */
function combine(metrics: readonly Metric[]): Metric[] {
  const byName = Map.groupBy(metrics, ({ name }) => name);
  return Array.from(byName, ([name, same]) => ({ name, values: combineValues(name, same) }));
}

/** The sum of all threads, or the highest value. */
function combineValues(name: MetricName, metrics: readonly Metric[]): MetricValue[] {
  const isSum = !(name in HIGHEST_GAUGES);
  const byLabels = new Map<string, MetricValue>();
  for (const each of metrics.flatMap(({ values }) => values)) {
    const key = JSON.stringify([each.metricName, each.labels]);
    const before = byLabels.get(key)?.value;
    const combined = isSum ? each.value + (before ?? 0) : Math.max(each.value, before ?? each.value);
    byLabels.set(key, { ...each, value: combined });
  }
  return [...byLabels.values()];
}

function formatLabels({ labels }: MetricValue): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapeText(String(value))}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

function formatValue({ value }: MetricValue): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`);
}
