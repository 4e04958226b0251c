import assert from 'node:assert/strict';
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { createKeyText } from '../../src/keys/key-text.ts';
import { openKeyReader } from '../../src/keys/sqlite-key-reader.ts';
import { openSqliteKeys } from '../../src/keys/sqlite-keys.ts';

const NOW = Date.UTC(2030, 0, 1);

function aReader(t: TestContext) {
  const file = join(temporaryFolder(t), 'keys.sqlite');
  const store = openSqliteKeys(file);
  const problems: string[] = [];
  const reader = openKeyReader(file, (error) => problems.push(error.message));
  t.after(() => {
    reader.close();
    store.close();
  });
  return { file, store, reader, problems };
}

test('a reader sees keys that another connection created or revoked in the next tick', async (t) => {
  const { store, reader } = aReader(t);
  const { record, key } = store.create({ label: 'x' }, NOW);
  assert.equal(reader.find(key)?.id, record.id);
  await nextTick();
  store.revoke(record.id, NOW + 1);
  assert.equal(reader.find(key)?.revokedAt, NOW + 1);
  const { key: second } = store.create({ label: 'y' }, NOW);
  await nextTick();
  assert.equal(reader.find(second)?.label, 'y');
});

test('a new key costs one row, however many keys there are', async (t) => {
  const { file, store } = aReader(t);
  for (let i = 0; i < 10; i++) store.create({ label: 'old' }, NOW);
  const all = t.mock.method(StatementSync.prototype, 'all');
  const reader = openKeyReader(file, assert.ifError);
  t.after(() => reader.close());
  const { key } = store.create({ label: 'new' }, NOW);
  await nextTick();
  assert.equal(reader.find(key)?.label, 'new');
  assert.deepEqual(
    all.mock.calls.map(({ result }) => result?.length),
    [10, 1],
  );
  const db = new DatabaseSync(file);
  t.after(() => db.close());
  const plan = db.prepare('EXPLAIN QUERY PLAN SELECT * FROM keys WHERE revision > 1').get()?.detail;
  assert.match(String(plan), /^SEARCH keys USING INDEX /, 'the other rows are not looked at');
});

test('a store restored from an older backup is read completely', async (t) => {
  const { file, store, reader } = aReader(t);
  const old = store.create({ label: 'old' }, NOW);
  const db = new DatabaseSync(file);
  const before = db.prepare('SELECT revision FROM key_revision').get()?.revision;
  const lost = store.create({ label: 'lost' }, NOW);
  assert.equal(reader.find(lost.key)?.label, 'lost');
  db.prepare('DELETE FROM keys WHERE id = ?').run(lost.record.id);
  db.prepare('UPDATE key_revision SET revision = ?').run(before ?? 0);
  db.close();
  await nextTick();
  assert.equal(reader.find(lost.key), undefined);
  assert.equal(reader.find(old.key)?.label, 'old');
});

test('the key of an unreadable row stays, is reported once, and does not block other changes', async (t) => {
  const { file, store, reader, problems } = aReader(t);
  const damaged = store.create({ label: 'damaged' }, NOW);
  const other = store.create({ label: 'other' }, NOW);
  assert.equal(reader.find(damaged.key)?.label, 'damaged');
  const db = new DatabaseSync(file);
  t.after(() => db.close());
  db.prepare(`UPDATE keys SET origins = 'no JSON', revision = revision + 9 WHERE id = ?`).run(damaged.record.id);
  store.revoke(other.record.id, NOW + 1);
  for (let i = 0; i < 3; i++) {
    await nextTick();
    assert.equal(reader.find(other.key)?.revokedAt, NOW + 1);
    assert.equal(reader.find(damaged.key)?.label, 'damaged');
  }
  assert.deepEqual(problems, [
    `key store ${file} is damaged: column origins of key ${damaged.record.id} cannot be read. ` +
      'Restore it from a backup, or move it away to start with new keys.',
  ]);
  assert.throws(() => store.revoke(damaged.record.id, NOW + 2));
  await nextTick();
  assert.equal(reader.find(damaged.key), undefined, 'a revoked key never works, even if its row cannot be read');
});

test('after the store is overwritten, the last keys stay valid and the damage is reported once', async (t) => {
  const { file, store, reader, problems } = aReader(t);
  const { key } = store.create({ label: 'x' }, NOW);
  assert.equal(reader.find(key)?.label, 'x');
  const other = new DatabaseSync(file);
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  other.close();
  overwrite(file);
  const writer = new DatabaseSync(file);
  assert.throws(() => writer.exec(`UPDATE keys SET label = 'y'`));
  writer.close();
  overwrite(`${file}-wal`);
  overwrite(`${file}-shm`);
  for (let i = 0; i < 3; i++) {
    await nextTick();
    assert.equal(reader.find(key)?.label, 'x');
    assert.equal(reader.find(createKeyText()), undefined);
  }
  assert.equal(problems.length, 1, problems.join('\n'));
});

/** Also drops this process's locks on the file, which the test no longer needs. */
function overwrite(file: string): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(fstatSync(handle).size, 0x55));
  closeSync(handle);
}
