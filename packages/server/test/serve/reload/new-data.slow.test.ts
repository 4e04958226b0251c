import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { readIndexFile, readIndexInThread } from 'toponym-files/index-file';
import { builtIndex } from '../../../../../test/support/built-index.ts';
import { trySearches } from '../../../src/serve/reload/new-data.ts';

test('this thread keeps running while an index is read and verified', async () => {
  const file = await builtIndex();
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const index = await readIndexInThread(file);
  clearInterval(timer);
  assert.ok(ticks > 10, `${ticks} ticks`);
  assert.ok(Buffer.from(index).equals(Buffer.from(readIndexFile(file))));
});

const FAILING_TRIAL = new URL('../../../../../test/fixtures/serve/failing-trial.ts', import.meta.url);

test('a trial that hangs, throws or exits fails and leaves no thread behind', async (context) => {
  const threads: Worker[] = [];
  const noteThread = (thread: Worker) => threads.push(thread);
  process.on('worker', noteThread);
  context.after(() => process.off('worker', noteThread));
  for (const [way, reason] of [
    ['hang', /cannot be searched: no result within 1 s/],
    ['throw', /cannot be searched: made to fail/],
    ['exit', /cannot be searched: the thread ended without a result/],
  ] as const) {
    const index = way as unknown as SharedArrayBuffer;
    await assert.rejects(
      trySearches(index, { limitMs: way === 'hang' ? 1000 : 30_000, trialThread: FAILING_TRIAL }),
      reason,
    );
  }
  const ENDED = -1;
  assert.deepEqual(
    threads.map(({ threadId }) => threadId),
    [ENDED, ENDED, ENDED],
  );
});
