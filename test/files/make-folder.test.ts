import assert from 'node:assert/strict';
import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from '../../src/files/new-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('missing folders are created for their owner only, and existing ones keep their permissions', (context) => {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, 'open'), { mode: 0o755 });
  for (const path of [join(folder, 'open', 'a', 'b'), join(folder, 'open', 'a', 'b'), folder]) makeFolder(path);
  if (process.platform === 'win32') return;
  const modes = ['open', 'open/a', 'open/a/b'].map((name) => statSync(join(folder, name)).mode & 0o777);
  assert.deepEqual(modes, [0o755, 0o700, 0o700]);
});

test('a file or a broken link in the path is an error', (context) => {
  const folder = temporaryFolder(context);
  writeFileSync(join(folder, 'file'), '');
  symlinkSync('nowhere', join(folder, 'dangling'));
  symlinkSync('loop', join(folder, 'loop'));
  for (const name of ['file', 'file/a', 'file/a/b', 'dangling', 'dangling/a', 'loop/a']) {
    assert.throws(() => makeFolder(join(folder, name)), /(file|dangling|loop) is not a folder$/, name);
  }
});
