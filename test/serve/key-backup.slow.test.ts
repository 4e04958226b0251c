/** Other programs that read the key store while the service runs, such as backups. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { createKey, type RunningService, runService, runToponym } from '../support/running-service.ts';

/** An operation of another process on the key store while the service runs. */
type Access = (store: string, backup: string) => void;

const hasSqlite3 = spawnSync('sqlite3', ['--version']).status === 0;

test('a process that requests an exclusive lock on the key store is refused and undoes no revocation', (context) =>
  accessWhileServing(context, (store) => {
    const script = `const { DatabaseSync } = require('node:sqlite');
      const db = new DatabaseSync(process.argv[1]);
      db.exec('PRAGMA locking_mode = EXCLUSIVE');
      db.prepare('SELECT count(*) FROM keys').get();
      db.close();`;
    const { stderr } = spawnSync(process.execPath, ['-e', script, store], { encoding: 'utf8' });
    assert.match(stderr, /database is locked/);
  }));

test(
  'a backup with the sqlite3 command succeeds and undoes no revocation',
  {
    skip: hasSqlite3 ? false : 'the sqlite3 command is not installed',
  },
  (context) =>
    accessWhileServing(context, (store, backup) => {
      assert.equal(spawnSync('sqlite3', [store, `.backup '${backup}'`]).status, 0);
    }),
);

async function accessWhileServing(context: TestContext, access: Access): Promise<void> {
  const service = await runService(context, { args: ['--threads', '2'] });
  const store = join(service.state, 'keys.sqlite');
  const revoked = await createKey(service);
  const other = await createKey(service);
  assert.deepEqual(await statuses(service, revoked.key), new Set([200]));
  assert.equal((await runToponym(['keys', 'revoke', revoked.id, '--state', service.state])).code, 0);
  assert.deepEqual(await statuses(service, revoked.key), new Set([403]));

  access(store, join(service.state, 'first.backup'));
  assert.deepEqual(await statuses(service, revoked.key), new Set([403]));
  const created = await createKey(service);
  assert.deepEqual(await statuses(service, created.key), new Set([200]));
  access(store, join(service.state, 'second.backup'));
  assert.deepEqual(await statuses(service, revoked.key), new Set([403]));
  assert.deepEqual(await statuses(service, created.key), new Set([200]));
  assert.deepEqual(await statuses(service, other.key), new Set([200]));

  service.child.kill('SIGTERM');
  assert.deepEqual(await service.ended(), [0, null]);
  const db = new DatabaseSync(store, { readOnly: true });
  assert.deepEqual({ ...db.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
  assert.equal(db.prepare('SELECT id FROM keys WHERE id = ? AND revoked_at IS NOT NULL').all(revoked.id).length, 1);
  assert.equal(db.prepare('SELECT id FROM keys WHERE id = ?').all(created.id).length, 1);
  db.close();
}

/** The statuses of calls over separate connections, so that both threads serve some of them. */
async function statuses(service: RunningService, key: string): Promise<Set<number>> {
  const calls = Array.from({ length: 20 }, () => service.call('/api/1/id', { form: { objectID: 'G2988507' }, key }));
  return new Set((await Promise.all(calls)).map(({ status }) => status));
}
