/** New data without a restart, as an operator sees it: a running service, real files, calls going on. */
import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import path from 'node:path';
import { test } from 'node:test';
import { buildIndex } from '../../src/build/build-index.ts';
import { writeIndexFile } from '../../src/index-file/file.ts';
import { aGazetteer, aPlace } from '../support/an-engine.ts';
import { waitUntil } from '../support/deadline.ts';
import { noticeOf, untilNotice } from '../support/readiness.ts';
import { runService, runToponym } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function writeVersion(file: string, version: string, name: string): Promise<void> {
  const places = [aPlace({ id: 'G1', name }), aPlace({ id: 'G2', name: `${name} Minor`, population: 10 })];
  const { bytes } = await buildIndex({ ...aGazetteer(places), version });
  writeIndexFile(file, bytes);
}

test('a changed index is taken up under load: no call fails, no answer mixes versions', async (context) => {
  const index = path.join(temporaryFolder(context), 'data.toponym');
  await writeVersion(index, 'one', 'Alba');
  const service = await runService(context, { index, args: ['--watch-seconds', '1', '--threads', '2'] });
  const made = await runToponym([
    'keys',
    'create',
    '--label',
    'load',
    '--per-minute',
    'unlimited',
    '--json',
    '--state',
    service.state,
  ]);
  const { key } = JSON.parse(made.stdout);
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  context.after(() => agent.destroy());
  const seen = new Set<string>();
  const search = async () => {
    const answer = await service.call('/api/1/query', { form: { query: '' }, key, agent });
    assert.equal(answer.status, 200, answer.body);
    const { dataset, hits } = answer.json();
    const expected = dataset.version === 'one' ? 'Alba' : 'Borea';
    assert.ok(
      hits.every((hit: { name: string }) => hit.name.startsWith(expected)),
      answer.body,
    );
    seen.add(dataset.version);
  };
  const isEveryThreadNew = async () => {
    const before = seen.size;
    const versions = new Set<string>();
    for (let i = 0; i < 40; i++)
      versions.add((await service.call('/api/1/query', { form: {}, key })).json().dataset.version);
    return before === 2 && versions.size === 1 && versions.has('two');
  };
  await Promise.all(Array.from({ length: 8 }, search));
  await writeVersion(index, 'two', 'Borea');
  await waitUntil('every thread serves version two', async () => {
    await Promise.all(Array.from({ length: 8 }, search));
    return await isEveryThreadNew();
  });
  assert.deepEqual([...seen], ['one', 'two']);
});

test('a file that cannot be used leaves the old one serving and is told in readiness; mended, it is taken up', async (context) => {
  const folder = temporaryFolder(context);
  const index = path.join(folder, 'data.toponym');
  await writeVersion(index, 'one', 'Alba');
  const service = await runService(context, { index, args: ['--threads', '1'] });
  writeFileSync(path.join(folder, 'bad'), 'not an index');
  renameSync(path.join(folder, 'bad'), index);
  service.child.kill('SIGHUP');
  await service.logged('index not reloaded');
  assert.equal((await service.call('/api/1/query', { form: {} })).json().dataset.version, 'one');
  // without the folder: anyone may ask
  await untilNotice(service, /^index data\.toponym not reloaded; the log says why$/);
  await writeVersion(index, 'two', 'Borea');
  service.child.kill('SIGHUP');
  await service.logged('"data":"two"');
  assert.equal(service.log().match(/"msg":"reloaded"/g)?.length, 1, 'the reload that failed is not logged as one');
  assert.equal(await noticeOf(service), undefined);
});

test('an overlay shows in search, by id and in reverse, and follows its file; a mistake in it changes nothing', async (context) => {
  const folder = temporaryFolder(context);
  const index = path.join(folder, 'data.toponym');
  const overlay = path.join(folder, 'fixes.ndjson');
  await writeVersion(index, 'one', 'Alba');
  writeFileSync(overlay, '{"change":"G1","name":"Alba Nova"}\n{"hide":"G2"}\n');
  const service = await runService(context, { index, args: ['--overlay', overlay, '--threads', '1'] });
  const names = async () =>
    (await service.call('/api/1/query', { form: { query: 'alba' } }))
      .json()
      .hits.map((hit: { name: string }) => hit.name);
  assert.deepEqual(await names(), ['Alba Nova']);
  assert.equal((await service.call('/api/1/id', { form: { objectID: 'G2' } })).status, 404);
  assert.equal((await service.call('/api/1/reverse?aroundLatLng=47,2')).json().hits.length, 1);

  writeFileSync(overlay, '{"hide":"G2"}\n{"hide":"G77"}\n');
  service.child.kill('SIGHUP');
  await service.logged('fixes.ndjson:2: hide: there is no place G77');
  assert.deepEqual(await names(), ['Alba Nova']);

  writeFileSync(overlay, '{"rank":"G2","importance":0.99}\n');
  service.child.kill('SIGHUP');
  await service.logged('"data":"one+overlay-');
  assert.deepEqual(await names(), ['Alba Minor', 'Alba']);
});
