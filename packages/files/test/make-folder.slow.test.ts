import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { PROGRAM, testEnvironment } from '../../../test/support/environment.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

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
      /^toponym: The state folder \/proc\/toponym\/state cannot be written \(no such file or directory/,
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
