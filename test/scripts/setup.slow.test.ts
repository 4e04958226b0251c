import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { aClone, type Locked, NODE_PACKAGE } from '../support/clone.ts';

const NEEDED: Locked = 'node_modules/needed';
const DEV: Locked = 'node_modules/for-tests';
const NODE: Locked = `node_modules/${NODE_PACKAGE}`;
const DONE = { code: 0, signal: null, stderr: '' };

test('the first start of a clone runs npm ci, and the next start does not run npm', async (context) => {
  const clone = await aClone(context);
  const setup = clone.setup();
  const npm = await clone.npmCall();
  assert.deepEqual([npm.args[0], npm.args.at(-1)], ['ci', '--omit=dev']);
  clone.install(NEEDED);
  npm.exit(0);
  assert.deepEqual(await setup.result, { ...DONE, stderr: 'Installing dependencies with npm. This is done once…' });
  assert.deepEqual(await clone.setup().result, DONE);
});

test('npm start does not need development packages, and scripts that need them install them', async (context) => {
  const clone = await aClone(context);
  clone.install(NEEDED);
  const env = { NODE_ENV: 'production' };
  assert.deepEqual(await clone.setup({ env }).result, DONE);
  const setup = clone.setup({ env, args: ['--dev'] });
  const npm = await clone.npmCall();
  assert.ok(npm.args.includes('--include=dev'), npm.args.join(' '));
  clone.install(NEEDED, DEV);
  npm.exit(0);
  assert.equal((await setup.result).code, 0);
});

test('npm start bundles the page, and keeps no packages that it installs for that', async (context) => {
  const clone = await aClone(context);
  clone.install(NEEDED, DEV);
  const packages = join(clone.web, 'node_modules');
  for (const folder of ['dist', 'node_modules']) rmSync(join(clone.web, folder), { recursive: true });
  const start = clone.setup();
  const npm = await clone.npmCall();
  clone.installBundler();
  npm.exit(0);
  assert.match((await start.result).stderr, /^Installing the page's dependencies with npm/);
  assert.deepEqual([existsSync(join(clone.web, 'dist')), existsSync(packages)], [true, false]);
  assert.deepEqual(await clone.setup().result, DONE);

  const development = clone.setup({ args: ['--dev'] });
  const again = await clone.npmCall();
  clone.installBundler();
  again.exit(0);
  assert.equal((await development.result).code, 0);
  rmSync(join(clone.web, 'dist'), { recursive: true });
  assert.deepEqual(await clone.setup().result, DONE);
  assert.ok(existsSync(packages), 'npm start keeps packages that were there before');
});

test('a signal stops npm, set-up ends after npm, and the next start installs again', async (context) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const clone = await aClone(context);
    const setup = clone.setup();
    const npm = await clone.npmCall();
    const signalled = await npm.catchSignal(signal);
    setup.child.kill(signal);
    await signalled();
    assert.deepEqual([setup.child.exitCode, setup.child.signalCode], [null, null], 'set-up waits for npm');
    npm.exit(1);
    const result = await setup.result;
    assert.equal(result.signal, signal);
    assert.match(result.stderr, /Stopped while installing dependencies\. The next start installs them again\.$/);
    const next = clone.setup();
    const again = await clone.npmCall();
    clone.install(NEEDED);
    again.exit(0);
    assert.equal((await next.result).code, 0);
  }
});

test('npm is killed if it ignores a signal', async (context) => {
  const clone = await aClone(context);
  const setup = clone.setup();
  const npm = await clone.npmCall();
  const signalled = await npm.catchSignal('SIGINT');
  setup.child.kill('SIGINT');
  await signalled();
  await npm.ended;
  assert.equal((await setup.result).signal, 'SIGINT');
});

test('if two starts run at once, one installs and the other waits', async (context) => {
  const clone = await aClone(context);
  const first = clone.setup();
  const npm = await clone.npmCall();
  const second = clone.setup();
  await second.said('Waiting for another process');
  clone.install(NEEDED);
  npm.exit(0);
  assert.equal((await first.result).code, 0);
  assert.deepEqual(await second.result, {
    ...DONE,
    stderr: 'Waiting for another process to install the dependencies…',
  });
});

