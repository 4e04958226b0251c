/** Files and folders that a new index finds at its path. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeIndexFile } from 'toponym-files/index-file';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('an error names a folder that is in the way, and leaves it unchanged', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'a.toponym'));
  assert.throws(() => writeIndexFile(join(folder, 'a.toponym'), [new Uint8Array(1)]), {
    message: `${join(folder, 'a.toponym')} is a folder: name a file in it`,
  });
  assert.deepEqual(readdirSync(folder), ['a.toponym']);
});

test('an error names a folder that does not exist', (t) => {
  const file = join(temporaryFolder(t), 'missing', 'a.toponym');
  assert.throws(() => writeIndexFile(file, [new Uint8Array(1)]), { code: 'ENOENT', message: /missing/ });
});
