/** Files and folders that a new index finds at its path. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeIndexFile } from '../../src/index-file/file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('only unfinished files of this index by dead processes of this machine are removed', async (t) => {
  const folder = temporaryFolder(t);
  // above the maximum process id of Linux
  const dead = 2 ** 22 + 1;
  const kept = [
    `.a.toponym.${hostname()}.${process.pid}-77.tmp`,
    `.a.toponym.other-machine.${dead}-0.tmp`,
    `.b.toponym.${hostname()}.${dead}-0.tmp`,
    `.a.toponym.${hostname()}.notes`,
  ];
  for (const name of [...kept, `.a.toponym.${hostname()}.${dead}-0.tmp`]) writeFileSync(join(folder, name), '');
  writeIndexFile(join(folder, 'a.toponym'), [new Uint8Array(1)]);
  assert.deepEqual(readdirSync(folder).sort(), [...kept, 'a.toponym'].sort());
});

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
