import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { pino } from 'pino';
import { Reloader } from '../../../src/serve/reload/reloader.ts';
import type { FetchOptions, IndexDownload } from '../../../src/serve/remote/index-download.ts';
import { waitUntil } from '../../support/deadline.ts';
import { writeVersion } from '../../support/index-version.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SERVED = { version: 'one', places: 1 };

/** A reloader that starts with a copy of an index, whose server does not answer. */
function aStart({ mock }: TestContext) {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { promise, reject } = Promise.withResolvers<never>();
  let request: FetchOptions | undefined;
  const fetch = (options: FetchOptions) => {
    request = options;
    return promise;
  };
  const remote = { name: 'https://example.com/world.toponym', path: '/state/world.toponym', fetch };
  const notices: string[] = [];
  const reloader = new Reloader({
    pool: { share: async ({ notice }: { notice: string }) => void notices.push(notice) },
    sources: {
      indexPath: remote.path,
      remote: remote as unknown as IndexDownload,
      privatePaths: [],
      tlsPaths: [],
      ipDatabasePaths: [],
    },
    log: pino({ level: 'silent' }),
  } as unknown as ConstructorParameters<typeof Reloader>[0]);
  const stopping = new AbortController();
  let isStarted = false;
  void reloader.start(SERVED, { files: 0, remote: 0 }, stopping.signal).then(() => {
    isStarted = true;
  });
  const isStartedAfter = async (ms: number) => {
    mock.timers.tick(ms);
    await nextTick();
    return isStarted;
  };
  return { reloader, stopping, isStartedAfter, notices, fail: reject, isRequestEnded: () => request?.signal?.aborted };
}

test('a start with a copy waits 5 s for a silent server; the notice follows when the request fails', async (context) => {
  const { reloader, isStartedAfter, notices, fail } = aStart(context);
  assert.equal(await isStartedAfter(4999), false);
  assert.equal(await isStartedAfter(1), true);
  assert.equal(reloader.notice, '');
  fail(new Error('no data received for 30 s'));
  await nextTick();
  assert.equal(reloader.notice, 'index world.toponym not downloaded; the log says why');
  assert.deepEqual(notices, [reloader.notice]);
});

test('a stop during that wait ends the wait and the request, without a notice', async (context) => {
  const { reloader, stopping, isStartedAfter, notices, fail, isRequestEnded } = aStart(context);
  assert.equal(await isStartedAfter(0), false);
  stopping.abort();
  assert.equal(await isStartedAfter(0), true);
  assert.equal(isRequestEnded(), false);
  reloader.stop();
  assert.equal(isRequestEnded(), true);
  fail(new Error('the request was ended'));
  await nextTick();
  assert.deepEqual([reloader.notice, notices], ['', []]);
});

test('a refused updated index disappears: the embedded one is read again; one that is being served is missed', async (context) => {
  const folder = temporaryFolder(context);
  const [indexPath, updatedIndexPath] = [join(folder, 'embedded.toponym'), join(folder, 'updated.toponym')];
  await writeVersion(indexPath, 'embedded', ['Alba', 'Borea', 'Cora', 'Dora']);
  const served: string[] = [];
  const reloader = new Reloader({
    pool: { share: async () => {}, replaceValues: async () => {} },
    sources: {
      indexPath,
      updatedIndexPath,
      allowShrunkenData: false,
      privatePaths: [indexPath, updatedIndexPath],
      tlsPaths: [],
      ipDatabasePaths: [],
      applyOverlay: async (index: SharedArrayBuffer) => index,
      loadCertificate: async () => undefined,
    },
    log: pino({}, { write: (line) => void served.push(JSON.parse(line).data ?? 'failed') }),
  } as unknown as ConstructorParameters<typeof Reloader>[0]);
  context.after(() => reloader.stop());
  reloader.markRead();
  await reloader.start({ version: 'embedded', places: 4 }, { files: 0.02, remote: 0 });
  const untilNotice = (pattern: RegExp) =>
    waitUntil(`the notice is like ${pattern}`, () => pattern.test(reloader.notice));

  await writeVersion(updatedIndexPath, 'shrunken', ['Alba']);
  await untilNotice(/^index updated\.toponym not reloaded: it holds 1 places, and 4 are being served/);
  rmSync(updatedIndexPath);
  await untilNotice(/^$/);
  await waitUntil('the embedded index is read', () => served.length > 1);
  assert.deepEqual(served, ['failed', 'embedded']);

  await writeVersion(updatedIndexPath, 'updated', ['Alba', 'Borea']);
  await waitUntil('the updated index is served', () => served.length > 2);
  rmSync(updatedIndexPath);
  await untilNotice(/^no such file or directory \(updated\.toponym\)$/);
  assert.deepEqual(served, ['failed', 'embedded', 'updated', 'failed']);
});
