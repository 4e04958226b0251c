import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { chooseIndex, updatedIndexPath } from '../../src/datasets/index-choice.ts';

test('without --index, the updated index is chosen if it exists, whatever it contains', (context) => {
  const folder = temporaryFolder(context);
  const path = updatedIndexPath(folder);
  assert.deepEqual(chooseIndex(undefined, folder), { kind: 'embedded' });
  writeFileSync(path, 'not an index');
  assert.deepEqual(chooseIndex(undefined, folder), { kind: 'updated', path });
});

test('--index names the embedded data, a file or a URL', (context) => {
  const folder = temporaryFolder(context);
  writeFileSync(updatedIndexPath(folder), '');
  assert.deepEqual(chooseIndex('embedded', folder), { kind: 'embedded' });
  assert.deepEqual(chooseIndex('./embedded', folder), { kind: 'file', path: resolve('embedded') });
  assert.deepEqual(chooseIndex('a.toponym', folder), { kind: 'file', path: resolve('a.toponym') });
  const url = 'https://example.com/a.toponym';
  assert.deepEqual(chooseIndex(url, folder), { kind: 'url', url: new URL(url) });
});

test('a state folder that is missing or a file has no updated index', (context) => {
  const folder = temporaryFolder(context);
  writeFileSync(join(folder, 'file'), '');
  for (const name of ['missing/index', 'file/index'])
    assert.deepEqual(chooseIndex(undefined, join(folder, name)), { kind: 'embedded' });
});

test('an updated index that cannot be examined is an error', (context) => {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, 'index'));
  symlinkSync('updated.toponym', updatedIndexPath(join(folder, 'index'))); // a link to itself
  assert.throws(
    () => chooseIndex(undefined, join(folder, 'index')),
    /^UsageError: The index \S+updated\.toponym cannot be read: too many symbolic links encountered\. To use the embedded data: --index embedded\.$/,
  );
});
