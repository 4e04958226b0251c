import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runCommand } from '../../../../../test/support/command.ts';
import { waitUntil } from '../../../../../test/support/deadline.ts';
import { testEnvironment } from '../../../../../test/support/environment.ts';
import { freePort } from '../../../../../test/support/free-port.ts';
import { writeVersion } from '../../../../../test/support/index-version.ts';
import { runService, runToponym } from '../../../../../test/support/running-service.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { skipUnprivileged, UNPRIVILEGED } from '../../../../../test/support/unprivileged.ts';
import type { Finding } from '../../../src/cli/doctor/examine.ts';

/** A folder with an index of new data, and a function that runs the command there. */
async function inFolder(context: TestContext) {
  const cwd = temporaryFolder(context);
  const index = join(cwd, 'a.toponym');
  await writeVersion(index, `mine-${new Date().toISOString().slice(0, 10)}`, ['Alba', 'Borea']);
  const doctor = async (...args: string[]) =>
    await runToponym(['doctor', '--threads', '1', '--index', index, '--ip-database', 'none', ...args], { cwd });
  /** Runs it again while a busy machine keeps the service from answering within the 3 s that doctor waits. */
  const doctorOfService = async (...args: string[]) => {
    let result = await doctor(...args);
    await waitUntil('the service answers doctor', async () => {
      const isLate = result.stdout.includes('is in use by another program');
      if (isLate) result = await doctor(...args);
      return !isLate;
    });
    return result;
  };
  return { cwd, index, doctor, doctorOfService };
}

/** A server that accepts connections and never answers. */
async function aSilentServer(context: TestContext): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  context.after(() => server.close());
  await once(server, 'listening');
  server.unref();
  return (server.address() as AddressInfo).port;
}

test('doctor prints a line for each area, changes nothing, and exits with 0 without a problem', async (context) => {
  const { cwd, doctor } = await inFolder(context);
  const { stdout, stderr, code } = await doctor();
  assert.equal(stderr, '');
  assert.equal(code, 0, stdout);
  for (const area of ['settings', 'state folder', 'certificate', 'index', 'IP database', 'keys', 'port']) {
    assert.match(stdout, new RegExp(`^ok +${area} `, 'm'));
  }
  assert.match(stdout, /\nFound no problems and no warnings\.\n$/);
  assert.deepEqual(readdirSync(cwd), ['a.toponym']);
});

test('a setting that serve refuses is the only finding', async (context) => {
  const { doctor } = await inFolder(context);
  const bad = await doctor('--port', 'abc', '--json');
  assert.equal(bad.code, 1);
  const [finding, ...others] = JSON.parse(bad.stdout) as Finding[];
  assert.deepEqual(others, []);
  assert.match(finding?.message ?? '', /--port: must be an integer/);
});

test('doctor recognises a running service and its notice, says what to do, and exits with 1 if there is a problem', async (context) => {
  const { cwd, index, doctorOfService } = await inFolder(context);
  const [port, metricsPort] = [String(await freePort()), String(await freePort())];
  const args = ['--port', port, '--metrics-port', metricsPort, '--threads', '1', '--watch-seconds', '0'];
  const state = join(cwd, 'state');
  const service = await runService(context, { index, args, state });
  await runCommand(['keys', 'create', '--label', 'test', '--state', state]);
  const filesBefore = readdirSync(state).sort();
  const storeBefore = statSync(join(state, 'keys.sqlite')).mtimeMs;
  for (const flags of [[], ['--metrics-port', metricsPort]]) {
    const { stdout, code } = await doctorOfService('--port', port, '--state', state, ...flags);
    assert.equal(code, 0, stdout);
    assert.match(stdout, new RegExp(`is served by Toponym ${service.ready.version}, which is ready`));
    assert.match(stdout, /2 valid keys \(2 never used\)/);
    assert.ok(!stdout.includes(service.key));
  }
  assert.deepEqual(readdirSync(state).sort(), filesBefore);
  assert.equal(statSync(join(state, 'keys.sqlite')).mtimeMs, storeBefore);
  writeFileSync(index, 'broken');
  service.child.kill('SIGHUP');
  await service.logged('index not reloaded');
  const { stdout, code } = await doctorOfService('--port', port, '--state', state);
  assert.equal(code, 1);
  assert.match(stdout, /^problem +index +.*\n +-> Correct the file, or build or copy it again;/m);
  assert.match(stdout, /^warning +port +.* ready with a notice: index .* not reloaded/m);
  assert.match(stdout, /\nFound 1 problem and/);
});

test('a state folder that the user cannot write, or create, is a problem', {
  skip: skipUnprivileged,
}, async (context) => {
  const { cwd, index } = await inFolder(context);
  const state = join(cwd, 'state');
  const [command = '', ...words] = UNPRIVILEGED;
  const args = [...words, 'doctor', '--index', index, '--ip-database', 'none', '--state', state];
  const run = () => spawnSync(command, args, { cwd, env: testEnvironment(), encoding: 'utf8' });
  chmodSync(cwd, 0o555);
  const missing = run();
  chmodSync(cwd, 0o755);
  mkdirSync(state, { mode: 0o555 });
  const readOnly = run();
  for (const { status, stdout } of [missing, readOnly]) {
    assert.equal(status, 1);
    assert.match(stdout, /^problem +state folder +.* cannot be written: .*\n +-> Give .* \(chown\)/m);
  }
});

test('servers that never answer do not keep doctor from ending', async (context) => {
  const cwd = temporaryFolder(context);
  const port = await aSilentServer(context);
  const args = ['doctor', '--port', String(port), '--redis', `redis://127.0.0.1:${port}`, '--ip-database', 'none'];
  const { stdout, code } = await runToponym(args, { cwd });
  assert.equal(code, 1);
  assert.match(stdout, /^problem +Redis +Redis at 127\.0\.0\.1:\d+ cannot be used/m);
  // on a busy machine the deadline of all checks may come first
  assert.match(stdout, /^problem +port +(.* is in use by another program|no result within 7 s)/m);
  assert.deepEqual(readdirSync(cwd), []);
});
