import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { replaceFile } from '../../src/files/replace-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('the chunks of a replaced file are written in order', (context) => {
  const folder = temporaryFolder(context);
  const file = join(folder, 'a');
  writeFileSync(file, 'a longer old file');
  replaceFile(file, [Buffer.from('new '), Buffer.from(''), Buffer.from('file')]);
  assert.equal(readFileSync(file, 'utf8'), 'new file');
  assert.deepEqual(readdirSync(folder), ['a']);
});
