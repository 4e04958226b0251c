import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { KeyStoreError, MAX_AUDIT_ENTRIES, operatorName, parseAuditEntry } from '../../src/keys/key-store.ts';
import { openSqliteKeys } from '../../src/keys/sqlite-keys.ts';
import { testKeyStore } from './key-store-contract.ts';

const MODULE = new URL('../../src/keys/sqlite-keys.ts', import.meta.url).href;
const NOW = Date.UTC(2030, 0, 1);

function aStore(t: TestContext, file = join(temporaryFolder(t), 'keys.sqlite')) {
  const store = openSqliteKeys(file);
  t.after(() => store.close());
  return { store, file };
}

testKeyStore((t) => {
  const { store, file } = aStore(t);
  const folder = join(file, '..');
  const dump = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  return { store, dump: () => dump().join('') };
});

test('keys are listed oldest first after the store is reopened', (t) => {
  const file = join(temporaryFolder(t), 'keys.sqlite');
  const first = openSqliteKeys(file);
  const a = first.create({ label: 'a', perMinute: 'unlimited' }, NOW);
  const b = first.create({ label: 'b' }, NOW + 1);
  first.close();
  const { store } = aStore(t, file);
  assert.deepEqual(store.list(), [a.record, b.record]);
  assert.deepEqual(store.find(a.key), a.record);
});

test('only the owner can read the files', { skip: process.platform === 'win32' }, (t) => {
  const { store, file } = aStore(t);
  store.create({ label: 'x' }, NOW);
  for (const name of readdirSync(join(file, '..'))) {
    assert.equal(statSync(join(file, '..', name)).mode & 0o777, 0o600, name);
  }
});

test('calls of a day are written for keys with a quota, and only increase on a day', (t) => {
  const { store, file } = aStore(t);
  const { store: other } = aStore(t, file);
  const keyId = store.create({ label: 'x', perDay: 100 }, NOW).record.id;
  store.create({ label: 'without a quota' }, NOW);
  const write = (from: typeof store, day: number, calls: number) =>
    from.writeUses(new Map(), (id) => ({ keyId: id, day, calls }));
  assert.deepEqual(store.quotaCounts(), [{ keyId, day: 0, calls: 0 }]);
  assert.equal(write(store, 20_000, 7), true);
  assert.equal(write(other, 20_000, 5), true);
  assert.deepEqual(other.quotaCounts(), [{ keyId, day: 20_000, calls: 7 }]);
  assert.equal(write(other, 20_001, 2), true);
  assert.deepEqual(store.quotaCounts(), [{ keyId, day: 20_001, calls: 2 }]);
  assert.equal(store.writeUses(new Map()), true);
  assert.deepEqual(store.quotaCounts(), [{ keyId, day: 20_001, calls: 2 }]);
});

test('writing the last uses of keys does not wait while another connection writes', (t) => {
  const { store, file } = aStore(t);
  const { record } = store.create({ label: 'x' }, NOW);
  const writer = new DatabaseSync(file);
  t.after(() => writer.close());
  writer.exec('BEGIN IMMEDIATE');
  const startedMs = performance.now();
  assert.equal(store.writeUses(new Map([[record.id, NOW + 50]])), false);
  // other writes wait five seconds for the lock
  assert.ok(performance.now() - startedMs < 5000);
  writer.exec('ROLLBACK');
  assert.equal(store.writeUses(new Map([[record.id, NOW + 50]])), true);
});

test('several threads can open the store, create keys and write uses at the same time', async (t) => {
  const { store, file } = aStore(t);
  const script = `import { openSqliteKeys } from ${JSON.stringify(MODULE)};
    const store = openSqliteKeys(${JSON.stringify(file)});
    for (let i = 0; i < 10; i++) {
      const { record, key } = store.create({ label: 'thread' }, ${NOW} + i);
      store.writeUses(new Map([[record.id, ${NOW} + i]]));
      if (store.find(key)?.id !== record.id) throw new Error('a new key was not found');
    }
    store.close();`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  await Promise.all(Array.from({ length: 3 }, () => finished(new Worker(url))));
  assert.equal(store.list().length, 30);
});

