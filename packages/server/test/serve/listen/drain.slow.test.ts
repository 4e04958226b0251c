/** Stopping a service while connections still arrive. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { waitUntil, withDeadline } from '../../../../../test/support/deadline.ts';
import { runSmallService } from '../../../../../test/support/running-service.ts';
import { startInProcess } from '../../../../../test/support/service-in-process.ts';

const CONNECTIONS = 64;

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

test('connections that wait to be accepted at SIGTERM are served', async (context) => {
  const service = await runSmallService(context, { args: ['--behind-proxy', '--threads', '2'] });
  const port = portOf(service.ready.url);
  service.child.kill('SIGSTOP');
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(port)));
  const responses = sockets.map((socket) => statusLineOf(socket, '/healthz'));
  service.child.kill('SIGTERM');
  service.child.kill('SIGCONT');
  assert.deepEqual(await Promise.all(responses), Array(CONNECTIONS).fill('HTTP/1.1 200 OK'));
  assert.deepEqual(await service.ended(), [0, null]);
});

test('a stopping service accepts calls for drainGraceSeconds and reports that it is not ready', async (context) => {
  const service = await startInProcess(context, { behindProxy: true, drainGraceSeconds: 2 });
  const port = portOf(service.url);
  const stopped = service.drain();
  await waitUntil('/readyz responds 503', async () => {
    return (await statusLineOf(await openConnection(port), '/readyz')) === 'HTTP/1.1 503 Service Unavailable';
  });
  assert.equal(await statusLineOf(await openConnection(port), '/healthz'), 'HTTP/1.1 200 OK');
  await stopped;
});

test('neither a connection without a request nor new connections that keep arriving delay a stop', async (context) => {
  const service = await startInProcess(context, { behindProxy: true, threads: 2, drainSeconds: 50 });
  const port = portOf(service.url);
  const unused = await openConnection(port);
  context.after(() => unused.destroy());
  // each is served by the other thread, or after the unused connection was accepted
  for (let i = 0; i < 10; i++)
    assert.equal(await statusLineOf(await openConnection(port), '/healthz'), 'HTTP/1.1 200 OK');
  let hasStopped = false;
  const clients = Array.from({ length: 20 }, async () => {
    while (!hasStopped)
      await openConnection(port).then(
        (socket) => statusLineOf(socket, '/healthz'),
        () => {},
      );
  });
  await withDeadline('the service stops', service.drain()).finally(() => {
    hasStopped = true;
  });
  await Promise.all(clients);
  assert.doesNotMatch(service.log(), /requests still running were aborted/);
});

test('connections that stopped before or in their TLS handshake do not delay a stop', async (context) => {
  const service = await startInProcess(context, { drainSeconds: 8 }); // they would be closed after 10
  const port = portOf(service.url);
  for (const bytes of ['', Buffer.from([0x16]), Buffer.from([0x16, 3, 1, 2, 0, 1])]) {
    const socket = await openConnection(port);
    socket.on('error', () => {}).write(bytes);
    context.after(() => socket.destroy());
  }
  // the thread has accepted the connections before this one
  assert.equal((await service.call('/healthz', { method: 'GET' })).status, 200);
  await service.drain();
  assert.doesNotMatch(service.log(), /requests still running were aborted/);
});

function portOf(url: string): number {
  return Number(new URL(url).port);
}
