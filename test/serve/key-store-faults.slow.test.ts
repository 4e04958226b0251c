/** A damaged, locked or replaced key store, which must not stop a running service. */
import assert from 'node:assert/strict';
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openSqliteKeys } from '../../src/access/sqlite/sqlite-keys.ts';
import { builtIndex } from '../support/built-index.ts';
import { runService, runToponym } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a start with a damaged key store exits with 1 and one sentence', async (context) => {
  const state = temporaryFolder(context);
  const file = join(state, 'keys.sqlite');
  const keys = openSqliteKeys(file);
  const { record } = keys.create({ label: 'x' }, Date.now());
  keys.close();
  const db = new DatabaseSync(file);
  db.exec(`UPDATE keys SET origins = 'no JSON'`);
  db.close();
  const serve = ['serve', '--port', '0', '--state', state, '--index', await builtIndex(), '--ip-database', 'none'];
  const { code, stderr } = await runToponym(serve);
  assert.equal(code, 1);
  assert.equal(
    stderr,
    `toponym: key store ${file} is damaged: column origins of key ${record.id} cannot be read. ` +
      'Restore it from a backup, or move it away to start with new keys.\n',
  );
});

test('a key store that is damaged while the service runs keeps its keys working, and the log says so', async (context) => {
  const service = await runService(context, { args: ['--threads', '1'] });
  for (const name of ['keys.sqlite', 'keys.sqlite-wal', 'keys.sqlite-shm']) overwrite(join(service.state, name));
  for (let i = 0; i < 5; i++) {
    assert.equal((await service.call('/api/1/id', { form: { objectID: 'G2988507' } })).status, 200);
    assert.equal((await service.call('/api/1/id', { form: { objectID: 'G2988507' }, key: 'wrong' })).status, 401);
  }
  await service.logged('the key store cannot be read');
  assert.equal(service.log().match(/the key store cannot be read/g)?.length, 1);
  service.child.kill('SIGTERM');
  assert.deepEqual(await service.ended(), [0, null]);
});

test('a service stops without waiting for another program that writes to the key store', async (context) => {
  const service = await runService(context, { args: ['--threads', '2'] });
  assert.equal((await service.call('/api/1/id', { form: { objectID: 'G2988507' } })).status, 200);
  const writer = new DatabaseSync(join(service.state, 'keys.sqlite'));
  context.after(() => writer.close());
  writer.exec('BEGIN IMMEDIATE');
  const startedMs = performance.now();
  service.child.kill('SIGTERM');
  assert.deepEqual(await service.ended(), [0, null]);
  // SQLite usually waits five seconds for a lock
  assert.ok(performance.now() - startedMs < 4500);
});

test('times of last use are on disk when the service has stopped', async (context) => {
  const service = await runService(context, { args: ['--threads', '2'] });
  const before = Date.now();
  assert.equal((await service.call('/api/1/id', { form: { objectID: 'G2988507' } })).status, 200);
  service.child.kill('SIGTERM');
  assert.deepEqual(await service.ended(), [0, null]);
  const { stdout } = await runToponym(['keys', 'list', '--state', service.state, '--json']);
  assert.ok(Date.parse(JSON.parse(stdout)[0].lastUsedAt) >= before);
});

function overwrite(file: string): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(fstatSync(handle).size, 0x55));
  closeSync(handle);
}
