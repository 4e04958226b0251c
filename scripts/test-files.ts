/** Runs the test files that its arguments name, in this process, and reports to test-jobs.ts. */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';
import type { Report } from './test-jobs.ts';

/** Ends a test that hangs. Ten times what the longest test with subtests takes on a quiet machine. */
const MAX_TEST_MS = 600_000;
/** A process that still runs this long after its last test has left something open. */
const MAX_EXIT_MS = 60_000;

const files = process.argv.slice(2);
const tests = run({ files, isolation: 'none', timeout: MAX_TEST_MS });
tests.on('test:pass', ({ name, skip, details }) => {
  // a skipped suite reports none of its tests
  if (skip !== undefined && skip !== false) send({ kind: 'skipped', title: name, reason: String(skip) });
  else if (details.type !== 'suite') send({ kind: 'passed' });
});
tests.on('test:fail', ({ name, details, file: place = files[0] ?? '', line }) => {
  const { cause, failureType } = details.error as Error & { failureType?: string };
  // the failures inside have been reported
  if (failureType === 'subtestsFailed') return;
  const detail = `at ${relative('', place)}:${line}\n${inspect(cause ?? details.error, { depth: 5 })}`;
  send({ kind: 'failed', title: name, detail, file: testFileOf(place) });
});
tests.on('test:diagnostic', ({ message, file = files[0] ?? '' }) => {
  if (!message.includes('asynchronous activity after the test ended')) return;
  send({ kind: 'failed', title: 'an error after the end of a test', detail: message, file: testFileOf(file) });
});
tests.on('end', () => send({ kind: 'ended', processorMs: processorMs() }));
let running = 0;
let exitTimer: NodeJS.Timeout | undefined;
tests.on('test:enqueue', () => {
  running++;
  clearTimeout(exitTimer);
});
tests.on('test:complete', () => {
  running--;
  if (running === 0) exitTimer = setTimeout(endLate, MAX_EXIT_MS).unref();
});
tests.resume();
// the test command has ended early, so this process and those that it has started end too
process.once('disconnect', endGroup);
process.channel?.unref();

/** Without this, the process would run for as long as something is open. */
function endLate(): void {
  const open = [...new Set(process.getActiveResourcesInfo())].join(', ');
  const detail = `still open ${MAX_EXIT_MS / 1000} s after the last test: ${open}`;
  send({ kind: 'failed', title: files.join(' '), detail, file: files[0] ?? '' });
  process.send?.({ kind: 'ended', processorMs: processorMs() } satisfies Report, endGroup);
}

/** Processor time of this process and, on Linux, of the processes that it started and that have ended. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1000;
  if (!existsSync('/proc/self/stat')) return own;
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return own + (Number(fields[13]) + Number(fields[14])) * 10; // in ticks of 1/100 s
}

function endGroup(): void {
  process.kill(-process.pid);
}

/** A test may be defined in a module that its file imports. */
function testFileOf(place: string): string {
  const [only = '', ...others] = files;
  return relative('', others.length === 0 ? only : place);
}

function send(report: Report): void {
  process.send?.(report);
}
