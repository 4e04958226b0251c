import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { ensureFirstKey, forgetRevokedFirstKey } from '../../src/keys/first-key.ts';
import { createKeyText } from '../../src/keys/key-text.ts';
import { openSqliteKeys } from '../../src/keys/sqlite-keys.ts';

function aStore(context: TestContext) {
  const folder = temporaryFolder(context);
  const keysPath = join(folder, 'keys.sqlite');
  const keys = openSqliteKeys(keysPath);
  context.after(() => keys.close());
  const path = join(folder, 'first-key.txt');
  return { keys, keysPath, path, ensure: () => ensureFirstKey(keys, path, Date.now()) };
}

test('an empty store gets a valid key, whose text only its owner can read', async (context) => {
  const { keys, path, ensure } = aStore(context);
  const { key } = await ensure();
  assert.equal(keys.find(key ?? '')?.label, 'first key');
  assert.equal(readFileSync(path, 'utf8'), `${key}\n`);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('later starts find the same key and create no other', async (context) => {
  const { keys, path, ensure } = aStore(context);
  const { key } = await ensure();
  assert.deepEqual(await ensure(), { key, path, isNew: false });
  assert.equal(keys.list().length, 1);
});

test('a removed key text is not written again', async (context) => {
  const { keys, path, ensure } = aStore(context);
  await ensure();
  rmSync(path);
  assert.deepEqual(await ensure(), { key: undefined, reason: 'text-missing' });
  assert.equal(keys.list().length, 1);
});

test('a revoked first key is not shown again, and its text is deleted', async (context) => {
  const { keys, path, ensure } = aStore(context);
  await ensure();
  keys.revoke(keys.list()[0]?.id ?? '', Date.now());
  assert.deepEqual(await ensure(), { key: undefined, reason: 'invalid' });
  assert.ok(!existsSync(path));
});

test('the text stays, without an error, if the store cannot say whether the key is revoked', async (context) => {
  const { path, ensure } = aStore(context);
  await ensure();
  const keys = { find: () => Promise.reject(new Error('Redis is gone')) };
  assert.equal(await forgetRevokedFirstKey(keys, path), false);
  assert.ok(existsSync(path));
});

test('the text of a key that the store does not know stays, because it may be of another store', async (context) => {
  const { path, ensure } = aStore(context);
  await ensure();
  const unknown = createKeyText();
  writeFileSync(path, unknown);
  assert.deepEqual(await ensure(), { key: undefined, reason: 'invalid' });
  assert.equal(readFileSync(path, 'utf8'), unknown);
});

test('a key whose text cannot be written is not stored, and the next start creates another', async (context) => {
  const { keys, path, ensure } = aStore(context);
  mkdirSync(path);
  await assert.rejects(ensure, (error: Error) => {
    assert.equal(error.name, 'KeyStoreError');
    assert.ok(
      error.message.startsWith(`the first key cannot be written to ${path}: illegal operation on a directory`),
      error.message,
    );
    return true;
  });
  assert.deepEqual(keys.list(), []);
  rmdirSync(path);
  const { key } = await ensure();
  assert.equal(keys.find(key ?? '')?.label, 'first key');
});

test('simultaneous starts on one folder create one key, and all of them find it', async (context) => {
  const { keys, keysPath, path } = aStore(context);
  const starts = 4;
  const ready = new Int32Array(new SharedArrayBuffer(4));
  // every start waits until all of them have seen the empty store
  const code = `
    import { workerData, parentPort } from 'node:worker_threads';
    import { openSqliteKeys } from '${new URL('../../src/keys/sqlite-keys.ts', import.meta.url).href}';
    import { ensureFirstKey } from '${new URL('../../src/keys/first-key.ts', import.meta.url).href}';
    const { keysPath, path, ready, starts } = workerData;
    const store = openSqliteKeys(keysPath);
    const keys = {
      find: (key) => store.find(key),
      create: (...args) => store.create(...args),
      createFirst: (...args) => store.createFirst(...args),
      isEmpty() {
        const isEmpty = store.isEmpty();
        Atomics.add(ready, 0, 1);
        const deadlineMs = performance.now() + 30_000;
        while (Atomics.load(ready, 0) < starts) {
          if (performance.now() > deadlineMs) throw new Error('the other starts did not see the empty store');
        }
        return isEmpty;
      },
    };
    const { key } = await ensureFirstKey(keys, path, Date.now());
    store.close();
    parentPort.postMessage(key);
  `;
  const url = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const workers = Array.from(
    { length: starts },
    () => new Worker(url, { workerData: { keysPath, path, ready, starts } }),
  );
  const found = await Promise.all(workers.map(async (worker) => (await once(worker, 'message'))[0]));
  assert.equal(keys.list().length, 1);
  assert.deepEqual(new Set(found), new Set([readFileSync(path, 'utf8').trim()]));
});

test('the key text replaces a readable file, and a link without following it', async (context) => {
  const readable = aStore(context);
  writeFileSync(readable.path, 'old', { mode: 0o644 });
  const before = statSync(readable.path).ino;
  await readable.ensure();
  // a new file: a process that had the old one open does not see the key
  assert.notEqual(statSync(readable.path).ino, before);
  assert.equal(statSync(readable.path).mode & 0o777, 0o600);
  const linked = aStore(context);
  const target = `${linked.path}.target`;
  writeFileSync(target, 'precious');
  symlinkSync(target, linked.path);
  await linked.ensure();
  assert.equal(readFileSync(target, 'utf8'), 'precious');
  assert.ok(lstatSync(linked.path).isFile());
});
