import assert from 'node:assert/strict';
import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { threadId } from 'node:worker_threads';
import { removeUnfinished, replaceFile } from '../../src/files/replace-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('the chunks of a replaced file are written in order', (context) => {
  const folder = temporaryFolder(context);
  const file = join(folder, 'a');
  writeFileSync(file, 'a longer old file');
  replaceFile(file, [Buffer.from('new '), Buffer.from(''), Buffer.from('file')]);
  assert.equal(readFileSync(file, 'utf8'), 'new file');
  assert.deepEqual(readdirSync(folder), ['a']);
});

test('a file or link left under our own temporary name is removed, not written through', (context) => {
  const folder = temporaryFolder(context);
  const temporary = join(folder, `.a.${hostname()}.${process.pid}-${threadId}.tmp`);
  writeFileSync(join(folder, 'victim'), 'untouched');
  symlinkSync('victim', temporary);
  replaceFile(join(folder, 'a'), [Buffer.from('new')]);
  assert.ok(lstatSync(join(folder, 'a')).isFile());
  assert.equal(readFileSync(join(folder, 'victim'), 'utf8'), 'untouched');
  assert.deepEqual(readdirSync(folder).sort(), ['a', 'victim']);
});

test('the unfinished file of a terminated thread can be removed', (context) => {
  const folder = temporaryFolder(context);
  writeFileSync(join(folder, `.a.${hostname()}.${process.pid}-7.tmp`), 'half');
  removeUnfinished(join(folder, 'a'), 7);
  assert.deepEqual(readdirSync(folder), []);
});
