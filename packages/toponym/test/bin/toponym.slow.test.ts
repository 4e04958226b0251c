import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { NODE_PACKAGE, PRETEND_NODE_20 } from '../../../../test/support/clone.ts';
import { PROGRAM } from '../../../../test/support/environment.ts';
import { runService } from '../../../../test/support/running-service.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { worldIndex } from '../../../../test/support/world-index.ts';

const LAUNCHER = fileURLToPath(new URL('../../../../bin/toponym.js', import.meta.url));
const SETUP = fileURLToPath(new URL('../../../../scripts/setup.js', import.meta.url));

test('the launcher passes its arguments and the exit code through', () => {
  const { status, stderr } = spawnSync(process.execPath, [LAUNCHER, 'keys', 'list', '--nonsense'], {
    encoding: 'utf8',
  });
  assert.equal(status, 2);
  assert.match(stderr, /unknown option --nonsense/);
});

test('SIGTERM to the launcher drains the service', async (context) => {
  const service = await runService(context, {
    program: [process.execPath, LAUNCHER],
    index: await worldIndex(),
    args: ['--threads', '1'],
  });
  service.child.kill('SIGTERM');
  assert.deepEqual(await service.ended(), [0, null]);
});

test('under npm the service ends when the shell that runs it ends', async (context) => {
  const script = `"${process.execPath}" "${PROGRAM}" "$@"; exit $?`;
  const program = ['/bin/sh', '-c', script, 'sh'];
  const service = await runService(context, {
    program,
    index: await worldIndex(),
    env: { npm_command: 'exec' },
    args: ['--threads', '1'],
  });
  assert.notEqual(service.ready.pid, service.child.pid);
  // the output closes only when the service has ended too
  const closed = once(service.child, 'close');
  service.child.kill('SIGKILL');
  await closed;
});

test('on Node.js 20 the launcher runs the program on the packaged Node.js', (context) => {
  const args = [...PRETEND_NODE_20, LAUNCHER, 'keys', 'list', '--json', '--state', temporaryFolder(context)];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.deepEqual([status, stdout], [0, '[]\n']);
});

test('on Node.js 20 the launcher explains if it finds no newer Node.js that runs', (context) => {
  const root = copyProgram(context);
  const launch = [...PRETEND_NODE_20, join(root, 'bin', 'toponym.js'), '--version'];
  const absent = spawnSync(process.execPath, launch, { encoding: 'utf8' });
  assert.deepEqual(
    [absent.status, absent.stderr],
    [
      1,
      `Toponym needs Node.js 24 or newer, but this is v20.0.0. Run "npm ci" in ${root} to get it, or install it from https://nodejs.org.\n`,
    ],
  );
  const binary = join(root, 'node_modules', NODE_PACKAGE, 'bin', 'node');
  mkdirSync(dirname(binary), { recursive: true });
  writeFileSync(binary, '#!/lib/no-such-loader\n');
  chmodSync(binary, 0o755);
  const unusable = spawnSync(process.execPath, launch, { encoding: 'utf8' });
  assert.equal(unusable.status, 1);
  assert.match(unusable.stderr, /^Toponym needs .* cannot run on this machine \(ENOENT\)\. It needs glibc.*\n$/);
});

test('the program itself refuses Node.js 20 in one sentence', () => {
  const { status, stderr } = spawnSync(process.execPath, [...PRETEND_NODE_20, PROGRAM, 'serve'], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /^toponym: Toponym needs Node\.js 24 or newer, but this is v20\.0\.0\..*\n$/);
});

test('without its dependencies the program prints how to install them', (context) => {
  const root = copyProgram(context);
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'bin', 'toponym.js')], { encoding: 'utf8' });
  assert.deepEqual([status, stderr], [1, `toponym: the dependencies are not installed. Run "npm ci" in ${root}/\n`]);
});

/** Copies the program without its dependencies. */
function copyProgram(context: TestContext): string {
  const root = temporaryFolder(context);
  for (const part of ['bin', 'packages', 'package.json', 'package-lock.json']) {
    cpSync(fileURLToPath(new URL(`../../../../${part}`, import.meta.url)), join(root, part), { recursive: true });
  }
  return root;
}

test('set-up prints nothing when everything is installed', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SETUP], { encoding: 'utf8' });
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' });
});