test('a folder that does not exist is refused by name', (t) => {
  const file = join(temporaryFolder(t), 'missing', 'keys.sqlite');
  assert.throws(
    () => openSqliteKeys(file),
    (error) => error instanceof KeyStoreError && error.message.includes(file),
  );
});

test('a change that cannot be recorded fails', (t) => {
  const { store, file } = aStore(t);
  const { record, key } = store.create({ label: 'a' }, NOW);
  const db = new DatabaseSync(file);
  db.exec('ALTER TABLE key_changes RENAME TO elsewhere');
  assert.throws(() => store.create({ label: 'b' }, NOW), { name: 'KeyStoreError' });
  assert.throws(() => store.revoke(record.id, NOW), { name: 'KeyStoreError' });
  db.close();
  assert.deepEqual(store.list(), [record]);
  assert.equal(store.find(key)?.revokedAt, undefined);
});

test('a backup has the log; no file of the store has the key', (t) => {
  const { store, file: original } = aStore(t);
  const { key } = store.create({ label: 'a' }, NOW);
  const file = `${original}.backup`;
  store.backUp(file);
  const copy = openSqliteKeys(file);
  t.after(() => copy.close());
  assert.deepEqual(copy.auditLog(), store.auditLog());
  assert.equal(copy.auditLog().length, 1);
  assert.equal(JSON.stringify(copy.auditLog()).includes(key), false);
});

test('the log keeps the newest entries', (t) => {
  const { store, file } = aStore(t);
  const db = new DatabaseSync(file);
  const fill = `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
    INSERT INTO key_changes SELECT n, n, 'create', 'k1', 'a', 'me@here' FROM numbers`;
  db.prepare(fill).run(MAX_AUDIT_ENTRIES);
  db.close();
  store.create({ label: 'a' }, NOW);
  store.create({ label: 'b' }, NOW + 1);
  const log = store.auditLog();
  assert.equal(log.length, MAX_AUDIT_ENTRIES);
  assert.equal(log[0]?.at, 3);
  assert.equal(log.at(-1)?.label, 'b');
});

test('a damaged entry is reported, and the keys still work', (t) => {
  const { store, file } = aStore(t);
  const { record, key } = store.create({ label: 'a' }, NOW);
  const db = new DatabaseSync(file);
  db.exec(`UPDATE key_changes SET action = 'unheard of'`);
  db.close();
  assert.throws(() => store.auditLog(), { name: 'KeyStoreError', message: /is damaged: an entry of the audit log/ });
  store.verify();
  assert.deepEqual(store.find(key), record);
});

test('the operator is named by user and host, or by the number of a user without a name', () => {
  assert.equal(
    operatorName(() => ({ username: 'ann' })),
    `ann@${hostname()}`,
  );
  assert.ok(operatorName().endsWith(`@${hostname()}`)); // the user of this test may have no name
  const nameless = () => {
    throw new Error('ENOENT');
  };
  assert.equal(operatorName(nameless), `uid ${process.getuid?.()}@${hostname()}`);
});

test('an entry is read with all its fields, and an invalid one is refused', () => {
  const row = { at: 5, action: 'create first', key_id: 'k1', label: 'a', who: 'me@here' };
  const entry = { at: 5, action: 'create first', keyId: 'k1', label: 'a', who: 'me@here' };
  assert.deepEqual(parseAuditEntry(row), entry);
  assert.deepEqual(parseAuditEntry({ ...row, at: '5' }), entry, 'Redis has texts only');
  for (const change of [
    { at: 8.64e15 + 1 },
    { at: 'x' },
    { action: 'drop' },
    { key_id: 1 },
    { label: null },
    { who: 0 },
  ]) {
    assert.throws(() => parseAuditEntry({ ...row, ...change }), {
      name: 'DamageError',
      message: /^an entry of the audit log cannot be read: /,
    });
  }
});

function finished(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on('error', reject);
    worker.on('exit', () => resolve());
  });
}
