import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { makeFolder } from '../../src/files/make-folder.ts';
import { PROGRAM, testEnvironment } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('missing folders are created for their owner only, and existing ones keep their permissions', (context) => {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, 'open'), { mode: 0o755 });
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
    assert.throws(() => makeFolder(join(folder, name)), { code: 'EEXIST' }, name);
  }
});

/** Runs the program in a child process, so that a hang does not block the test. */
async function runFor(seconds: number, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...testEnvironment(), ...env },
    timeout: seconds * 1000,
    killSignal: 'SIGKILL',
  });
  child.stdout.resume();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { stderr, code };
}

test('a folder that the file system refuses to create is an error, not an endless loop', {
  skip: existsSync('/proc/self') ? false : 'this system has no /proc',
}, async (context) => {
  const state = temporaryFolder(context);
  for (const [args, message] of [
    [
      ['serve', '--state', '/proc/toponym/state'],
      /^toponym: The state folder \/proc\/toponym\/state cannot be written \(ENOENT/,
    ],
    [['keys', 'create', '--label', 'a', '--state', '/proc/toponym'], /^toponym: The state folder .* cannot be written/],
    [
      ['update', '--state', state, '--cache', '/proc/toponym/a'],
      /^toponym: --cache \/proc\/toponym\/a cannot be written/,
    ],
  ] as const) {
    const { stderr, code } = await runFor(20, args);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
});
