/** The key store of a running service: other programs that use it, damage, and what is on disk after a stop. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { openSqliteKeys } from 'toponym-access/keys/sqlite-keys';
import { runCommand } from '../../../../test/support/command.ts';
import { waitUntil } from '../../../../test/support/deadline.ts';
import { smallIndex } from '../../../../test/support/index-version.ts';
import { withinOneDay } from '../../../../test/support/one-day.ts';
import {
  createKey,
  type RunningService,
  refusedStart,
  runSmallService,
} from '../../../../test/support/running-service.ts';
import { startInProcess } from '../../../../test/support/service-in-process.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';

const ALBA = { form: { objectID: 'G1' } };

type Callable = Pick<RunningService, 'call'>;

/** The statuses of calls over separate connections, so that both threads serve some of them. */
async function statusesOf(service: Callable, key: string): Promise<Set<number>> {
  const calls = Array.from({ length: 20 }, () => service.call('/api/1/id', { ...ALBA, key }));
  return new Set((await Promise.all(calls)).map(({ status }) => status));
}

async function oneAfterTheOther(service: Callable, key: string, calls: number): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < calls; i++) found.push((await service.call('/api/1/id', { ...ALBA, key })).status);
  return found;
}

test('other programs may back up the key store but not lock it, which neither undoes a revocation nor delays a stop', async (context) => {
  const service = await startInProcess(context, { threads: 2 });
  const store = join(service.state, 'keys.sqlite');
  const withStore = (script: string) => {
    const open = `const { DatabaseSync, backup } = require('node:sqlite'); const db = new DatabaseSync('${store}');`;
    return spawnSync(process.execPath, ['-e', open + script], { encoding: 'utf8' });
  };
  const lock = `db.exec('PRAGMA locking_mode = EXCLUSIVE'); db.prepare('SELECT count(*) FROM keys').get()`;
  const accesses: readonly (() => void)[] = [
    () => assert.match(withStore(lock).stderr, /database is locked/),
    () => assert.equal(withStore(`backup(db, '${store}.backup').then(() => db.close())`).status, 0),
  ];
  const revoked = await createKey(service);
  const other = await createKey(service);
  assert.deepEqual(await statusesOf(service, revoked.key), new Set([200]));
  assert.equal((await runCommand(['keys', 'revoke', revoked.id, '--state', service.state])).code, 0);
  let created = other;
  for (const access of accesses) {
    access();
    assert.deepEqual(await statusesOf(service, revoked.key), new Set([403]));
    assert.deepEqual(await statusesOf(service, created.key), new Set([200]));
    created = await createKey(service);
    access();
    assert.deepEqual(await statusesOf(service, created.key), new Set([200]));
  }
  assert.deepEqual(await statusesOf(service, other.key), new Set([200]));
  const writer = new DatabaseSync(store);
  writer.exec('BEGIN IMMEDIATE');
  const startedMs = performance.now();
  await service.drain();
  assert.match(service.log(), /"reason":"the key store is locked"/);
  // the key store waits 5 s for a lock otherwise; a stop takes less than 0.1 s
  assert.ok(performance.now() - startedMs < 5000);
  writer.close();
  const db = new DatabaseSync(store, { readOnly: true });
  assert.deepEqual({ ...db.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
  assert.equal(db.prepare('SELECT id FROM keys WHERE id = ? AND revoked_at IS NOT NULL').all(revoked.id).length, 1);
  assert.equal(db.prepare('SELECT id FROM keys WHERE id = ?').all(created.id).length, 1);
  db.close();
});

test('a start with a damaged key store exits with 1 and one sentence', async (context) => {
  const state = temporaryFolder(context);
  const file = join(state, 'keys.sqlite');
  const keys = openSqliteKeys(file);
  const { record } = keys.create({ label: 'x' }, Date.now());
  keys.close();
  const db = new DatabaseSync(file);
  db.exec(`UPDATE keys SET origins = 'no JSON'`);
  db.close();
  const { code, stderr } = await refusedStart(['--port', '0', '--state', state, '--index', await smallIndex()]);
  assert.equal(code, 1);
  assert.equal(
    stderr,
    `toponym: key store ${file} is damaged: column origins of key ${record.id} cannot be read. ` +
      'Restore it from a backup, or move it away to start with new keys.\n',
  );
});

test('a key store that is damaged while the service runs keeps its keys working, and the log says so', async (context) => {
  const service = await runSmallService(context);
  for (const name of ['keys.sqlite', 'keys.sqlite-wal', 'keys.sqlite-shm']) overwrite(join(service.state, name));
  assert.deepEqual(await oneAfterTheOther(service, service.key, 5), Array(5).fill(200));
  assert.deepEqual(await oneAfterTheOther(service, 'wrong', 5), Array(5).fill(401));
  await service.logged('the key store cannot be read');
  assert.equal(service.log().match(/the key store cannot be read/g)?.length, 1);
  service.child.kill('SIGTERM');
  assert.deepEqual(await service.ended(), [0, null]);
});

function overwrite(file: string): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(fstatSync(handle).size, 0x55));
  closeSync(handle);
}

/** Today's calls in the key store. */
function writtenCalls(context: TestContext, state: string): () => number | undefined {
  const store = openSqliteKeys(join(state, 'keys.sqlite'));
  context.after(() => store.close());
  return () => store.quotaCounts()[0]?.calls;
}

test('threads share a quota, and neither a restart nor the loss of the process resets it', async (context) => {
  await withinOneDay(async () => {
    const before = Date.now();
    const first = await startInProcess(context, { threads: 2 });
    const { state } = first;
    const { id, key } = await createKey(first, ['--per-day', '12']);
    assert.deepEqual(await oneAfterTheOther(first, key, 4), [200, 200, 200, 200]);
    await first.drain();
    const calls = writtenCalls(context, state);
    assert.equal(calls(), 4, 'the counts are on disk when the service has stopped');
    const { stdout } = await runCommand(['keys', 'list', '--state', state, '--json']);
    const used = JSON.parse(stdout).find((listed: { id: string }) => listed.id === id);
    assert.ok(Date.parse(used.lastUsedAt) >= before, 'so are the last uses of keys');

    const second = await runSmallService(context, { state });
    assert.deepEqual(await oneAfterTheOther(second, key, 4), [200, 200, 200, 200]);
    await waitUntil('the counts are on disk', () => calls() === 8);
    second.child.kill('SIGKILL');
    assert.deepEqual(await second.ended(), [null, 'SIGKILL']);

    const third = await startInProcess(context, { state });
    assert.deepEqual(await oneAfterTheOther(third, key, 6), [200, 200, 200, 200, 429, 429]);
    const refused = await third.call('/api/1/id', { ...ALBA, key });
    assert.equal(refused.json().code, 'quota_exceeded');
    assert.ok(Number(refused.headers['retry-after']) <= 86_400);
    assert.equal(refused.headers['ratelimit-policy'], '"day";q=12;w=86400');
    assert.equal((await third.call('/api/1/id', ALBA)).status, 200, 'other keys are not affected');
  });
});
