import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { outsideProgram } from '../../support/outside-programs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ALERTS_FILE, type AlertRule, MONITORING_FOLDER, readAlertRules } from './monitoring-files.ts';

/** Values by series, in promtool's notation: one sample a minute from 0 on. */
type Series = Readonly<Record<string, string>>;
type AlertCase = readonly [what: string, firing: Series, quiet: Series];

const A = 'job="toponym",instance="a"';
/** A series of the service with always the same value. */
const steady = (name: string, value: number): Series => ({ [`${name}{${A}}`]: `${value}+0x120` });
const DAY = 86_400;
const ALWAYS = (value: number) => `${value}+0x120`;

/** All calls, and those of the counter `name`, which grows by `perMinute`. */
function calls(name: string, perMinute: number): Series {
  return {
    [`toponym_requests_total{${A},endpoint="query",status="200"}`]: '0+1000x60',
    [name]: `0+${perMinute}x60`,
  };
}

/** Calls per minute: `fast` ones of at most 0.05 s, `slow` ones of at most 0.25 s. */
function latencies(fast: number, slow: number): Series {
  const bucket = (le: string) => `toponym_request_seconds_bucket{${A},endpoint="query",le="${le}"}`;
  return {
    [bucket('0.05')]: `0+${fast}x60`,
    [bucket('0.25')]: `0+${fast + slow}x60`,
    [bucket('+Inf')]: `0+${fast + slow}x60`,
  };
}

const FAILED = `toponym_requests_total{${A},endpoint="query",status="500"}`;
const SHED = `toponym_shed_requests_total{${A}}`;

/** Alerts with time, severity and summary; series for which they fire, and for which they must not. */
const CASES: readonly AlertCase[] = [
  [
    'ToponymAbsent after 6m, critical: Prometheus scrapes no Toponym.',
    { 'up{job="other",instance="a"}': ALWAYS(1) },
    { 'up{job="my-toponym",instance="a"}': ALWAYS(1) },
  ],
  [
    'ToponymDown after 3m, critical: a cannot be scraped.',
    steady('up', 0),
    { ...steady('up', 1), 'up{job="other",instance="a"}': ALWAYS(0) },
  ],
  [
    'ToponymNotReady after 3m, critical: a does not accept calls.',
    steady('toponym_ready', 0),
    { [`toponym_ready{${A}}`]: '0 1+0x60' },
  ],
  [
    'ToponymRestarting after 10m, warning: a has restarted 3 times in 30 minutes.',
    { [`process_start_time_seconds{${A}}`]: '0+60x3 180+0x60' },
    { [`process_start_time_seconds{${A}}`]: '0 60+0x60' },
  ],
  [
    'ToponymThreadFailed after 10m, warning: A thread of a has failed and was replaced.',
    { [`toponym_thread_restarts_total{${A}}`]: '0x5 1x60' },
    steady('toponym_thread_restarts_total', 3),
  ],
  [
    'ToponymErrors after 15m, critical: a answers 20% of its calls with an error.',
    calls(FAILED, 250),
    calls(FAILED, 5),
  ],
  ['ToponymSheddingCalls after 15m, critical: a sheds 5% of its calls with 503.', calls(SHED, 50), calls(SHED, 5)],
  [
    'ToponymSlow after 20m, warning: One of 100 calls to a takes longer than 200ms.',
    latencies(960, 40),
    latencies(999, 1),
  ],
  [
    'ToponymEventLoopDelayed after 6m, warning: A thread of a is blocked for 2s again and again.',
    steady('toponym_event_loop_delay_seconds', 2),
    steady('toponym_event_loop_delay_seconds', 0.1),
  ],
  [
    'ToponymRedisProblem after 2m, warning: a cannot use Redis.',
    steady('toponym_redis_problem', 1),
    steady('toponym_redis_problem', 0),
  ],
  [
    'ToponymReloadProblem after 6m, warning: a could not load its newest index, overlay, certificate or IP database.',
    steady('toponym_reload_problem', 1),
    steady('toponym_reload_problem', 0),
  ],
  // the index was written long ago, but its version has a newer date
  [
    'ToponymDataOld after 1h, info: The data of a are 181d 1h 0m 0s old.',
    steady('toponym_data_timestamp_seconds', -181 * DAY),
    {
      ...steady('toponym_data_timestamp_seconds', -100 * DAY),
      ...steady('toponym_index_written_timestamp_seconds', -181 * DAY),
    },
  ],
  [
    'ToponymDataOld after 1h, info: The data of a are 200d 1h 0m 0s old.',
    steady('toponym_index_written_timestamp_seconds', -200 * DAY),
    steady('toponym_index_written_timestamp_seconds', 0),
  ],
  [
    'ToponymCertificateExpiresSoon after 1h, warning: The certificate of a ends in 9d 23h 0m 0s.',
    steady('toponym_certificate_expiry_timestamp_seconds', 10 * DAY),
    steady('toponym_certificate_expiry_timestamp_seconds', 20 * DAY),
  ],
  // ToponymCertificateExpired fires instead
  [
    'ToponymCertificateExpiresSoon after 1h, warning: The certificate of a ends in 23h 0m 0s.',
    steady('toponym_certificate_expiry_timestamp_seconds', DAY),
    steady('toponym_certificate_expiry_timestamp_seconds', -1),
  ],
  [
    'ToponymCertificateExpired after 1m, critical: The certificate of a has expired.',
    steady('toponym_certificate_expiry_timestamp_seconds', -1),
    steady('toponym_certificate_expiry_timestamp_seconds', DAY),
  ],
  [
    'ToponymMemoryNearLimit after 11m, warning: a uses 95% of its memory.',
    { ...steady('process_resident_memory_bytes', 95), ...steady('toponym_memory_limit_bytes', 100) },
    { ...steady('process_resident_memory_bytes', 50), ...steady('toponym_memory_limit_bytes', 100) },
  ],
  // another program, which is not a Toponym
  [
    'ToponymDescriptorsNearLimit after 6m, warning: a uses 90% of its file descriptors.',
    {
      ...steady('process_open_fds', 900),
      ...steady('process_max_fds', 1000),
      ...steady('toponym_ready', 1),
    },
    { 'process_open_fds{job="other"}': ALWAYS(900), 'process_max_fds{job="other"}': ALWAYS(1000) },
  ],
];

