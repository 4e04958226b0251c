/** New data that lost most of its places in a bad build. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { writeVersion } from '../../support/index-version.ts';
import { noticeOf, untilNotice } from '../../support/readiness.ts';
import { runService, runToponym } from '../../support/running-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const NAMES = ['Alba', 'Borea', 'Cora', 'Dora', 'Erda', 'Flora'];

async function aService(context: TestContext, args: readonly string[] = []) {
  const index = path.join(temporaryFolder(context), 'data.toponym');
  await writeVersion(index, 'six', NAMES);
  const service = await runService(context, { index, args: ['--threads', '1', ...args] });
  const version = async () => (await service.call('/api/1/query', { form: {} })).json().dataset.version;
  return { service, index, version };
}

test('a reload refuses an index that is empty or has lost more than half of its places', async (context) => {
  const { service, index, version } = await aService(context);
  await writeVersion(index, 'empty', []);
  service.child.kill('SIGHUP');
  await service.logged('the index holds no places');
  await untilNotice(service, /^index data\.toponym not reloaded; the log says why$/);
  await writeVersion(index, 'two', NAMES.slice(0, 2));
  service.child.kill('SIGHUP');
  await service.logged('the index holds 2 places, and 6 are being served');
  assert.equal(await version(), 'six');
  await writeVersion(index, 'three', NAMES.slice(0, 3));
  service.child.kill('SIGHUP');
  await service.logged('"data":"three"');
  assert.equal(await version(), 'three');
  assert.equal(await noticeOf(service), undefined);
});

test('--allow-shrunken-data allows any index, even an empty one', async (context) => {
  const { service, index, version } = await aService(context, ['--allow-shrunken-data']);
  await writeVersion(index, 'empty', []);
  service.child.kill('SIGHUP');
  await service.logged('"data":"empty"');
  assert.equal(await version(), 'empty');
});

test('a service does not start with an empty index', { timeout: 30_000 }, async (context) => {
  const folder = temporaryFolder(context);
  const index = path.join(folder, 'data.toponym');
  await writeVersion(index, 'empty', []);
  const args = ['--port', '0', '--index', index, '--state', path.join(folder, 'state'), '--ip-database', 'none'];
  const { code, stderr } = await runToponym(['serve', '--json', ...args]);
  assert.equal(code, 1);
  assert.match(stderr, /^toponym: .*data\.toponym: the index holds no places\. .*\n$/);
});
