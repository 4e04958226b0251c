/**
 * Where the index of the embedded data is kept. An index that is built already stands in for a new one: building takes
 * ten seconds.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { userCacheFolder } from '../../src/cli/user-cache.ts';
import { takeLock } from '../../src/fetch/lock.ts';
import { builtIndex } from '../support/built-index.ts';
import { PROGRAM, runToponym } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const QUERY = ['query', 'paris', '--hits-per-page', '1', '--json'];

async function putIndex(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const built = await builtIndex();
  symlinkSync(built, join(folder, basename(built)));
}

/** A path below a file: nobody can make a folder there. */
function unusableCache(folder: string): string {
  writeFileSync(join(folder, 'file'), '');
  return join(folder, 'file', 'cache');
}

test('query takes the index from the cache of the user and leaves nothing in the folder it runs in', async (context) => {
  const cwd = temporaryFolder(context);
  const cache = temporaryFolder(context);
  await putIndex(join(cache, 'toponym'));
  const { stdout, stderr, code } = await runToponym(QUERY, { cwd, env: { XDG_CACHE_HOME: cache } });
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).hits[0].objectID, 'G2988507');
  assert.deepEqual(readdirSync(cwd), []);
});

test('serve takes the index from the cache and leaves none in the state folder', async (context) => {
  const folder = temporaryFolder(context);
  const cache = join(folder, 'cache');
  await putIndex(join(cache, 'toponym'));
  const state = join(folder, 'state');
  const child = spawn(
    process.execPath,
    [PROGRAM, 'serve', '--json', '--port', '0', '--threads', '1', '--state', state, '--ip-database', 'none'],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, XDG_CACHE_HOME: cache } },
  );
  context.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  assert.deepEqual(
    readdirSync(state)
      .filter((name) => !name.startsWith('keys.'))
      .sort(),
    ['first-key.txt', 'tls'],
  );
});

test('where the user has no cache, an index in the state folder is used', async (context) => {
  const cwd = temporaryFolder(context);
  await putIndex(join(cwd, 'state', 'index'));
  const { stdout, stderr, code } = await runToponym(QUERY, { cwd, env: { XDG_CACHE_HOME: unusableCache(cwd) } });
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).hits[0].objectID, 'G2988507');
});

test('a process that needs an index which another one is building waits for it', async (context) => {
  const cache = temporaryFolder(context);
  const folder = join(cache, 'toponym');
  mkdirSync(folder);
  const lock = takeLock(join(folder, 'embedded.lock'));
  const child = spawn(process.execPath, [PROGRAM, ...QUERY], { env: { ...process.env, XDG_CACHE_HOME: cache } });
  context.after(() => child.kill('SIGKILL'));
  const answer = text(child.stdout);
  const [line] = await once(child.stderr, 'data');
  assert.equal(String(line), 'Another process is indexing the embedded places: waiting for it.\n');
  await putIndex(folder);
  lock?.release();
  assert.equal(JSON.parse(await answer).hits[0].objectID, 'G2988507');
});

test('the cache folder follows the XDG specification, and on Windows the local application data', () => {
  assert.equal(userCacheFolder({ XDG_CACHE_HOME: '/c', HOME: '/home/a' }, 'linux'), '/c/toponym');
  assert.equal(userCacheFolder({ HOME: '/home/a' }, 'linux'), '/home/a/.cache/toponym');
  assert.equal(userCacheFolder({ XDG_CACHE_HOME: 'relative', HOME: '/home/a' }, 'linux'), '/home/a/.cache/toponym');
  assert.equal(userCacheFolder({ LOCALAPPDATA: '/local', HOME: '/home/a' }, 'win32'), '/local/toponym');
});
