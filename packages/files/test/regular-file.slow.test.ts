import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { FileKindError, readTextFile } from '../src/regular-file.ts';

test('pipes, devices and folders are refused without reading them', (context) => {
  const folder = temporaryFolder(context);
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const [path, kind] of [
    [pipe, 'a pipe'],
    ['/dev/zero', 'a device'],
    [folder, 'a folder'],
  ] as const) {
    assert.throws(() => readTextFile(path, 1000), new FileKindError(kind));
  }
});
