/** New data without a restart: a running service, real files, calls in progress. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import { readIndexFile } from 'toponym-files/index-file';
import { fileJob } from 'toponym-program/cli/commands/serve-command';
import { CALL_PAUSE_MS, waitUntil } from '../../../../test/support/deadline.ts';
import { forgeSection } from '../../../../test/support/forged-index.ts';
import { writeVersion } from '../../../../test/support/index-version.ts';
import { noticeOf, untilNoNotice, untilNotice, versionOf } from '../../../../test/support/readiness.ts';
import { createKey, refusedStart } from '../../../../test/support/running-service.ts';
import { startInProcess } from '../../../../test/support/service-in-process.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';

const NAMES = ['Alba', 'Borea', 'Cora', 'Dora', 'Erda', 'Flora'];
const WATCH_SECONDS = 0.2;

test('a changed index is reloaded under load: no call fails and no response mixes versions', async (context) => {
  const indexPath = join(temporaryFolder(context), 'data.toponym');
  await writeVersion(indexPath, 'one', ['Alba', 'Alba Minor']);
  const service = await startInProcess(context, { index: indexPath, watchSeconds: WATCH_SECONDS, threads: 2 });
  const { key } = await createKey(service);
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  context.after(() => agent.destroy());
  const seen = new Set<string>();
  const search = async () => {
    const response = await service.call('/api/1/query', { form: { query: '' }, key, agent });
    assert.equal(response.status, 200, response.body);
    const { dataset, hits } = response.json();
    const expected = dataset.version === 'one' ? 'Alba' : 'Borea';
    assert.ok(
      hits.every((hit: { name: string }) => hit.name.startsWith(expected)),
      response.body,
    );
    seen.add(dataset.version);
  };
  const searchAll = () => Promise.all(Array.from({ length: 8 }, search));
  await searchAll();
  await writeVersion(indexPath, 'two', ['Borea', 'Borea Minor']);
  await waitUntil('a response comes from the new index', async () => {
    await searchAll();
    return seen.has('two');
  });
  await service.logged('"data":"two"');
  // new connections, so that both threads serve some
  for (let i = 0; i < 10; i++)
    assert.equal((await service.call('/api/1/query', { form: {}, key })).json().dataset.version, 'two');
  assert.deepEqual([...seen], ['one', 'two']);
});

test('an index that is replaced between loading and listening is reloaded', async (context) => {
  const index = join(temporaryFolder(context), 'data.toponym');
  await writeVersion(index, 'one', ['Alba']);
  const job = fileJob(index, () => readIndexFile(index));
  const createJob = () => ({
    ...job,
    load: async (beforeRead: () => void) => {
      const bytes = await job.load(beforeRead);
      await writeVersion(index, 'two', ['Borea']);
      return bytes;
    },
  });
  const service = await startInProcess(context, { createJob, watchSeconds: 0.05 });
  await service.logged('"data":"two"');
  assert.equal(await versionOf(service), 'two');
});

test('an index that cannot be used is reported while the old one stays in use; once repaired, it is served', async (context) => {
  const indexPath = join(temporaryFolder(context), 'data.toponym');
  await writeVersion(indexPath, 'six', NAMES);
  const service = await startInProcess(context, { index: indexPath });
  const cases: readonly [string, () => unknown, string][] = [
    ['another file', () => writeFileSync(indexPath, 'not an index'), 'does not start with the magic bytes'],
    ['no places', () => writeVersion(indexPath, 'empty', []), 'the index holds no places'],
    [
      'less than half of the places',
      () => writeVersion(indexPath, 'two', NAMES.slice(0, 2)),
      'the index holds 2 places, and 6 are being served',
    ],
    [
      'a truncated file',
      async () => {
        await writeVersion(indexPath, 'cut', NAMES);
        truncateSync(indexPath, 1000);
      },
      'the directory of the index is damaged',
    ],
    [
      'a file that passes every structural check, but no search finds anything',
      async () => {
        await writeVersion(indexPath, 'forged', NAMES);
        forgeSection(indexPath, 'nameTrieTailLetters', (bytes) => bytes.fill(1));
      },
      'places are found by their names',
    ],
  ];
  for (const [what, damage, reason] of cases) {
    await context.test(what, async () => {
      await damage();
      await service.reload();
      assert.ok(service.log().split('\n').at(-1)?.includes(reason), service.log());
      // the notice is public, so it omits the folder
      await untilNotice(service, /^index data\.toponym not reloaded(; the log says why|: it holds 2 places, .*)$/);
      assert.equal(await versionOf(service), 'six');
    });
  }
  await writeVersion(indexPath, 'three', NAMES.slice(0, 3));
  await service.reload();
  assert.equal(await versionOf(service), 'three');
  assert.equal(await noticeOf(service), undefined);
  assert.equal(service.log().match(/"msg":"index reloaded"/g)?.length, 1, 'reloads that failed are not logged as one');
  assert.doesNotMatch(service.log(), /a thread failed/);

  await context.test(
    'many requests for a reload cause few reloads, the last of which reads the newest file',
    async () => {
      const reloads = () => (service.log().match(/"msg":"index reloaded"/g)?.length ?? 0) - 1;
      const requests = Array.from({ length: 60 }, () => service.reload());
      await waitUntil('a reload is done', () => reloads() > 0, CALL_PAUSE_MS);
      await writeVersion(indexPath, 'last', NAMES);
      await Promise.all([...requests, service.reload()]);
      assert.match(service.log().split('\n').at(-1) ?? '', /"data":"last"/);
      assert.ok(reloads() <= 3, `${reloads()} reloads`);
    },
  );
});

test('an index path that cannot be examined is reported, and the old data stays in use', async (context) => {
  const indexPath = join(temporaryFolder(context), 'data.toponym');
  await writeVersion(indexPath, 'one', ['Alba']);
  const options = { index: indexPath, watchSeconds: WATCH_SECONDS, allowShrunkenData: true };
  const service = await startInProcess(context, options);
  rmSync(indexPath);
  symlinkSync('data.toponym', indexPath);
  await service.logged('too many symbolic links');
  assert.equal(await versionOf(service), 'one');
  await untilNotice(service, /too many symbolic links.*data\.toponym/);
  rmSync(indexPath);
  await writeVersion(indexPath, 'empty', []);
  await service.logged('"data":"empty"'); // allowShrunkenData allows any index
  await untilNoNotice(service);
  assert.equal(await versionOf(service), 'empty');
});

test('an overlay affects all endpoints and is reloaded with its file; one that cannot be used changes nothing', async (context) => {
  const folder = temporaryFolder(context);
  const indexPath = join(folder, 'data.toponym');
  const overlay = join(folder, 'fixes.ndjson');
  await writeVersion(indexPath, 'one', ['Alba', 'Alba Minor']);
  writeFileSync(overlay, '{"change":"G1","name":"Alba Nova"}\n{"hide":"G2"}\n');
  const service = await startInProcess(context, { index: indexPath, overlay, callsPerMinute: 10_000 });
  const names = async () => {
    const { hits = [] } = (await service.call('/api/1/query', { form: { query: 'alba' } })).json();
    return hits.map((hit: { name: string }) => hit.name);
  };
  assert.deepEqual(await names(), ['Alba Nova']);
  assert.equal((await service.call('/api/1/id', { form: { objectID: 'G2' } })).status, 404);
  assert.equal((await service.call('/api/1/reverse?aroundLatLng=47,2')).json().hits.length, 1);

  const put = (content: string) => writeFileSync(overlay, content);
  for (const [change, reason] of [
    [() => put('{"hide":"G2"}\npassword=hunter2\n'), 'fixes.ndjson:2: not JSON'],
    [() => execFileSync('mkfifo', [overlay]), `${overlay} cannot be read: a pipe, not a file`],
    [() => symlinkSync('/dev/zero', overlay), `${overlay} cannot be read: a device, not a file`],
  ] as const) {
    rmSync(overlay);
    change();
    await service.reload(); // returns while the index with the overlay is made
    await service.logged(reason);
    // the notice shows none of the content
    assert.equal(await untilNotice(service, /./), 'overlay fixes.ndjson not reloaded; the log says why');
    assert.deepEqual(await names(), ['Alba Nova']);
  }
  rmSync(overlay);
  put('{"rank":"G2","importance":0.99}\n');
  await service.reload();
  await waitUntil('the new overlay is served', async () => (await names()).length === 2, CALL_PAUSE_MS);
  assert.deepEqual(await names(), ['Alba Minor', 'Alba']);
  await untilNoNotice(service);
});

test('a service does not start with an empty index', async (context) => {
  const folder = temporaryFolder(context);
  const index = join(folder, 'data.toponym');
  await writeVersion(index, 'empty', []);
  const { code, stderr } = await refusedStart(['--json', '--index', index, '--state', join(folder, 'state')]);
  assert.equal(code, 1);
  assert.match(stderr, /^toponym: .*data\.toponym: the index holds no places\. .*\n$/);
});
