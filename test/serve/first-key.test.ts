import assert from 'node:assert/strict';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openSqliteKeys } from '../../src/access/sqlite-keys.ts';
import { ensureFirstKey } from '../../src/serve/first-key.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function aStore(context: TestContext) {
  const folder = temporaryFolder(context);
  const keys = openSqliteKeys(join(folder, 'keys.sqlite'));
  context.after(() => keys.close());
  const path = join(folder, 'first-key.txt');
  return { keys, path, ensure: () => ensureFirstKey(keys, path, Date.now()) };
}

test('an empty store gets a key that works, and its text is kept for the owner only', (context) => {
  const { keys, path, ensure } = aStore(context);
  const { key } = ensure();
  assert.equal(keys.find(key ?? '')?.label, 'first key');
  assert.equal(readFileSync(path, 'utf8'), `${key}\n`);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('later starts find the same key, which is not new, and make no other', (context) => {
  const { keys, path, ensure } = aStore(context);
  const { key } = ensure();
  assert.deepEqual(ensure(), { key, path, isNew: false });
  assert.equal(keys.list().length, 1);
});

test('a removed text stays removed', (context) => {
  const { keys, path, ensure } = aStore(context);
  ensure();
  rmSync(path);
  assert.deepEqual(ensure(), { key: undefined, reason: 'forgotten' });
  assert.equal(keys.list().length, 1);
});

test('a revoked first key is not shown again', (context) => {
  const { keys, ensure } = aStore(context);
  ensure();
  keys.revoke(keys.list()[0]?.id ?? '', Date.now());
  assert.deepEqual(ensure(), { key: undefined, reason: 'ended' });
});
