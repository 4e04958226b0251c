/** Series for which each alert fires, and similar ones for which it must not. */
export interface AlertCase {
  readonly alert: string;
  /** Values by series, in promtool's notation: one sample a minute from 0 on. */
  readonly firing: Readonly<Record<string, string>>;
  readonly quiet: Readonly<Record<string, string>>;
  readonly at: string;
  readonly severity: 'critical' | 'warning' | 'info';
  readonly summary: string;
}

const A = 'job="toponym",instance="a"';
const DAY = 86_400;
const ALWAYS = (value: number) => `${value}+0x120`;

/** All calls, and those of the counter `name`, which grows by `perMinute`. */
function calls(name: string, perMinute: number): Record<string, string> {
  return {
    [`toponym_requests_total{${A},endpoint="query",status="200"}`]: '0+1000x60',
    [name]: `0+${perMinute}x60`,
  };
}

/** Calls per minute: `fast` ones of at most 0.05 s, `slow` ones of at most 0.25 s. */
function latencies(fast: number, slow: number): Record<string, string> {
  const bucket = (le: string) => `toponym_request_seconds_bucket{${A},endpoint="query",le="${le}"}`;
  return {
    [bucket('0.05')]: `0+${fast}x60`,
    [bucket('0.25')]: `0+${fast + slow}x60`,
    [bucket('+Inf')]: `0+${fast + slow}x60`,
  };
}

const FAILED = `toponym_requests_total{${A},endpoint="query",status="500"}`;
const SHED = `toponym_shed_requests_total{${A}}`;

