/** Signals during the start of a service, and the signal that Node.js reserves for its debugger. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { takeLock } from 'toponym-files/lock';
import { embeddedIndexName } from 'toponym-gazetteer/datasets/embedded-index';
import { PRETEND_NODE_20 } from '../../../../test/support/clone.ts';
import { PROGRAM, testEnvironment } from '../../../../test/support/environment.ts';
import { writeVersion } from '../../../../test/support/index-version.ts';
import { OutputLines } from '../../../../test/support/output-lines.ts';
import { runSmallService } from '../../../../test/support/running-service.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';

const LAUNCHER = fileURLToPath(new URL('../../../../bin/toponym.js', import.meta.url));
// a free port for the debugger, should it open
const env = { NODE_OPTIONS: '--inspect-port=0' };

test('SIGUSR1 does not open the debugger of the launcher', async (context) => {
  const program = [process.execPath, ...PRETEND_NODE_20, LAUNCHER];
  const service = await runSmallService(context, { program, env });
  context.after(() => isRunning(service.ready.pid) && process.kill(service.ready.pid, 'SIGKILL'));
  assert.notEqual(service.ready.pid, service.child.pid);
  service.child.kill('SIGUSR1');
  // two reloads start and end four threads, one after the other; opening the debugger starts one
  for (const reloads of [1, 2]) {
    service.child.kill('SIGHUP');
    await service.logged('"msg":"index reloaded"', reloads);
  }
  assert.doesNotMatch(service.log(), /Debugger listening/);
  service.child.kill('SIGTERM');
  assert.deepEqual(await service.ended(), [0, null]);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A service that waits for the embedded index, as if another process were building it. */
async function aStartingService(context: TestContext) {
  const folder = temporaryFolder(context);
  const cache = join(folder, 'cache', 'toponym');
  const state = join(folder, 'state');
  mkdirSync(cache, { recursive: true });
  const lock = takeLock(join(cache, 'embedded.lock'));
  const args = ['serve', '--json', '--port', '0', '--state', state, '--ip-database', 'none', '--threads', '1'];
  const child = spawn(process.execPath, [PROGRAM, ...args, '--log-level', 'info'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...testEnvironment(), ...env, XDG_CACHE_HOME: join(folder, 'cache') },
  });
  context.after(() => child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  const log = new OutputLines(child.stderr);
  await log.contains('waiting for it');
  const finishIndex = async () => {
    await writeVersion(join(cache, embeddedIndexName()), 'one', ['Alba']);
    lock?.release();
  };
  return { child, exit, state, cache, log, finishIndex };
}

test('SIGHUPs during the start cause one reload when the service is ready, and SIGUSR1 does not open its debugger', async (context) => {
  const { child, exit, log, finishIndex } = await aStartingService(context);
  child.kill('SIGHUP');
  child.kill('SIGHUP');
  const ready = once(createInterface({ input: child.stdout }), 'line');
  await finishIndex();
  await Promise.race([ready, exit.then(() => assert.fail(`the service exited: ${log.text}`))]);
  await log.contains('"msg":"index reloaded"');
  child.kill('SIGUSR1');
  for (const reloads of [2, 3]) {
    child.kill('SIGHUP');
    await log.contains('"msg":"index reloaded"', reloads);
  }
  assert.doesNotMatch(log.text, /Debugger listening/);
  child.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null]);
  assert.equal(log.lines.filter((line) => line.includes('"msg":"index reloaded"')).length, 3);
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} during the start exits with 0 and leaves no unfinished file`, async (context) => {
    const { child, exit, state, cache } = await aStartingService(context);
    child.kill(signal);
    assert.deepEqual(await exit, [0, null]);
    assert.ok(!existsSync(join(state, 'first-key.txt')));
    const names = [cache, ...(existsSync(state) ? [state] : [])].flatMap((folder) => readdirSync(folder));
    assert.deepEqual(
      names.filter((name) => name.endsWith('.tmp')),
      [],
    );
  });
}

test('SIGTERM while the embedded index is being built leaves no unfinished file', async (context) => {
  const folder = temporaryFolder(context);
  const cache = join(folder, 'toponym');
  const args = ['serve', '--json', '--port', '0', '--state', join(folder, 'state'), '--ip-database', 'none'];
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...testEnvironment(), XDG_CACHE_HOME: folder },
  });
  context.after(() => child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  await once(createInterface({ input: child.stderr }), 'line'); // "Indexing the embedded places"
  child.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null]);
  assert.deepEqual(
    readdirSync(cache).filter((name) => name !== 'embedded.lock'),
    [],
  );
});
