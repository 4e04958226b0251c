import assert from 'node:assert/strict';
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { waitUntil } from '../../../test/support/deadline.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { FileWatch } from '../src/file-watch.ts';
import { createReloadQueue } from '../src/reload-queue.ts';

/** A watch of real files that records its events. */
function aWatch(context: TestContext, names: readonly string[]) {
  const folder = temporaryFolder(context);
  const paths = names.map((name) => join(folder, name));
  for (const path of paths) writeFileSync(path, 'one');
  const events: string[] = [];
  const watch = new FileWatch(() => paths, {
    onChange: () => events.push('change'),
    onProblem: (problem) => events.push(problem === '' ? 'solved' : problem.replace(/ \(.*/, '')),
  });
  watch.markRead();
  /** Returns the events of one poll. */
  const poll = () => {
    events.length = 0;
    watch.poll();
    return [...events];
  };
  return { watch, poll, folder, paths, path: paths[0] ?? '' };
}

test('a change of one of several files is reported from the second identical poll until it is read', (context) => {
  const { watch, poll, paths } = aWatch(context, ['other', 'data']);
  const path = paths[1] ?? '';
  assert.deepEqual(poll(), []);
  writeFileSync(path, 'one and');
  assert.deepEqual(poll(), []);
  writeFileSync(path, 'one and two');
  assert.deepEqual(poll(), []);
  assert.deepEqual(poll(), ['change']);
  assert.deepEqual(poll(), ['change']);
  watch.markRead();
  assert.deepEqual(poll(), []);
});

test('a file that changes after it was marked as read is reported, even while it is being read', (context) => {
  const { watch, poll, folder, path } = aWatch(context, ['data']);
  watch.markRead();
  writeFileSync(join(folder, 'next'), 'two');
  renameSync(join(folder, 'next'), path);
  poll();
  assert.deepEqual(poll(), ['change']);
});

test('a path that cannot be examined is reported once, and its recovery once', (context) => {
  const { poll, folder, path } = aWatch(context, ['data']);
  renameSync(path, join(folder, 'aside'));
  symlinkSync('data', path);
  assert.deepEqual([poll(), poll(), poll()], [[], ['too many symbolic links encountered'], []]);
  rmSync(path);
  assert.deepEqual([poll(), poll(), poll()], [[], ['no such file or directory'], []]);
  renameSync(join(folder, 'aside'), path);
  assert.deepEqual([poll(), poll()], [[], ['solved', 'change']]);
});

/** A queue whose reloads end under the control of the test. */
function aQueue() {
  const runs: PromiseWithResolvers<void>[] = [];
  const request = createReloadQueue(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  }, 0);
  return { request, runs };
}

test('requests during a reload share one reload after it', async () => {
  const { request, runs } = aQueue();
  const first = request();
  const later = Array.from({ length: 60 }, () => request());
  assert.equal(runs.length, 1);
  runs[0]?.resolve();
  await first;
  await waitUntil('the second reload starts', () => runs.length > 1);
  runs[1]?.resolve();
  await Promise.all(later);
  assert.equal(runs.length, 2);
});

test('a reload that fails does not prevent the next one', async () => {
  const { request, runs } = aQueue();
  const first = request();
  const second = request();
  runs[0]?.reject(new Error('made to fail'));
  await assert.rejects(first, /made to fail/);
  await waitUntil('the second reload starts', () => runs.length > 1);
  runs[1]?.resolve();
  await second;
});
