/** What only a real process shows: its exit code, its output streams, signals and other users. */
import assert from 'node:assert/strict';
import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, copyFileSync, existsSync, readdirSync, watch, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { builtIndex } from '../../../../test/support/built-index.ts';
import { runCommand } from '../../../../test/support/command.ts';
import { PROGRAM, testEnvironment } from '../../../../test/support/environment.ts';
import { runToponym } from '../../../../test/support/running-service.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { skipUnprivileged, skipUser, UNPRIVILEGED } from '../../../../test/support/unprivileged.ts';
import { worldIndex } from '../../../../test/support/world-index.ts';

const skipFull = existsSync('/dev/full') ? false : 'this system has no /dev/full';
/** A user id without a name. */
const NAMELESS = 54_321;
const skipClosed = existsSync('/proc/self/fdinfo/1') ? false : 'this system has no /proc/self/fdinfo';

function inEmptyFolder(context: TestContext) {
  const cwd = temporaryFolder(context);
  return { cwd, state: join(cwd, 'state'), keys: (...args: string[]) => runCommand(['keys', ...args], { cwd }) };
}

function start(args: readonly string[], options: SpawnOptions) {
  return spawn(process.execPath, [PROGRAM, ...args], { ...options, env: testEnvironment() });
}

/** Runs the program in a shell that redirects standard output with `to`. */
async function runRedirected(cwd: string, args: readonly string[], to: string) {
  const child = spawn('sh', ['-c', `exec "$0" "$@" ${to}`, process.execPath, PROGRAM, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { stderr, code };
}

test('the program prints and exits as the command line inside the tests does', async () => {
  const env = { TOPONYM_INDEX: await worldIndex() };
  for (const args of [
    ['query', 'sydney'],
    ['keys', 'list', '--nonsense'],
  ]) {
    assert.deepEqual(await runToponym(args, { env }), await runCommand(args, { env }), args.join(' '));
  }
});

test('a reader that closes the output early, as head does, or before the first output is not an error', async (context) => {
  const { cwd } = inEmptyFolder(context);
  for (const [args, isRead] of [
    [['export', '--index', await builtIndex()], true],
    [['--help'], false],
  ] as const) {
    const child = start(args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    context.after(() => child.kill('SIGKILL'));
    if (isRead) await once(child.stdout as Readable, 'data');
    (child.stdout as Readable).destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
    assert.deepEqual([code, stderr], [0, ''], args[0]);
  }
});

test('output that cannot be written exits with 1', { skip: skipFull }, async (context) => {
  const { cwd } = inEmptyFolder(context);
  const { stderr, code } = await runRedirected(cwd, ['keys', 'list'], '>/dev/full');
  assert.match(stderr, /^toponym: standard output cannot be written: no space left on device\n$/);
  assert.equal(code, 1);
});

test('keys create and export refuse a closed standard output, and no key is created', {
  skip: skipClosed,
}, async (context) => {
  const { cwd } = inEmptyFolder(context);
  const exportWorld = ['export', '--index', await worldIndex()];
  for (const args of [['keys', 'create', '--label', 'a'], exportWorld]) {
    const { stderr, code } = await runRedirected(cwd, args, '>&-');
    assert.equal(stderr, 'toponym: standard output is closed, so the result cannot be written.\n');
    assert.equal(code, 1);
  }
  assert.deepEqual(readdirSync(cwd), []);
  assert.equal((await runRedirected(cwd, exportWorld, '>/dev/null')).code, 0);
});

test('keys create names the key to revoke if it could not print the key', { skip: skipFull }, async (context) => {
  const { cwd, state, keys } = inEmptyFolder(context);
  await keys('create', '--label', 'a');
  const full = await runRedirected(cwd, ['keys', 'create', '--label', 'b'], '>/dev/full');
  const piped = start(['keys', 'create', '--label', 'c'], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  (piped.stdout as Readable).destroy();
  const [stderr, [code]] = await Promise.all([text(piped.stderr as Readable), once(piped, 'exit')]);
  const [, b, c] = JSON.parse((await keys('list', '--json')).stdout);
  for (const [run, id] of [
    [full, b.id],
    [{ stderr, code }, c.id],
  ] as const) {
    assert.match(
      run.stderr,
      new RegExp(
        `^The key was created but not printed\\. Revoke it: npx toponym keys revoke ${id} --state ${state}$`,
        'm',
      ),
    );
    assert.equal(run.code, 1);
  }
});

test('an export removes the temporary file of an interrupted export', async (context) => {
  const cwd = temporaryFolder(context);
  const watcher = watch(cwd);
  context.after(() => watcher.close());
  const child = start(['export', '--index', await builtIndex(), '--out', 'all.ndjson'], { cwd, stdio: 'ignore' });
  await once(watcher, 'change');
  child.kill('SIGINT');
  await once(child, 'exit');
  assert.equal(readdirSync(cwd).length, 1);
  assert.ok(!existsSync(join(cwd, 'all.ndjson')));
  const next = await runCommand(['export', '--index', await worldIndex(), '--out', 'all.ndjson'], { cwd });
  assert.equal(next.code, 0, next.stderr);
  assert.deepEqual(readdirSync(cwd), ['all.ndjson']);
});

test('keys audit names a user without a name by number', { skip: skipUser(NAMELESS) }, async (context) => {
  const { cwd, keys } = inEmptyFolder(context);
  const uid = NAMELESS;
  chownSync(cwd, uid, uid);
  const child = start(['keys', 'create', '--label', 'a'], { cwd, uid, gid: uid, stdio: ['ignore', 'pipe', 'pipe'] });
  (child.stdout as Readable).resume();
  const [stderr, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse((await keys('audit', '--json')).stdout)[0].who, `uid ${uid}@${hostname()}`);
});

test('build refuses an existing output file that it cannot read, by name', {
  skip: skipUnprivileged,
}, async (context) => {
  const cwd = temporaryFolder(context);
  copyFileSync(new URL('../../../../test/fixtures/sources/own.ndjson', import.meta.url), join(cwd, 'own.ndjson'));
  const out = join(cwd, 'x.toponym');
  writeFileSync(out, 'the index of yesterday', { mode: 0 });
  const [command = '', ...words] = UNPRIVILEGED;
  const child = spawn(command, [...words, 'build', '--from', 'ndjson', 'own.ndjson', '--out', 'x.toponym'], { cwd });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  const reason = 'permission denied';
  assert.deepEqual(
    [code, stderr],
    [
      2,
      `toponym: --out ${out} exists and cannot be read: ${reason}; make it readable, delete it or name another file.\n`,
    ],
  );
});
