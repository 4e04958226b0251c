import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PROGRAM, runService } from '../support/running-service.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/toponym.js', import.meta.url));
const SETUP = fileURLToPath(new URL('../../scripts/setup.js', import.meta.url));

test('the launcher passes arguments and the exit code through', () => {
  const { status, stderr } = spawnSync(process.execPath, [LAUNCHER, 'get', '--nonsense'], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /unknown option '--nonsense'/);
});

test('SIGTERM to the launcher drains the service', async (context) => {
  const service = await runService(context, { program: [process.execPath, LAUNCHER], args: ['--threads', '1'] });
  service.child.kill('SIGTERM');
  assert.deepEqual(await service.ended(), [0, null]);
});

test('under npm the end of the shell that runs the service ends the service', async (context) => {
  const script = `"${process.execPath}" "${PROGRAM}" "$@"; exit $?`;
  const program = ['/bin/sh', '-c', script, 'sh'];
  const service = await runService(context, { program, env: { npm_command: 'exec' }, args: ['--threads', '1'] });
  assert.notEqual(service.ready.pid, service.child.pid);
  // its output is closed only when the service has ended as well
  const closed = once(service.child, 'close');
  service.child.kill('SIGKILL');
  await closed;
});

test('set-up says nothing when there is nothing to do', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SETUP], { encoding: 'utf8' });
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' });
});
