/** A full disk, under the state folder and under the log. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../../test/support/deadline.ts';
import { PROGRAM } from '../../test/support/environment.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import { behaves, problemOf, skipped } from '../checks.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { createKey, runCommand, startService } from '../service.ts';
import { mountSmallDisk, type SmallDisk } from '../small-disk.ts';

const CALLS = 20;
const FULL = /cannot be used: database or disk is full/;

export const fullDisk: Scenario = {
  name: 'full-disk',
  promise:
    'On a full disk the service keeps answering, commands say that the disk is full, and all works again once there is room.',
  run: runFullDisk,
};

async function runFullDisk(run: FaultRun) {
  const disk = mountSmallDisk(run);
  if (typeof disk === 'string') return [skipped('a full disk', disk)];
  const checks = [
    behaves(
      'state folder on the full disk',
      'calls are answered, `keys create` and `keys revoke` exit with 1 and say why, and work again later',
      await problemOf(() => fillStateFolder(run, disk)),
    ),
  ];
  checks.push(
    behaves(
      'log on the full disk',
      'calls are answered, and the first line written later says how many were lost',
      await problemOf(() => fillLog(run, disk)),
    ),
  );
  return checks;
}

async function fillStateFolder(run: FaultRun, disk: SmallDisk): Promise<void> {
  const state = join(disk.folder, 'state');
  const service = await startService(run, { state, args: ['--log-level', 'warn'] });
  const { id, key } = await createKey(run, service);
  const keysCommand = (...args: string[]) => runCommand(run, ['keys', ...args, '--state', state]);
  disk.fill();
  await assertAnswered(service, key);
  for (const args of [
    ['create', '--label', 'x'],
    ['revoke', id],
  ]) {
    const { code, stderr } = await keysCommand(...args);
    assert.equal(code, 1, `keys ${args[0]} exited with ${code}`);
    assert.match(stderr, FULL);
  }
  assert.equal((await keysCommand('list')).code, 0, 'keys list failed');
  await assertAnswered(service, key);
  // written every five seconds
  if (run.scale === 'full') await service.logged("the last uses of keys and today's calls were not written");
  disk.empty();
  assert.equal((await keysCommand('revoke', id)).code, 0, 'keys revoke failed on a disk with room');
  const { status } = await service.call('/api/1/query', { form: { query: 'par' }, key });
  assert.equal(status, 403, 'a key revoked after the disk had room again');
}

async function fillLog(run: FaultRun, disk: SmallDisk): Promise<void> {
  const log = join(disk.folder, 'service.log');
  // a shell opens the log file; `exec` lets the service replace the shell
  const program = ['bash', '-c', 'exec "$@" 2>>"$LOG_FILE"', 'bash', process.execPath, PROGRAM];
  const service = await startService(run, { program, env: { LOG_FILE: log } });
  const { key } = await createKey(run, service);
  disk.fill();
  await assertAnswered(service, key);
  disk.empty();
  await waitUntil('the log says how many lines were lost', async () => {
    await assertAnswered(service, key);
    return /"lines":\d+,"msg":"log lines could not be written and are lost"/.test(readFileSync(log, 'utf8'));
  });
  run.keySearch.search('log', readFileSync(log, 'utf8'));
}

async function assertAnswered(service: RunningService, key: string): Promise<void> {
  for (let i = 0; i < CALLS; i++) {
    const { status } = await service.call('/api/1/query', { form: { query: 'par' }, key });
    assert.equal(status, 200, `status ${status} instead of 200`);
  }
}
