import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { CALL_PAUSE_MS, waitUntil } from '../../../../test/support/deadline.ts';
import { PROGRAM } from '../../../../test/support/environment.ts';
import { smallIndex } from '../../../../test/support/index-version.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { createLogWriter } from '../../src/serve/log.ts';

/** A full pipe, and a function that empties it. */
function aFullPipe(context: TestContext) {
  const path = join(temporaryFolder(context), 'pipe');
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  context.after(() => closeSync(fd));
  const read = () => {
    const buffer = Buffer.alloc(1 << 20);
    return buffer.toString('utf8', 0, readSync(fd, buffer));
  };
  assert.throws(() => {
    for (;;) writeSync(fd, 'x'.repeat(4096));
  }, /EAGAIN/);
  return { fd, read };
}

interface SocketService {
  readonly folder: string;
  readonly socketPath: string;
  /** Descriptor that the service logs to. */
  readonly stderr: number;
}

async function startOnSocket({ folder, socketPath, stderr }: SocketService): Promise<ChildProcess> {
  const where = ['--behind-proxy', '--host', `unix:${socketPath}`, '--state', join(folder, 'state')];
  const index = ['--index', await smallIndex()];
  const args = [PROGRAM, 'serve', '--json', '--ip-database', 'none', '--log-level', 'info', ...index, ...where];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', stderr] });
}

test('lines that cannot be written are counted, and the count is logged when writing works again', (context) => {
  const { fd, read } = aFullPipe(context);
  const writer = createLogWriter(fd);
  for (const line of ['one\n', 'two\n', 'three\n']) writer.write(line);
  read();
  writer.write('four\n');
  writer.write('five\n');
  const [note = '', ...lines] = read().split('\n');
  const { level, lines: lost, msg } = JSON.parse(note);
  assert.deepEqual({ level, lost, msg }, { level: 40, lost: 3, msg: 'log lines could not be written and are lost' });
  assert.deepEqual(lines, ['four', 'five', '']);
});

test('a full log disk and a closed standard output do not end the service', async (context) => {
  const folder = temporaryFolder(context);
  const socketPath = join(folder, 'toponym.sock');
  const full = openSync('/dev/full', 'w');
  context.after(() => closeSync(full));
  const child = await startOnSocket({ folder, socketPath, stderr: full });
  context.after(() => child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  child.stdout?.destroy();
  const ask = async () => {
    const [response] = await once(request({ socketPath, path: '/healthz', agent: false }).end(), 'response');
    return await text(response);
  };
  await waitUntil(
    'the service responds',
    async () => {
      assert.equal(child.exitCode, null, 'the service exited');
      return (await ask().catch(() => '')) !== '';
    },
    CALL_PAUSE_MS,
  );
  for (let i = 0; i < 5; i++) assert.equal(await ask(), '{"status":"alive"}');
  child.kill('SIGHUP');
  for (let i = 0; i < 5; i++) assert.equal(await ask(), '{"status":"alive"}');
  child.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null]);
});

test('a reader that stalls does not stall the service when another process makes standard error blocking', {
  skip: process.platform === 'linux' ? false : 'descriptors can be reopened on Linux only',
}, async (context) => {
  const folder = temporaryFolder(context);
  const socketPath = join(folder, 'toponym.sock');
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const shared = openSync(pipe, constants.O_RDWR);
  const own = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  context.after(() => [shared, own].forEach(closeSync));
  // when this process exits, Node.js restores the flags that standard error had before: blocking
  const other = spawn(process.execPath, ['-e', 'process.stdin.resume(); console.log(1)'], {
    stdio: ['pipe', 'pipe', shared],
  });
  context.after(() => other.kill('SIGKILL'));
  assert.ok(other.stdout && other.stdin);
  await once(other.stdout, 'data');
  const child = await startOnSocket({ folder, socketPath, stderr: shared });
  context.after(() => child.kill('SIGKILL'));
  assert.ok(child.stdout);
  await once(child.stdout, 'data');
  const otherEnded = once(other, 'exit');
  other.stdin.end();
  await otherEnded;
  const flags = execFileSync('cat', [`/proc/${child.pid}/fdinfo/2`], { encoding: 'utf8' }).match(/flags:\s+(\d+)/)?.[1];
  assert.equal(Number.parseInt(flags ?? '', 8) & constants.O_NONBLOCK, 0, 'standard error is blocking');
  assert.throws(() => {
    for (;;) writeSync(own, 'x'.repeat(4096));
  }, /EAGAIN/);
  for (let i = 0; i < 5; i++) {
    const [response] = await once(request({ socketPath, path: '/nothing', agent: false }).end(), 'response');
    assert.equal(response.statusCode, 404);
    response.resume();
  }
});
