import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { takeLock } from '../src/lock.ts';

const MODULE = new URL('../src/lock.ts', import.meta.url).href;
/** Deadline for a child process to start or to end. */
const DEADLINE_MS = 30_000;

test('a lock has one holder at a time', (context) => {
  const path = join(temporaryFolder(context), 'lock');
  const first = takeLock(path);
  assert.ok(first);
  assert.equal(takeLock(path), undefined);
  first.release();
  assertCanBeTaken(path);
});

test('the lock of a live process is respected until that process releases it', async (context) => {
  const path = join(temporaryFolder(context), 'lock');
  const holder = await startHolder(context, path);
  for (let i = 0; i < 3; i++) assert.equal(takeLock(path), undefined);
  const released = once(holder.stdout ?? assert.fail(), 'data', { signal: AbortSignal.timeout(DEADLINE_MS) });
  holder.stdin?.write('release\n');
  assert.equal(String(await released), 'released\n');
  assertCanBeTaken(path);
});

test('the lock of a process that was killed can be taken', async (context) => {
  const path = join(temporaryFolder(context), 'lock');
  const holder = await startHolder(context, path);
  assert.equal(takeLock(path), undefined);
  const exited = once(holder, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) });
  holder.kill('SIGKILL');
  assert.deepEqual(await exited, [null, 'SIGKILL']);
  assertCanBeTaken(path);
});

function assertCanBeTaken(path: string): void {
  const lock = takeLock(path);
  assert.ok(lock);
  lock.release();
}

/** Starts a process that takes the lock and releases it when it reads a line. */
async function startHolder(context: TestContext, path: string): Promise<ChildProcess> {
  const program = `import { takeLock } from ${JSON.stringify(MODULE)};
    const lock = takeLock(${JSON.stringify(path)});
    console.log(lock === undefined ? 'not taken' : 'taken');
    process.stdin.once('data', () => { lock?.release(); console.log('released'); });`;
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  context.after(() => holder.kill('SIGKILL'));
  const [output] = await once(holder.stdout, 'data', { signal: AbortSignal.timeout(DEADLINE_MS) });
  assert.equal(String(output), 'taken\n');
  return holder;
}
