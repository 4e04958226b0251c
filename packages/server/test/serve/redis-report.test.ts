import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Logger } from '../../src/serve/log.ts';
import { RedisReport } from '../../src/serve/redis-report.ts';

/** A report on a clock that `wait` moves. `lines` are the log. */
function aReport({ mock }: TestContext) {
  mock.timers.enable({ apis: ['setTimeout'] });
  let nowMs = 0;
  const lines: string[] = [];
  const write = (fields: object) => lines.push(`${nowMs / 1000} s: ${Object.entries(fields).join()}`);
  const report = new RedisReport({ error: write, warn: write } as unknown as Logger, () => nowMs);
  const wait = (seconds: number) => {
    nowMs += seconds * 1000;
    mock.timers.tick(seconds * 1000);
  };
  return { report, lines, wait };
}

test('a problem and its end are logged', (context) => {
  const { report, lines, wait } = aReport(context);
  report.update('gone');
  assert.match(report.notice, /^Redis cannot be used/);
  wait(7);
  report.update('');
  assert.equal(report.notice, '');
  assert.deepEqual(lines, ['0 s: reason,gone', '7 s: seconds,7']);
});

test('a problem soon after another is logged when it lasts, with its latest reason', (context) => {
  const { report, lines, wait } = aReport(context);
  report.update('late');
  wait(1);
  report.update('');
  wait(9);
  report.update('closed');
  report.update('gone');
  wait(19);
  assert.deepEqual(lines.slice(2), []);
  wait(1);
  assert.deepEqual(lines.slice(2), ['30 s: reason,gone']);
  wait(70);
  report.update('');
  assert.deepEqual(lines.slice(3), ['100 s: seconds,90']);
});

test('while Redis comes and goes, one problem in 30 seconds is logged', (context) => {
  const { report, lines, wait } = aReport(context);
  for (let i = 0; i < 31; i++) {
    report.update('late');
    wait(1);
    report.update('');
    wait(1);
  }
  assert.deepEqual(
    lines,
    [0, 30, 60].flatMap((start) => [`${start} s: reason,late`, `${start + 1} s: seconds,1`]),
  );
});
