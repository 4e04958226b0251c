/** A file that was verified is not verified again until it changes. */
import assert from 'node:assert/strict';
import { closeSync, copyFileSync, openSync, renameSync, statSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readIndexFile } from '../../src/index-file/file.ts';
import { HEAD_BYTES } from '../../src/index-file/layout.ts';
import { stampOf, VerifiedFiles } from '../../src/index-file/verified-files.ts';
import { anIndex, aPlace } from '../support/an-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LONG_AGO_MS = 0;

/** A damaged index that is remembered as verified, which shows whether it is verified again. */
async function aRememberedFile(context: TestContext) {
  const folder = temporaryFolder(context);
  const file = join(folder, 'a.toponym');
  const bytes = new Uint8Array(await anIndex([aPlace({ name: 'Paris' })]));
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(file, bytes);
  const verified = new VerifiedFiles(folder);
  const handle = openSync(file, 'r');
  const { stamp } = stampOf(handle, bytes.subarray(0, HEAD_BYTES));
  closeSync(handle);
  verified.add(stamp, LONG_AGO_MS);
  return { folder, file, bytes, verified, stamp };
}

test('a remembered file is not verified again, and any other is', async (context) => {
  const { file, verified } = await aRememberedFile(context);
  assert.throws(() => readIndexFile(file), /its checksum does not match/);
  assert.ok(readIndexFile(file, { verified }).byteLength > 0);
  const others = new VerifiedFiles(`${file}.missing`);
  assert.throws(() => readIndexFile(file, { verified: others }), /its checksum does not match/);
});

test('a file that was changed or replaced is verified again, even if its size and its time are set back', async (context) => {
  const { folder, file, bytes, verified } = await aRememberedFile(context);
  const { atime, mtime } = statSync(file);
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, bytes.length - 1, 1, bytes.length - 1);
  closeSync(handle);
  utimesSync(file, atime, mtime);
  assert.throws(() => readIndexFile(file, { verified }), /its checksum does not match/);
  const copy = join(folder, 'copy');
  copyFileSync(file, copy);
  renameSync(copy, file);
  assert.throws(() => readIndexFile(file, { verified }), /its checksum does not match/);
});

test('a valid file is remembered once it is some seconds old, the last of twenty first', async (context) => {
  const { verified } = await aRememberedFile(context);
  verified.add('new', Date.now());
  assert.equal(verified.has('new'), false);
  for (let i = 0; i < 25; i++) verified.add(`old ${i}`, LONG_AGO_MS);
  assert.deepEqual([verified.has('old 4'), verified.has('old 5'), verified.has('old 24')], [false, true, true]);
});

test('a folder that cannot be written makes no difference', async (context) => {
  const { file } = await aRememberedFile(context);
  const nowhere = new VerifiedFiles(file);
  assert.doesNotThrow(() => nowhere.add('some file', LONG_AGO_MS));
  assert.equal(nowhere.has('some file'), false);
});
