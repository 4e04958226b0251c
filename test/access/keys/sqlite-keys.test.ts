import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { KeyStoreError } from '../../../src/access/keys/key-store.ts';
import { openSqliteKeys } from '../../../src/access/keys/sqlite-keys.ts';
import { testKeyStore } from './key-store-contract.ts';

const MODULE = new URL('../../../src/access/keys/sqlite-keys.ts', import.meta.url).href;
const NOW = Date.UTC(2030, 0, 1);

function aFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'toponym-keys-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

function aStore(t: TestContext, file = join(aFolder(t), 'keys.sqlite')) {
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
  const file = join(aFolder(t), 'keys.sqlite');
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
  const file = join(aFolder(t), 'missing', 'keys.sqlite');
  assert.throws(
    () => openSqliteKeys(file),
    (error) => error instanceof KeyStoreError && error.message.includes(file),
  );
});

function finished(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on('error', reject);
    worker.on('exit', () => resolve());
  });
}
