import assert from 'node:assert/strict';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { MAX_AUDIT_ENTRIES, operatorName, parseAuditEntry } from '../../../src/access/keys/key-store.ts';
import { openSqliteKeys } from '../../../src/access/keys/sqlite-keys.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const NOW = Date.UTC(2030, 0, 1);
const _who = operatorName();

function aStore(t: TestContext) {
  const folder = temporaryFolder(t);
  const file = join(folder, 'keys.sqlite');
  const store = openSqliteKeys(file);
  t.after(() => store.close());
  return { folder, file, store };
}

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
  const { store, folder } = aStore(t);
  const { key } = store.create({ label: 'a' }, NOW);
  const file = join(folder, 'backup.sqlite');
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
  assert.equal(operatorName(), `${userInfo().username}@${hostname()}`);
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
