import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { KeyStoreError } from '../../src/access/key-store.ts';
import { createKeyText } from '../../src/access/key-text.ts';
import { openSqliteKeys } from '../../src/access/sqlite-keys.ts';

const MODULE = new URL('../../src/access/sqlite-keys.ts', import.meta.url).href;
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

test('a created key is found, with its fields, by its text alone', (t) => {
  const { store } = aStore(t);
  const { record, key } = store.create(
    {
      label: 'shop',
      maxRecords: 5,
      perMinute: 600,
      allowedOrigins: ['https://a.test'],
      allowedCidrs: ['10.0.0.0/8'],
      expiresAt: NOW + 1000,
    },
    NOW,
  );
  assert.deepEqual(store.find(key), {
    id: record.id,
    label: 'shop',
    maxRecords: 5,
    perMinute: 600,
    allowedOrigins: ['https://a.test'],
    allowedCidrs: ['10.0.0.0/8'],
    createdAt: NOW,
    expiresAt: NOW + 1000,
    revokedAt: undefined,
    lastUsedAt: undefined,
  });
  assert.equal(store.find(createKeyText()), undefined);
  assert.equal(store.find('nonsense'), undefined);
});

test('keys survive closing, oldest first', (t) => {
  const file = join(aFolder(t), 'keys.sqlite');
  const first = openSqliteKeys(file);
  const a = first.create({ label: 'a', perMinute: 'unlimited' }, NOW);
  const b = first.create({ label: 'b' }, NOW + 1);
  first.close();
  const { store } = aStore(t, file);
  assert.deepEqual(store.list(), [a.record, b.record]);
  assert.deepEqual(store.find(a.key), a.record);
});

test('the text of a key is in no file of the store', (t) => {
  const { store, file } = aStore(t);
  const { key } = store.create({ label: 'secret' }, NOW);
  const folder = join(file, '..');
  for (const name of readdirSync(folder)) {
    assert.equal(readFileSync(join(folder, name)).includes(key), false, name);
  }
});

test('only the owner may read the files', { skip: process.platform === 'win32' }, (t) => {
  const { store, file } = aStore(t);
  store.create({ label: 'x' }, NOW);
  for (const name of readdirSync(join(file, '..'))) {
    assert.equal(statSync(join(file, '..', name)).mode & 0o777, 0o600, name);
  }
});

test('revoking twice keeps the first time, and an unknown id is told', (t) => {
  const { store } = aStore(t);
  const { record, key } = store.create({ label: 'x' }, NOW);
  assert.equal(store.revoke(record.id, NOW + 5)?.revokedAt, NOW + 5);
  assert.equal(store.revoke(record.id, NOW + 9)?.revokedAt, NOW + 5);
  assert.equal(store.find(key)?.revokedAt, NOW + 5);
  assert.equal(store.revoke('k0', NOW), undefined);
});

test('a key created or revoked on another connection is seen by the next lookup', (t) => {
  const { store, file } = aStore(t);
  const { store: other } = aStore(t, file);
  const { record, key } = other.create({ label: 'x' }, NOW);
  assert.equal(store.find(key)?.id, record.id);
  other.revoke(record.id, NOW + 1);
  assert.equal(store.find(key)?.revokedAt, NOW + 1);
});

test('a store that asks each turn sees in the next turn what was created or revoked on another connection', async (t) => {
  const { store: other, file } = aStore(t);
  const store = openSqliteKeys(file, { asks: 'each turn' });
  t.after(() => store.close());
  const { record, key } = other.create({ label: 'x' }, NOW);
  assert.equal(store.find(key)?.id, record.id);
  await nextTurn();
  other.revoke(record.id, NOW + 1);
  assert.equal(store.find(key)?.revokedAt, NOW + 1);
  const { key: second } = other.create({ label: 'y' }, NOW);
  await nextTurn();
  assert.equal(store.find(second)?.label, 'y');
});

test('a key revoked by another process is refused by the next lookup', (t) => {
  const { store, file } = aStore(t);
  const { record, key } = store.create({ label: 'x' }, NOW);
  const script = `import { openSqliteKeys } from ${JSON.stringify(MODULE)};
    const store = openSqliteKeys(${JSON.stringify(file)});
    store.revoke(${JSON.stringify(record.id)}, ${NOW + 7});
    store.close();`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'ignore', 'pipe'] });
  assert.equal(store.find(key)?.revokedAt, NOW + 7);
});

test('uses are written by flush, and the latest of several threads stays', (t) => {
  const { store, file } = aStore(t);
  const { store: other } = aStore(t, file);
  const { record, key } = store.create({ label: 'x' }, NOW);
  store.touch(record.id, NOW + 50);
  other.touch(record.id, NOW + 20);
  assert.equal(store.list()[0]?.lastUsedAt, undefined);
  store.flush();
  other.flush();
  assert.equal(other.list()[0]?.lastUsedAt, NOW + 50);
  assert.equal(other.find(key)?.id, record.id);
});

test('several threads open, create and touch at the same time without an error', async (t) => {
  const { store, file } = aStore(t);
  const script = `import { openSqliteKeys } from ${JSON.stringify(MODULE)};
    const store = openSqliteKeys(${JSON.stringify(file)});
    for (let i = 0; i < 10; i++) {
      const { record, key } = store.create({ label: 'thread' }, ${NOW} + i);
      store.touch(record.id, ${NOW} + i);
      store.flush();
      if (store.find(key)?.id !== record.id) throw new Error('a new key was not found');
    }
    store.close();`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  await Promise.all(Array.from({ length: 3 }, () => finished(new Worker(url))));
  assert.equal(store.list().length, 30);
});

test('a file that is no key store is refused by name', (t) => {
  const file = join(aFolder(t), 'keys.sqlite');
  writeFileSync(file, 'this is not a database, and it is long enough to be looked at as one. '.repeat(20));
  assert.throws(
    () => openSqliteKeys(file),
    (error) =>
      error instanceof KeyStoreError && error.message === `key store ${file} cannot be used: file is not a database`,
  );
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
