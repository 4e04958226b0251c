/** Stopping a service while connections still arrive. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { waitUntil, withDeadline } from '../../support/deadline.ts';
import { writeVersion } from '../../support/index-version.ts';
import { runService } from '../../support/running-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CONNECTIONS = 64;

/** Behind a proxy, on plain HTTP. */
async function aService(context: TestContext, args: readonly string[] = []) {
  const index = path.join(temporaryFolder(context), 'data.toponym');
  await writeVersion(index, 'one', ['Alba']);
  const service = await runService(context, { index, args: ['--behind-proxy', '--threads', '2', ...args] });
  const port = Number(new URL(service.ready.url).port);
  return { service, port };
}

async function openConnection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** The status line of the response, or the code of the error. */
async function statusLineOf(socket: Socket, target: string): Promise<string> {
  socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const response = await text(socket).catch((error: NodeJS.ErrnoException) => `${error.code}`);
  return response.split('\r\n')[0] ?? '';
}

test('connections that wait to be accepted at SIGTERM are served', { timeout: 60_000 }, async (context) => {
  const { service, port } = await aService(context);
  service.child.kill('SIGSTOP');
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(port)));
  const responses = sockets.map((socket) => statusLineOf(socket, '/healthz'));
  service.child.kill('SIGTERM');
  service.child.kill('SIGCONT');
  assert.deepEqual(await Promise.all(responses), Array(CONNECTIONS).fill('HTTP/1.1 200 OK'));
  assert.deepEqual(await service.ended(), [0, null]);
});

test('a stopping service accepts calls for --drain-grace-seconds and reports that it is not ready', {
  timeout: 60_000,
}, async (context) => {
  const { service, port } = await aService(context, ['--drain-grace-seconds', '2']);
  service.child.kill('SIGTERM');
  await waitUntil('/readyz responds 503', async () => {
    return (await statusLineOf(await openConnection(port), '/readyz')) === 'HTTP/1.1 503 Service Unavailable';
  });
  assert.equal(await statusLineOf(await openConnection(port), '/healthz'), 'HTTP/1.1 200 OK');
  assert.deepEqual(await service.ended(), [0, null]);
});

test('a connection that has sent no request does not delay a stop', { timeout: 60_000 }, async (context) => {
  const { service, port } = await aService(context, ['--drain-seconds', '50']);
  const unused = await openConnection(port);
  // each is served by the other thread, or after the unused connection was accepted
  for (let i = 0; i < 10; i++)
    assert.equal(await statusLineOf(await openConnection(port), '/healthz'), 'HTTP/1.1 200 OK');
  service.child.kill('SIGTERM');
  assert.deepEqual(await service.ended(), [0, null]);
  assert.doesNotMatch(service.log(), /requests still running were aborted/);
  unused.destroy();
});

test('a service stops even if new connections keep arriving', { timeout: 60_000 }, async (context) => {
  const { service, port } = await aService(context, ['--drain-seconds', '50']);
  let hasExited = false;
  const clients = Array.from({ length: 20 }, async () => {
    while (!hasExited)
      await openConnection(port).then(
        (socket) => statusLineOf(socket, '/healthz'),
        () => {},
      );
  });
  service.child.kill('SIGTERM');
  const exit = await withDeadline('the service stops', service.ended()).finally(() => {
    hasExited = true;
  });
  await Promise.all(clients);
  assert.deepEqual(exit, [0, null]);
  assert.doesNotMatch(service.log(), /requests still running were aborted/);
});
