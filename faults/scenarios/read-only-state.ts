/** A state folder on a disk that is mounted read-only. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { smallIndex } from '../../test/support/index-version.ts';
import { behaves, problemOf, skipped } from '../checks.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { createKey, runCommand, startService, stopService } from '../service.ts';
import { mountSmallDisk, type SmallDisk } from '../small-disk.ts';

export const readOnlyState: Scenario = {
  name: 'read-only-state',
  promise: 'With a read-only state folder a start and `keys create` are refused with the reason, and nothing is lost.',
  run: runReadOnly,
};

async function runReadOnly(run: FaultRun) {
  const disk = mountSmallDisk(run);
  if (typeof disk === 'string') return [skipped('a read-only state folder', disk)];
  return [
    behaves(
      'start and `keys create` with a read-only state folder',
      'exit code 2 and a message that names the folder; keys work when it is writable again',
      await problemOf(() => useReadOnly(run, disk)),
    ),
  ];
}

async function useReadOnly(run: FaultRun, disk: SmallDisk): Promise<void> {
  const state = join(disk.folder, 'state');
  const first = await startService(run, { state, args: ['--log-level', 'warn'] });
  const { key } = await createKey(run, first);
  await stopService(run, first);
  disk.setReadOnly(true);
  const serve = ['serve', '--port', '0', '--index', await smallIndex(), '--ip-database', 'none'];
  for (const command of [serve, ['keys', 'create', '--label', 'x']]) {
    const { code, stderr } = await runCommand(run, [...command, '--state', state]);
    assert.equal(code, 2, `${command[0]} exited with ${code}`);
    assert.ok(stderr.includes(`The state folder ${state} cannot be written (read-only file system`), stderr);
  }
  disk.setReadOnly(false);
  const again = await startService(run, { state, args: ['--log-level', 'warn'] });
  const { status } = await again.call('/api/1/query', { form: { query: 'par' }, key });
  assert.equal(status, 200, 'a key created before');
  await stopService(run, again);
}
