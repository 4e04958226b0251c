import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { takeLock } from '../../src/fetch/lock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MODULE = new URL('../../src/fetch/lock.ts', import.meta.url).href;

test('a lock is held by one at a time', (context) => {
  const path = join(temporaryFolder(context), 'lock');
  const first = takeLock(path);
  assert.ok(first);
  assert.equal(takeLock(path), undefined);
  first.release();
  const second = takeLock(path);
  assert.ok(second);
  second.release();
});

test('a process that is killed gives its lock up', async (context) => {
  const path = join(temporaryFolder(context), 'lock');
  const program = `import { takeLock } from ${JSON.stringify(MODULE)};
    globalThis.lock = takeLock(${JSON.stringify(path)}); console.log('taken'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  context.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  assert.equal(takeLock(path), undefined);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = takeLock(path);
  assert.ok(lock);
  lock.release();
});