const promtool = outsideProgram('promtool');
const { skip } = promtool;
const run = async (...args: string[]) => (await promisify(execFile)(promtool.path, args)).stdout;

test('promtool accepts the alert rules and the example configuration', { skip }, async () => {
  assert.match(await run('check', 'rules', '--lint=all', '--lint-fatal', ALERTS_FILE), /SUCCESS: 16 rules found/);
  await run('check', 'config', join(MONITORING_FOLDER, 'prometheus.yaml'));
});

test('every alert has a severity, a summary and a runbook that says what to do', () => {
  for (const { alert, labels, annotations } of readAlertRules()) {
    assert.match(labels.severity ?? '', /^(critical|warning|info)$/, alert);
    assert.match(annotations.summary ?? '', /\.$/, alert);
    assert.ok((annotations.runbook ?? '').length > 80, alert);
  }
});

test('every alert fires when it should and stays quiet otherwise', { skip }, async (context) => {
  const rules = new Map(readAlertRules().map((rule) => [rule.alert, rule]));
  assert.deepEqual(new Set(CASES.map(([what]) => what.split(' ')[0])), new Set(rules.keys()));
  const file = join(temporaryFolder(context), 'alerts.yaml');
  const tests = CASES.flatMap((each) => unitTests(each, rules));
  writeFileSync(file, stringify({ rule_files: [ALERTS_FILE], evaluation_interval: '1m', tests }));
  await run('test', 'rules', file);
});

/** Unit tests in promtool's format. */
function unitTests([what, firing, quiet]: AlertCase, rules: ReadonlyMap<string, AlertRule>) {
  const [, alert = '', at, severity, summary] = /^(\w+) after (\w+), (\w+): (.*)$/.exec(what) ?? [];
  const { runbook } = rules.get(alert)?.annotations ?? {};
  const absent = alert === 'ToponymAbsent';
  const labels = absent ? { severity } : { severity, job: 'toponym', instance: 'a' };
  const fired = { exp_labels: labels, exp_annotations: { summary, runbook } };
  const unitTest = (name: string, values: Series, expected: readonly unknown[]) => ({
    name: `${alert}: ${name}`,
    interval: '1m',
    input_series: Object.entries(values).map(([series, samples]) => ({ series, values: samples })),
    alert_rule_test: [{ eval_time: at, alertname: alert, exp_alerts: expected }],
  });
  return [unitTest('fires', firing, [fired]), unitTest('stays quiet', quiet, [])];
}
