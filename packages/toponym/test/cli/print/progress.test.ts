import assert from 'node:assert/strict';
import { type TestContext, test as testAnywhere } from 'node:test';
import { formatDuration } from '../../../src/cli/print/facts.ts';
import {
  createProgress,
  downloadStage,
  type ProgressOptions,
  progressBar,
  type StageProgress,
} from '../../../src/cli/print/progress.ts';

/** A test on a terminal without colours. */
function test(title: string, run: (context: TestContext) => void): void {
  testAnywhere(title, (context) => {
    context.mock.property(process, 'env', { TERM: 'xterm', NO_COLOR: '1', LC_ALL: 'C.UTF-8' });
    run(context);
  });
}

const CLEAR = '\r\x1b[2K';
const STEP: StageProgress = { stage: 'indexing names', done: 90_000, total: 199_568, perSecond: 9000, secondsLeft: 80 };

/** Progress on a stream that records what is written, with a clock that the test sets. */
function recorded({ isTTY, ...options }: ProgressOptions & { isTTY: boolean }) {
  const written: string[] = [];
  const stream = { isTTY, columns: 80, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
  const clock = { ms: 0 };
  const progress = createProgress('Building x', { ...options, stream, nowMs: () => clock.ms });
  return { written, clock, progress };
}

test('a bar has percentage, count, rate and time left, as far as the width allows', () => {
  const lines = [120, 80, 60, 50, 40, 30, 16, 10].map((width) => String(progressBar('Building x', STEP, width)));
  assert.deepEqual(lines, [
    `Building x: indexing names  ${'█'.repeat(13)}${'░'.repeat(17)}  45%  90,000 of 199,568  9,000/s  1 min 20 s left`,
    `indexing names  ${'█'.repeat(6)}${'░'.repeat(8)}  45%  90,000 of 199,568  9,000/s  1 min 20 s left`,
    `Building x: indexing names  ${'█'.repeat(4)}${'░'.repeat(6)}  45%  1 min 20 s left`,
    `indexing names  ${'█'.repeat(5)}${'░'.repeat(7)}  45%  1 min 20 s left`,
    'indexing names  45%  1 min 20 s left',
    'indexing names  45%',
    'indexing names',
    'indexing…',
  ]);
});

test('no line is wider than the terminal', () => {
  for (const stage of ['', '東京の索引', 'a stage with a name that is longer than most terminals are wide']) {
    for (const step of [STEP, { ...STEP, total: undefined }, { ...STEP, done: 0 }]) {
      for (let width = 2; width < 130; width++) {
        const line = String(progressBar('Building x', { ...step, stage }, width));
        const columns = Array.from(line).reduce((sum, letter) => sum + (/[一-龠の]/.test(letter) ? 2 : 1), 0);
        assert.ok(columns <= width, `${width}: ${line}`);
      }
    }
  }
});

test('without UTF-8 the bar has ASCII characters', () => {
  process.env.LC_ALL = 'C';
  const line = String(progressBar('x', { stage: '', done: 1, total: 2 }, 40));
  assert.equal(line, `x  ${'#'.repeat(12)}${'-'.repeat(12)}  50%  1 of 2`);
});

test('a download is shown in megabytes with its own rate', () => {
  const download = { bytes: 12_300_000, totalBytes: 45e6, bytesPerSecond: 3.2e6, secondsLeft: 10.2 };
  const line = String(progressBar('Downloading w', downloadStage('', download), 80));
  assert.match(line, /^Downloading w {2}█+░+ {2}27% {2}12\.3 of 45\.0 MB {2}3\.2 MB\/s {2}11 s left$/);
  const unknown = { bytes: 12_300_000, bytesPerSecond: 0 };
  assert.equal(String(progressBar('Downloading w', downloadStage('', unknown), 80)), 'Downloading w  12.3 MB');
});

test('a bar is redrawn at most ten times a second, and cleared at the end', () => {
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
  assert.match(written[1] ?? '', /Building x: s {2}█+░+ {2}20% {2}200 of 1,000 {2}100\/s {2}8 s left$/);
});

test('a bar listens for signals until it ends', () => {
  const before = process.listenerCount('SIGINT');
  const { progress } = recorded({ isTTY: true });
  const countAfter = (stage: string) => {
    progress.show({ stage, done: 1 });
    return process.listenerCount('SIGINT') - before;
  };
  assert.deepEqual([countAfter('a'), countAfter('b')], [1, 1]);
  progress.end();
  assert.equal(process.listenerCount('SIGINT'), before);
});

test('a signal that something else handles clears the bar, and no other bar is drawn', (context) => {
  const ignore = () => {};
  process.on('SIGINT', ignore);
  context.after(() => process.off('SIGINT', ignore));
  const { written, progress } = recorded({ isTTY: true });
  progress.show({ stage: 'a', done: 1 });
  process.listeners('SIGINT').at(-1)?.('SIGINT');
  progress.show({ stage: 'b', done: 1 });
  progress.end();
  assert.deepEqual(written.slice(1), [CLEAR]);
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
    'Building x: sorting 10%, 10,000 of 100,000, 1,000/s, 1 min 30 s left\n',
    'Building x: sorting 20%, 20,000 of 100,000, 1,000/s, 1 min 20 s left\n',
  ]);
});

test('work that is usually short prints no line in its first 10 seconds', () => {
  const { written, clock, progress } = recorded({ isTTY: false, isUsuallyShort: true });
  for (clock.ms = 0; clock.ms <= 10_000; clock.ms += 1000) progress.show({ stage: '', done: clock.ms, total: 20_000 });
  assert.deepEqual(written, ['Building x 50%, 10,000 of 20,000, 1,000/s, 10 s left\n']);
});

test('durations are in seconds, minutes or hours', () => {
  const texts = [0.2, 59, 59.5, 80, 3599, 7500].map(formatDuration);
  assert.deepEqual(texts, ['1 s', '59 s', '1 min 0 s', '1 min 20 s', '59 min 59 s', '2 h 5 min']);
});
