import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand } from '../../support/command.ts';

test('completion --json has the script', async () => {
  const json = JSON.parse((await runCommand(['completion', 'bash', '--json'])).stdout);
  const plain = await runCommand(['completion', 'bash']);
  assert.deepEqual(json, { shell: 'bash', script: plain.stdout });
});