export const ALERT_CASES: readonly AlertCase[] = [
  {
    alert: 'ToponymAbsent',
    firing: { 'up{job="other",instance="a"}': ALWAYS(1) },
    quiet: { 'up{job="my-toponym",instance="a"}': ALWAYS(1) },
    at: '6m',
    severity: 'critical',
    summary: 'Prometheus scrapes no Toponym.',
  },
  {
    alert: 'ToponymDown',
    firing: { [`up{${A}}`]: ALWAYS(0) },
    quiet: { [`up{${A}}`]: ALWAYS(1), 'up{job="other",instance="a"}': ALWAYS(0) },
    at: '3m',
    severity: 'critical',
    summary: 'a cannot be scraped.',
  },
  {
    alert: 'ToponymNotReady',
    firing: { [`toponym_ready{${A}}`]: ALWAYS(0) },
    quiet: { [`toponym_ready{${A}}`]: '0 1+0x60' },
    at: '3m',
    severity: 'critical',
    summary: 'a does not accept calls.',
  },
  {
    alert: 'ToponymRestarting',
    firing: { [`process_start_time_seconds{${A}}`]: '0+60x3 180+0x60' },
    quiet: { [`process_start_time_seconds{${A}}`]: '0 60+0x60' },
    at: '10m',
    severity: 'warning',
    summary: 'a has restarted 3 times in 30 minutes.',
  },
  {
    alert: 'ToponymThreadFailed',
    firing: { [`toponym_thread_restarts_total{${A}}`]: '0x5 1x60' },
    quiet: { [`toponym_thread_restarts_total{${A}}`]: ALWAYS(3) },
    at: '10m',
    severity: 'warning',
    summary: 'A thread of a has failed and was replaced.',
  },
  {
    alert: 'ToponymErrors',
    firing: calls(FAILED, 250),
    quiet: calls(FAILED, 5),
    at: '15m',
    severity: 'critical',
    summary: 'a answers 20% of its calls with an error.',
  },
  {
    alert: 'ToponymSheddingCalls',
    firing: calls(SHED, 50),
    quiet: calls(SHED, 5),
    at: '15m',
    severity: 'critical',
    summary: 'a sheds 5% of its calls with 503.',
  },
  {
    alert: 'ToponymSlow',
    firing: latencies(960, 40),
    quiet: latencies(999, 1),
    at: '20m',
    severity: 'warning',
    summary: 'One of 100 calls to a takes longer than 200ms.',
  },
  {
    alert: 'ToponymEventLoopDelayed',
    firing: { [`toponym_event_loop_delay_seconds{${A}}`]: ALWAYS(2) },
    quiet: { [`toponym_event_loop_delay_seconds{${A}}`]: ALWAYS(0.1) },
    at: '6m',
    severity: 'warning',
    summary: 'A thread of a is blocked for 2s again and again.',
  },
  {
    alert: 'ToponymRedisProblem',
    firing: { [`toponym_redis_problem{${A}}`]: ALWAYS(1) },
    quiet: { [`toponym_redis_problem{${A}}`]: ALWAYS(0) },
    at: '2m',
    severity: 'warning',
    summary: 'a cannot use Redis.',
  },
  {
    alert: 'ToponymReloadProblem',
    firing: { [`toponym_reload_problem{${A}}`]: ALWAYS(1) },
    quiet: { [`toponym_reload_problem{${A}}`]: ALWAYS(0) },
    at: '6m',
    severity: 'warning',
    summary: 'a could not load its newest index, overlay or certificate.',
  },
  {
    alert: 'ToponymDataOld',
    firing: { [`toponym_data_timestamp_seconds{${A}}`]: ALWAYS(-181 * DAY) },
    // the index was written long ago, but its version has a newer date
    quiet: {
      [`toponym_data_timestamp_seconds{${A}}`]: ALWAYS(-100 * DAY),
      [`toponym_index_written_timestamp_seconds{${A}}`]: ALWAYS(-181 * DAY),
    },
    at: '1h',
    severity: 'info',
    summary: 'The data of a are 181d 1h 0m 0s old.',
  },
  {
    alert: 'ToponymDataOld',
    firing: { [`toponym_index_written_timestamp_seconds{${A}}`]: ALWAYS(-200 * DAY) },
    quiet: { [`toponym_index_written_timestamp_seconds{${A}}`]: ALWAYS(0) },
    at: '1h',
    severity: 'info',
    summary: 'The data of a are 200d 1h 0m 0s old.',
  },
  {
    alert: 'ToponymCertificateExpiresSoon',
    firing: { [`toponym_certificate_expiry_timestamp_seconds{${A}}`]: ALWAYS(10 * DAY) },
    quiet: { [`toponym_certificate_expiry_timestamp_seconds{${A}}`]: ALWAYS(20 * DAY) },
    at: '1h',
    severity: 'warning',
    summary: 'The certificate of a ends in 9d 23h 0m 0s.',
  },
  {
    alert: 'ToponymCertificateExpiresSoon',
    firing: { [`toponym_certificate_expiry_timestamp_seconds{${A}}`]: ALWAYS(DAY) },
    // ToponymCertificateExpired fires instead
    quiet: { [`toponym_certificate_expiry_timestamp_seconds{${A}}`]: ALWAYS(-1) },
    at: '1h',
    severity: 'warning',
    summary: 'The certificate of a ends in 23h 0m 0s.',
  },
  {
    alert: 'ToponymCertificateExpired',
    firing: { [`toponym_certificate_expiry_timestamp_seconds{${A}}`]: ALWAYS(-1) },
    quiet: { [`toponym_certificate_expiry_timestamp_seconds{${A}}`]: ALWAYS(DAY) },
    at: '1m',
    severity: 'critical',
    summary: 'The certificate of a has expired.',
  },
  {
    alert: 'ToponymMemoryNearLimit',
    firing: { [`process_resident_memory_bytes{${A}}`]: ALWAYS(95), [`toponym_memory_limit_bytes{${A}}`]: ALWAYS(100) },
    quiet: { [`process_resident_memory_bytes{${A}}`]: ALWAYS(50), [`toponym_memory_limit_bytes{${A}}`]: ALWAYS(100) },
    at: '11m',
    severity: 'warning',
    summary: 'a uses 95% of its memory.',
  },
  {
    alert: 'ToponymDescriptorsNearLimit',
    firing: {
      [`process_open_fds{${A}}`]: ALWAYS(900),
      [`process_max_fds{${A}}`]: ALWAYS(1000),
      [`toponym_ready{${A}}`]: ALWAYS(1),
    },
    // another program, which is not a Toponym
    quiet: { 'process_open_fds{job="other"}': ALWAYS(900), 'process_max_fds{job="other"}': ALWAYS(1000) },
    at: '6m',
    severity: 'warning',
    summary: 'a uses 90% of its file descriptors.',
  },
];
