import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openSqliteKeys } from 'toponym-access/keys/sqlite-keys';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { takeLock } from '../src/lock.ts';
import { makeFolder } from '../src/new-file.ts';
import { replaceFile, writePrivateFile } from '../src/replace-file.ts';

const SERVICE = { uid: 61_234, gid: 61_235 };
const skip = process.getuid?.() === 0 ? false : 'only root can create files for another user';

/** A folder as systemd creates it for a service. */
function folderOfService(t: TestContext): string {
  const folder = temporaryFolder(t);
  chownSync(folder, SERVICE.uid, SERVICE.gid);
  return folder;
}

function ownersIn(folder: string): Record<string, { uid: number; gid: number }> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    names.map((name) => {
      const { uid, gid } = statSync(join(folder, name));
      return [name, { uid, gid }];
    }),
  );
}

test('what root creates in the folder of a service belongs to the service', { skip }, (t) => {
  const folder = folderOfService(t);
  makeFolder(join(folder, 'index', 'new'));
  replaceFile(join(folder, 'index', 'a.toponym'), [new Uint8Array(1)]);
  writePrivateFile(join(folder, 'first-key.txt'), 'secret');
  takeLock(join(folder, '.lock'))?.release();
  assert.deepEqual(ownersIn(folder), {
    '.lock': SERVICE,
    'first-key.txt': SERVICE,
    index: SERVICE,
    'index/a.toponym': SERVICE,
    'index/new': SERVICE,
  });
});

test('every file of a key store that root creates belongs to the service', { skip }, (t) => {
  const folder = folderOfService(t);
  const keys = openSqliteKeys(join(folder, 'keys.sqlite'));
  t.after(() => keys.close());
  keys.create({ label: 'a' }, 0);
  keys.backUp(join(folder, 'copy.sqlite'));
  assert.deepEqual(ownersIn(folder), {
    'copy.sqlite': SERVICE,
    'keys.sqlite': SERVICE,
    'keys.sqlite-shm': SERVICE,
    'keys.sqlite-wal': SERVICE,
  });
});

test('a file that root replaces in a folder of root belongs to root', { skip }, (t) => {
  const folder = temporaryFolder(t);
  writePrivateFile(join(folder, 'a'), '');
  assert.deepEqual(ownersIn(folder), { a: { uid: 0, gid: process.getgid?.() } });
});

test('missing folders are created for their owner only, and existing ones keep their permissions', (context) => {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, 'open'));
  chmodSync(join(folder, 'open'), 0o755); // whatever the umask
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
