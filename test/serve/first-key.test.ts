import assert from 'node:assert/strict';
import { lstatSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
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

test('the text replaces a file that others may read, and a link instead of following it', (context) => {
  const readable = aStore(context);
  writeFileSync(readable.path, 'old', { mode: 0o644 });
  const before = statSync(readable.path).ino;
  readable.ensure();
  // another file: whoever had the old one open does not see the key
  assert.notEqual(statSync(readable.path).ino, before);
  assert.equal(statSync(readable.path).mode & 0o777, 0o600);
  const linked = aStore(context);
  const target = `${linked.path}.target`;
  writeFileSync(target, 'precious');
  symlinkSync(target, linked.path);
  linked.ensure();
  assert.equal(readFileSync(target, 'utf8'), 'precious');
  assert.ok(lstatSync(linked.path).isFile());
});
