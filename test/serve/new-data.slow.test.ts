/** New data without a restart: a running service, real files, calls in progress. */
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
import { createKey, runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function writeVersion(file: string, version: string, name: string): Promise<void> {
  const places = [aPlace({ id: 'G1', name }), aPlace({ id: 'G2', name: `${name} Minor`, population: 10 })];
  const { chunks } = await buildIndex({ ...aGazetteer(places), version });
  writeIndexFile(file, chunks);
}

test('a changed index is reloaded under load: no call fails and no response mixes versions', async (context) => {
  const index = path.join(temporaryFolder(context), 'data.toponym');
  await writeVersion(index, 'one', 'Alba');
  const service = await runService(context, { index, args: ['--watch-seconds', '1', '--threads', '2'] });
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

test('an unusable index is reported by /readyz while the old one stays in use; once repaired, it is reloaded', async (context) => {
  const folder = temporaryFolder(context);
  const index = path.join(folder, 'data.toponym');
  await writeVersion(index, 'one', 'Alba');
  const service = await runService(context, { index, args: ['--threads', '1'] });
  writeFileSync(path.join(folder, 'bad'), 'not an index');
  renameSync(path.join(folder, 'bad'), index);
  service.child.kill('SIGHUP');
  await service.logged('index not reloaded');
  assert.equal((await service.call('/api/1/query', { form: {} })).json().dataset.version, 'one');
  // the notice is public, so it omits the folder
  await untilNotice(service, /^index data\.toponym not reloaded; the log says why$/);
  await writeVersion(index, 'two', 'Borea');
  service.child.kill('SIGHUP');
  await service.logged('"data":"two"');
  assert.equal(service.log().match(/"msg":"reloaded"/g)?.length, 1, 'the reload that failed is not logged as one');
  assert.equal(await noticeOf(service), undefined);
});

test('an overlay affects all endpoints and is reloaded with its file; an invalid one changes nothing', async (context) => {
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
  await service.logged('fixes.ndjson:2: hide: place G77 does not exist');
  assert.deepEqual(await names(), ['Alba Nova']);

  writeFileSync(overlay, '{"rank":"G2","importance":0.99}\n');
  service.child.kill('SIGHUP');
  await service.logged('"data":"one+overlay-');
  assert.deepEqual(await names(), ['Alba Minor', 'Alba']);
});
