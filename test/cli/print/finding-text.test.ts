import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../../src/cli/doctor/check.ts';
import { formatFindings } from '../../../src/cli/print/finding-text.ts';

const FINDINGS: readonly Finding[] = [
  { area: 'clock', level: 'ok', message: 'it shows 2026-11-17' },
  {
    area: 'index',
    level: 'warning',
    message: 'the data are of 2023-03-05, 1,353 days old, which is too old',
    advice: 'Run "toponym update", which builds an index from the newest data, and serve it.',
  },
];

test('long messages and advice continue below their start', () => {
  assert.equal(
    String(formatFindings(FINDINGS, 60)),
    [
      'ok       clock  it shows 2026-11-17',
      'warning  index  the data are of 2023-03-05, 1,353 days old,',
      '                which is too old',
      '                -> Run "toponym update", which builds an',
      '                   index from the newest data, and serve it.',
      '',
      'Found no problems and 1 warning.',
    ].join('\n'),
  );
});

test('on a narrow terminal each message goes below its level and area', () => {
  assert.equal(
    String(formatFindings(FINDINGS, 40)),
    [
      'ok       clock',
      '  it shows 2026-11-17',
      'warning  index',
      '  the data are of 2023-03-05, 1,353 days',
      '  old, which is too old',
      '  -> Run "toponym update", which builds',
      '     an index from the newest data, and',
      '     serve it.',
      '',
      'Found no problems and 1 warning.',
    ].join('\n'),
  );
});

test('levels are coloured by their severity', () => {
  const findings: readonly Finding[] = [...FINDINGS, { area: 'port', level: 'problem', message: 'm', advice: 'a' }];
  const styles = formatFindings(findings, 80).spans.flatMap(({ text, style }) =>
    /^(ok|warning|problem)$/.test(text) ? [style] : [],
  );
  assert.deepEqual(styles, ['ok', 'warning', 'problem']);
});
