import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReloadQueue } from '../../../src/serve/reload/reload-queue.ts';
import { waitUntil } from '../../support/deadline.ts';

/** A queue whose reloads end under the control of the test. */
function aQueue() {
  const runs: PromiseWithResolvers<void>[] = [];
  const queue = createReloadQueue(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  }, 0);
  return { queue, runs };
}

test('requests during a reload share one reload after it', async () => {
  const { queue, runs } = aQueue();
  const first = queue.request();
  const later = Array.from({ length: 60 }, () => queue.request());
  assert.equal(runs.length, 1);
  runs[0]?.resolve();
  await first;
  await waitUntil('the second reload starts', () => runs.length > 1);
  runs[1]?.resolve();
  await Promise.all(later);
  assert.equal(runs.length, 2);
});

test('a reload that fails does not prevent the next one', async () => {
  const { queue, runs } = aQueue();
  const first = queue.request();
  const second = queue.request();
  runs[0]?.reject(new Error('made to fail'));
  await assert.rejects(first, /made to fail/);
  await waitUntil('the second reload starts', () => runs.length > 1);
  runs[1]?.resolve();
  await second;
});