test('a waiting start installs if the installing one is killed', async (context) => {
  const clone = await aClone(context);
  const first = clone.setup();
  const npm = await clone.npmCall();
  const second = clone.setup();
  await second.said('Waiting for another process');
  first.child.kill('SIGKILL');
  const again = await clone.npmCall();
  npm.exit(1);
  clone.install(NEEDED);
  again.exit(0);
  assert.equal((await second.result).code, 0);
});

test('if npm fails, set-up says in one sentence what to do', async (context) => {
  const clone = await aClone(context);
  const setup = clone.setup();
  (await clone.npmCall()).exit(7);
  const { code, stderr } = await setup.result;
  assert.equal(code, 1);
  assert.match(stderr, /could not be installed: npm ci ended with exit code 7; .* connection to the npm registry/);
  assert.doesNotMatch(stderr, /^\s+at /m);
});

test('started by pnpm, set-up runs the npm in PATH', async (context) => {
  const clone = await aClone(context);
  const PATH = `${clone.npmInPath()}:${process.env.PATH}`;
  const setup = clone.setup({ env: { npm_execpath: join(clone.folder, 'pnpm.cjs'), PATH } });
  const npm = await clone.npmCall();
  assert.equal(npm.args[0], 'ci');
  clone.install(NEEDED);
  npm.exit(0);
  assert.equal((await setup.result).code, 0);
});

test('if there is no npm, set-up says so in one sentence', async (context) => {
  const clone = await aClone(context);
  const { code, stderr } = await clone.setup({ env: { npm_execpath: '', PATH: clone.folder } }).result;
  assert.equal(code, 1);
  assert.match(stderr, /^Installing.*\nnpm could not be started \(spawn npm ENOENT\)\..*nodejs\.org$/);
});

test('without a connection npm gives up, and set-up says what is needed', async (context) => {
  const clone = await aClone(context);
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as { port: number };
  closed.close();
  const env = {
    npm_execpath: process.env.npm_execpath ?? '',
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: join(clone.folder, 'cache'),
  };
  const { code, stderr } = await clone.setup({ env }).result;
  assert.equal(code, 1);
  assert.match(stderr, /ECONNREFUSED/);
  assert.match(stderr, /could not be installed: npm ci ended with exit code 1; see its messages above\./);
});

test('on Node.js 20 set-up accepts a packaged Node.js that runs', async (context) => {
  const clone = await aClone(context);
  clone.install(NEEDED, NODE);
  clone.writePackagedNode('#!/bin/sh\necho v24.0.0\n');
  assert.deepEqual(await clone.setup({ isNode20: true }).result, DONE);
});

test('on Node.js 20 a packaged Node.js that cannot run is reported without a stack', async (context) => {
  const clone = await aClone(context);
  clone.install(NEEDED, NODE);
  for (const [script, reason] of [
    ['#!/lib/no-such-loader\n', 'ENOENT'],
    ['#!/bin/sh\necho "GLIBC_2.28 not found" >&2; exit 1\n', 'GLIBC_2.28 not found'],
  ] as const) {
    clone.writePackagedNode(script);
    const { code, stderr } = await clone.setup({ isNode20: true }).result;
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^Toponym needs Node\.js 24 or newer, but this is v20\.0\.0\. The Node\.js that npm installed, /,
    );
    assert.ok(stderr.includes(`cannot run on this machine (${reason}). It needs glibc, `), stderr);
  }
});

test('on Node.js 20 set-up names the Node.js package that npm skipped', async (context) => {
  const clone = await aClone(context);
  const setup = clone.setup({ isNode20: true });
  const npm = await clone.npmCall();
  clone.install(NEEDED);
  npm.exit(0);
  const { code, stderr } = await setup.result;
  assert.equal(code, 1);
  assert.ok(stderr.includes(`npm did not install ${NODE_PACKAGE}, the optional package with a newer one`), stderr);
});
