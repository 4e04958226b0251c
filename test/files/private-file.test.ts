import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writePrivateFile } from '../../src/files/replace-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a failed write of a private file leaves nothing behind', (context) => {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, 'key.pem'));
  assert.throws(() => writePrivateFile(join(folder, 'key.pem'), 'secret'));
  assert.deepEqual(readdirSync(folder), ['key.pem']);
});

test('a private file replaces a readable file or a link, and only its owner can read it', {
  skip: process.platform === 'win32' && 'Windows has no file modes',
}, (context) => {
  const folder = temporaryFolder(context);
  writeFileSync(join(folder, 'readable'), 'old', { mode: 0o644 });
  writeFileSync(join(folder, 'target'), 'old', { mode: 0o644 });
  symlinkSync('target', join(folder, 'link'));
  for (const name of ['readable', 'link', 'new']) {
    writePrivateFile(join(folder, name), 'secret');
    assert.equal(readFileSync(join(folder, name), 'utf8'), 'secret');
    assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
  }
  assert.equal(readFileSync(join(folder, 'target'), 'utf8'), 'old', 'the link is not followed');
  assert.deepEqual(readdirSync(folder).sort(), ['link', 'new', 'readable', 'target']);
});
