import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceError } from 'toponym-gazetteer/sources/report';
import type { work } from '../../../test/fixtures/working-thread.ts';
import { UsageError } from '../src/errors/errors.ts';
import { runInProcess } from '../src/process.ts';
import { threadFile } from '../src/thread.ts';

const FILE = threadFile('../../../test/fixtures/working-thread', import.meta.url);

test('a task in a process reports progress, then its result', async () => {
  const events: unknown[] = [];
  const onProgress = (progress: { done: number }) => events.push(progress);
  events.push(await runInProcess<typeof work>(FILE, 'progress', { onProgress }));
  assert.deepEqual(events, [{ done: 1 }, { done: 2 }, 'done: progress']);
});

test('an error of a process is an instance of its class, with its cause and the code of the system', async () => {
  const error = await runInProcess<typeof work>(FILE, 'fail', { errors: [UsageError, SourceError] }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof SourceError);
  assert.equal(error.message, 'the file is missing');
  const { code, syscall, path } = error.cause as NodeJS.ErrnoException;
  assert.deepEqual({ code, syscall, path }, { code: 'ENOENT', syscall: 'open', path: '/no/such/file' });
});

test('an abort ends the process, and so does the end of a task without a result', async () => {
  const stopping = new AbortController();
  const waiting = runInProcess<typeof work>(FILE, 'wait', { signal: stopping.signal });
  stopping.abort(new UsageError('stopped'));
  await assert.rejects(waiting, { message: 'stopped' });
  await assert.rejects(runInProcess<typeof work>(FILE, 'hang'), { message: 'the thread ended without a result' });
});
