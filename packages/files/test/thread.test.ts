import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { SourceError } from 'toponym-gazetteer/sources/report';
import type { work } from '../../../test/fixtures/working-thread.ts';
import { UsageError } from '../src/errors/errors.ts';
import { runInThread, Thread, threadFile } from '../src/thread.ts';

const FILE = threadFile('../../../test/fixtures/working-thread', import.meta.url);

/** The threads that start during the test, with the ids that they have until they end. */
function noteThreads(context: TestContext): { thread: Worker; id: number }[] {
  const threads: { thread: Worker; id: number }[] = [];
  const noteThread = (thread: Worker) => threads.push({ thread, id: thread.threadId });
  process.on('worker', noteThread);
  context.after(() => process.off('worker', noteThread));
  return threads;
}

const ENDED = -1;

test('a task reports progress, then its result, and its thread ends', async (context) => {
  const threads = noteThreads(context);
  const events: unknown[] = [];
  const onProgress = (progress: { done: number }) => events.push(progress);
  events.push(await runInThread<typeof work>(FILE, 'progress', { onProgress }));
  assert.deepEqual(events, [{ done: 1 }, { done: 2 }, 'done: progress']);
  assert.deepEqual(
    threads.map(({ thread }) => thread.threadId),
    [ENDED],
  );
});

test('an error of a thread is an instance of its class, with its cause and the code of the system', async () => {
  const failing = runInThread<typeof work>(FILE, 'fail', { errors: [UsageError, SourceError] });
  const error = await failing.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof SourceError);
  assert.equal(error.message, 'the file is missing');
  const { code, syscall, path } = error.cause as NodeJS.ErrnoException;
  assert.deepEqual({ code, syscall, path }, { code: 'ENOENT', syscall: 'open', path: '/no/such/file' });
});

test('the reason of an abort is thrown once the thread has ended', async (context) => {
  const threads = noteThreads(context);
  const stopping = new AbortController();
  const aborted: number[] = [];
  const waiting = runInThread<typeof work>(FILE, 'wait', {
    signal: stopping.signal,
    onAborted: (threadId) => aborted.push(threadId),
  });
  await new Promise(setImmediate);
  stopping.abort(new UsageError('stopped'));
  await assert.rejects(waiting, { message: 'stopped' });
  assert.deepEqual(
    threads.map(({ thread, id }) => [thread.threadId, id]),
    [[ENDED, aborted[0]]],
  );
  await assert.rejects(runInThread<typeof work>(FILE, 'wait', { signal: stopping.signal }), { message: 'stopped' });
  assert.equal(threads.length, 1);
});

test('a task that takes too long, or waits for something that never comes, is an error', async () => {
  await assert.rejects(runInThread<typeof work>(FILE, 'wait', { limitMs: 10 }), { message: 'no result within 0.01 s' });
  await assert.rejects(runInThread<typeof work>(FILE, 'hang'), { message: 'the thread ended without a result' });
});

test('a thread does one task after another, and none after one that failed', async (context) => {
  const thread = new Thread<typeof work>(FILE, { errors: [SourceError] });
  context.after(() => thread.terminate());
  assert.deepEqual(await Promise.all([thread.run('a'), thread.run('b')]), ['done: a', 'done: b']);
  const [failed, next] = await Promise.allSettled([thread.run('fail'), thread.run('c')]);
  assert.ok(failed.status === 'rejected' && failed.reason instanceof SourceError);
  assert.equal(thread.failure, failed.reason);
  await assert.rejects(thread.run('d'), SourceError);
  assert.equal(next.status, 'rejected');
});
