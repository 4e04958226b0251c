import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withInstallLock } from '../../scripts/install-lock.js';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('actions on one folder run one after the other, also in one process', async (context) => {
  context.mock.method(console, 'error', () => {}); // says that it waits
  const folder = temporaryFolder(context);
  const steps: string[] = [];
  const action = (name: string) => async () => {
    steps.push(`${name} begins`);
    await new Promise(setImmediate);
    steps.push(`${name} ends`);
  };
  await Promise.all(['a', 'b', 'c'].map((name) => withInstallLock(folder, action(name))));
  const inPairs = steps.join(' ').match(/(\w) begins \1 ends/g);
  assert.equal(inPairs?.length, 3, steps.join(', '));
});

test('the lock is released when the action fails', async (context) => {
  const folder = temporaryFolder(context);
  await assert.rejects(
    withInstallLock(folder, async () => {
      throw new Error('no');
    }),
  );
  assert.equal(await withInstallLock(folder, async () => 'done'), 'done');
});
