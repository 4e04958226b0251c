import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { threadId } from 'node:worker_threads';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import {
  newTemporaryPath,
  removeUnfinished,
  replaceFile,
  temporaryPrefix,
  writePrivateFile,
} from '../src/replace-file.ts';

test('the chunks of a replaced file are written in order', (context) => {
  const folder = temporaryFolder(context);
  const file = join(folder, 'a');
  writeFileSync(file, 'a longer old file');
  replaceFile(file, [Buffer.from('new '), Buffer.from(''), Buffer.from('file')]);
  assert.equal(readFileSync(file, 'utf8'), 'new file');
  assert.deepEqual(readdirSync(folder), ['a']);
});

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

/** Above the maximum process id of Linux. */
const DEAD = 2 ** 22 + 1;

test('two temporary files of one file have different names', (t) => {
  const file = join(temporaryFolder(t), 'a');
  assert.notEqual(newTemporaryPath(file), newTemporaryPath(file));
});

test('only leftovers for this file by dead processes that can be seen from here are removed', (t) => {
  const folder = temporaryFolder(t);
  const prefix = temporaryPrefix('a');
  const kept = [
    `${prefix}${process.pid}-77-0a.tmp`,
    `.a.other-container.${DEAD}-0-0a.tmp`,
    `${temporaryPrefix('b')}${DEAD}-0-0a.tmp`,
    `${prefix}notes`,
  ];
  const removed = [`${prefix}${DEAD}-0-0a.tmp`, `${prefix}${process.pid}-${threadId}-0a.tmp`];
  for (const name of [...kept, ...removed]) writeFileSync(join(folder, name), '');
  newTemporaryPath(join(folder, 'a'));
  assert.deepEqual(readdirSync(folder).sort(), kept.sort());
});

test('a leftover of another container is removed after a day', (t) => {
  const folder = temporaryFolder(t);
  for (const [name, ageHours] of [
    ['.a.container.1-0-0a.tmp', 25],
    ['.a.container.1-0-0b.tmp', 23],
    ['.a.container.notes', 25],
  ] as const) {
    writeFileSync(join(folder, name), '');
    const time = new Date(Date.now() - ageHours * 3_600_000);
    utimesSync(join(folder, name), time, time);
  }
  newTemporaryPath(join(folder, 'a'));
  assert.deepEqual(readdirSync(folder).sort(), ['.a.container.1-0-0b.tmp', '.a.container.notes']);
});

test('the unfinished file of a terminated thread can be removed', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, `${temporaryPrefix('a')}${process.pid}-7-0a.tmp`), 'half');
  removeUnfinished(join(folder, 'a'), 7);
  assert.deepEqual(readdirSync(folder), []);
});
