/** The test command itself, on test files in a temporary folder. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { waitUntil } from '../support/deadline.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAMS = pathToFileURL(join(ROOT, 'test/support/outside-programs.ts'));

/** Runs a test file with this body. No program is in the PATH but an `apt-get` that notes its call. */
function runTests(context: TestContext, body: string, flags: readonly string[] = []) {
  const folder = temporaryFolder(context);
  const file = join(folder, 'some.slow.test.ts');
  writeFileSync(file, `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n${body}`);
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  writeFileSync(join(programs, 'apt-get'), `#!/bin/sh\n: > ${folder}/apt-get-was-called\n`);
  chmodSync(join(programs, 'apt-get'), 0o755);
  const { CI: _ci, TOPONYM_TEST_RUN: _run, NODE_TEST_CONTEXT: _nested, ...env } = process.env;
  const { stdout, status } = spawnSync(process.execPath, ['scripts/test.ts', ...flags, file], {
    cwd: ROOT,
    env: { ...env, PATH: programs },
    encoding: 'utf8',
  });
  return { stdout, status, path: relative(ROOT, file), hasCalledApt: existsSync(join(folder, 'apt-get-was-called')) };
}

test('a failing test prints what was expected, what was got and how to run it alone', (context) => {
  const body = `test('one and one', () => assert.equal(1 + 1, 3));\ntest('fine', () => {});\n`;
  const { stdout, status, path } = runTests(context, body);
  assert.equal(status, 1);
  assert.match(stdout, /✖ one and one\nat .*some\.slow\.test\.ts:3\n/);
  assert.match(stdout, /actual: 2,\n +expected: 3,/);
  assert.ok(stdout.includes(`Run it alone: npm test -- ${path}`), stdout);
  assert.ok(stdout.endsWith('\n1 passed, 1 failed, 0 skipped\n'), stdout);
});

test('with --all, a file that passes when it runs once more alone is named, and one that does not is a failure', (context) => {
  const flag = join(temporaryFolder(context), 'has-run');
  const body = `
    const { existsSync, writeFileSync } = await import('node:fs');
    test('unsteady', () => { const again = existsSync('${flag}'); writeFileSync('${flag}', ''); assert.ok(again); });
  `;
  const unsteady = runTests(context, body, ['--all']);
  assert.equal(unsteady.status, 0, unsteady.stdout);
  assert.ok(unsteady.stdout.includes(`Unsteady: failed beside other tests, passed alone: ${unsteady.path}\n`));
  assert.equal(runTests(context, `test('wrong', () => assert.fail());`, ['--all']).status, 1);
});

test('a file that cannot be loaded, and a process that ends early, are failures with their output', (context) => {
  const broken = runTests(context, `import './missing.ts';\n`);
  assert.equal(broken.status, 1);
  assert.match(broken.stdout, /Cannot find module .*missing\.ts/);
  const ended = runTests(context, `test('ends', () => { console.error('out of order'); process.exit(0); });\n`);
  assert.equal(ended.status, 1);
  assert.match(ended.stdout, /exit code 0 before the end\n[\s\S]*out of order/);
});

test('an error after the end of its test, and an exit code without a failure, are failures', (context) => {
  const late = runTests(context, `test('late', () => void setTimeout(() => { throw new Error('too late'); }, 50));\n`);
  assert.equal(late.status, 1);
  assert.match(late.stdout, /✖ an error after the end of a test\n.*"Error: too late"/);
  const { status, stdout } = runTests(context, `test('fine', () => { process.exitCode = 3; });\n`);
  assert.equal(status, 1);
  assert.match(stdout, /exit code 3, but no test failed/);
});

test('a run that is stopped ends all processes of its tests, and removes its folder', async (context) => {
  const folder = temporaryFolder(context);
  const file = join(folder, 'some.slow.test.ts');
  const body = `
    import { spawn } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    import { test } from 'node:test';
    test('hangs', async () => {
      const { pid } = spawn('sleep', ['1000']);
      writeFileSync('${folder}/started', JSON.stringify([process.pid, pid, process.env.TOPONYM_TEST_RUN]));
      await new Promise((resolve) => setTimeout(resolve, 1_000_000));
    });
  `;
  writeFileSync(file, body);
  const { TOPONYM_TEST_RUN: _run, NODE_TEST_CONTEXT: _nested, ...env } = process.env;
  const command = spawn(process.execPath, ['scripts/test.ts', file], { cwd: ROOT, env, stdio: 'ignore' });
  const started = join(folder, 'started');
  await waitUntil('the test runs', () => existsSync(started) && readFileSync(started, 'utf8').endsWith(']'));
  const [test, child, runFolder] = JSON.parse(readFileSync(started, 'utf8')) as [number, number, string];
  assert.ok(existsSync(runFolder) && isRunning(test) && isRunning(child));
  command.kill();
  const [code] = await once(command, 'exit');
  assert.deepEqual([code, existsSync(runFolder)], [1, false]);
  await waitUntil('the processes have ended', () => !isRunning(test) && !isRunning(child));
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

test('without a program its tests are skipped, nothing is installed, and the end says how to get it', (context) => {
  const body = `
    const { outsideProgram, skipWithout } = await import('${PROGRAMS}');
    for (const name of ['caddy', 'promtool', 'caddy']) test('uses ' + name, outsideProgram(name), () => assert.fail());
    test('uses two', { skip: skipWithout(outsideProgram('jq'), outsideProgram('fish')) }, () => assert.fail());
    test('needs nothing', () => {});
  `;
  for (const flags of [[], ['--all']]) {
    const { stdout, status, hasCalledApt } = runTests(context, body, flags);
    assert.deepEqual([status, hasCalledApt], [0, false]);
    assert.match(stdout, /^2 tests skipped: caddy is not installed$/m);
    assert.match(stdout, /^To run them: apt-get install --no-install-recommends caddy fish jq prometheus$/m);
    assert.ok(stdout.endsWith('\n1 passed, 0 failed, 4 skipped\n'), stdout);
  }
});

test('a file that does not exist, and a folder without tests, are named', () => {
  for (const path of ['test/nothing.test.ts', 'tables']) {
    const { stderr, status } = spawnSync(process.execPath, ['scripts/test.ts', path], { cwd: ROOT, encoding: 'utf8' });
    assert.equal(status, 2);
    assert.ok(stderr.startsWith(`There is no test at ${path}.`), stderr);
  }
});
