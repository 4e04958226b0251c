import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { outsideProgram } from '../../support/outside-programs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ALERT_CASES, type AlertCase } from './alert-cases.ts';
import { ALERTS_FILE, MONITORING_FOLDER, readAlertRules } from './monitoring-files.ts';

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
  assert.deepEqual(new Set(ALERT_CASES.map(({ alert }) => alert)), new Set(rules.keys()));
  const file = join(temporaryFolder(context), 'alerts.yaml');
  const tests = ALERT_CASES.flatMap((each) => unitTests(each, rules.get(each.alert)?.annotations.runbook ?? ''));
  writeFileSync(file, stringify({ rule_files: [ALERTS_FILE], evaluation_interval: '1m', tests }));
  await run('test', 'rules', file);
});

/** Unit tests in promtool's format. */
function unitTests({ alert, firing, quiet, at, severity, summary }: AlertCase, runbook: string) {
  const absent = alert === 'ToponymAbsent';
  const labels = absent ? { severity } : { severity, job: 'toponym', instance: 'a' };
  const fired = { exp_labels: labels, exp_annotations: { summary, runbook } };
  const unitTest = (name: string, values: AlertCase['firing'], expected: readonly unknown[]) => ({
    name: `${alert}: ${name}`,
    interval: '1m',
    input_series: Object.entries(values).map(([series, samples]) => ({ series, values: samples })),
    alert_rule_test: [{ eval_time: at, alertname: alert, exp_alerts: expected }],
  });
  return [unitTest('fires', firing, [fired]), unitTest('stays quiet', quiet, [])];
}
