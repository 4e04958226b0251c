import assert from 'node:assert/strict';
import { type TestContext, test as testAnywhere } from 'node:test';
import { formatDuration } from '../../../src/cli/print/facts.ts';
import {
  createProgress,
  downloadStage,
  type ProgressOptions,
  type StageProgress,
} from '../../../src/cli/print/progress.ts';

/** A test on a terminal. */
function test(title: string, run: (context: TestContext) => void): void {
  testAnywhere(title, (context) => {
    context.mock.property(process, 'env', { TERM: 'xterm' });
    run(context);
  });
}

const CLEAR = '\r\x1b[2K';
const STEP: StageProgress = { stage: 'indexing names', done: 90_000, total: 199_568, perSecond: 9000, secondsLeft: 80 };

/** Progress on a stream that records what is written, with a clock that the test sets. */
function recorded({ isTTY, columns = 80, ...options }: ProgressOptions & { isTTY: boolean; columns?: number }) {
  const written: string[] = [];
  const stream = { isTTY, columns, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
  const clock = { ms: 0 };
  const progress = createProgress('Building x', { ...options, stream, nowMs: () => clock.ms });
  return { written, clock, progress };
}

/** The line on a terminal of this many columns. */
function lineOf(step: StageProgress, columns: number): string {
  const { written, progress } = recorded({ isTTY: true, columns });
  progress.show(step);
  return (written[0] ?? '').slice(CLEAR.length);
}

test('a line has percentage, time left, count and rate, as far as the width allows, and there the title', () => {
  assert.deepEqual(
    [120, 60, 30].map((columns) => lineOf(STEP, columns)),
    [
      'Building x: indexing names 45%, 1 min 20 s left, 90,000 of 199,568, 9,000/s',
      'indexing names 45%, 1 min 20 s left, 90,000 of 199,568, 9,…',
      'indexing names 45%, 1 min 20…',
    ],
  );
  assert.equal(lineOf({ ...STEP, done: 0 }, 80), 'Building x: indexing names …');
  assert.equal(lineOf({ stage: '東京の索引', done: 5 }, 10), '東京の索…');
});

test('a download is shown in megabytes with its own rate', () => {
  const download = { bytes: 12_300_000, totalBytes: 45e6, bytesPerSecond: 3.2e6, secondsLeft: 10.2 };
  assert.equal(lineOf(downloadStage('', download), 80), 'Building x 27%, 11 s left, 12.3 of 45.0 MB, 3.2 MB/s');
  const unknown = { bytes: 12_300_000, bytesPerSecond: 0 };
  assert.equal(lineOf(downloadStage('', unknown), 80), 'Building x 12.3 MB');
});

test('the line is written at most ten times a second, and cleared at the end', () => {
  const { written, clock, progress } = recorded({ isTTY: true });
  for (clock.ms = 0; clock.ms < 1000; clock.ms += 10) progress.show({ stage: 's', done: clock.ms, total: 1000 });
  assert.equal(written.length, 10);
  assert.ok(written.every((text) => text.startsWith(CLEAR)));
  progress.end();
  progress.end();
  assert.deepEqual(written.slice(10), [CLEAR]);
});

test('the rate and the time left are those of the stage', () => {
  const { written, clock, progress } = recorded({ isTTY: true });
  clock.ms = 5000;
  progress.show({ stage: 's', done: 0, total: 1000 });
  clock.ms = 7000;
  progress.show({ stage: 's', done: 200, total: 1000 });
  progress.end();
  assert.equal(written[1], `${CLEAR}Building x: s 20%, 8 s left, 200 of 1,000, 100/s`);
});

test('without a terminal there is one line per stage, and one every 10 seconds', () => {
  const { written, clock, progress } = recorded({ isTTY: false });
  progress.show({ stage: 'reading', done: 0 });
  for (clock.ms = 0; clock.ms <= 25_000; clock.ms += 500) {
    progress.show({ stage: 'sorting', done: clock.ms, total: 100_000 });
  }
  progress.end();
  assert.deepEqual(written, [
    'Building x: reading\n',
    'Building x: sorting\n',
    'Building x: sorting 10%, 1 min 30 s left, 10,000 of 100,000, 1,000/s\n',
    'Building x: sorting 20%, 1 min 20 s left, 20,000 of 100,000, 1,000/s\n',
  ]);
});

test('work that is usually short prints no line in its first 10 seconds', () => {
  const { written, clock, progress } = recorded({ isTTY: false, isUsuallyShort: true });
  for (clock.ms = 0; clock.ms <= 10_000; clock.ms += 1000) progress.show({ stage: '', done: clock.ms, total: 20_000 });
  assert.deepEqual(written, ['Building x 50%, 10 s left, 10,000 of 20,000, 1,000/s\n']);
});

test('durations are in seconds, minutes or hours', () => {
  const texts = [0.2, 59, 59.5, 80, 3599, 7500].map(formatDuration);
  assert.deepEqual(texts, ['1 s', '59 s', '1 min 0 s', '1 min 20 s', '59 min 59 s', '2 h 5 min']);
});
