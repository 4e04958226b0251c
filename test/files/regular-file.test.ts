import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FileKindError, readTextFile } from '../../src/files/regular-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a file is read up to its limit', (context) => {
  const path = join(temporaryFolder(context), 'file');
  const text = 'é'.repeat(100_000);
  writeFileSync(path, text);
  assert.equal(readTextFile(path, 200_000), text);
  assert.throws(() => readTextFile(path, 199_999), /the file has more than 199999 bytes/);
});

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
