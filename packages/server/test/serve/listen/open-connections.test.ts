import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { pino } from 'pino';
import { waitUntil } from '../../../../../test/support/deadline.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import {
  connectionLimits,
  type OpenConnectionSettings,
  OpenConnections,
  RefusedConnections,
  type TooMany,
  tcpSocketOf,
} from '../../../src/serve/listen/open-connections.ts';
import { ensureCertificate } from '../../../src/serve/tls/certificate.ts';
import { createTlsServer } from '../../../src/serve/tls/tls-server.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const HOLD = 'GET /hold HTTP/1.1\r\nHost: a\r\n\r\n';
/** The start of a TLS handshake. */
const HALF_HANDSHAKE = Buffer.from([0x16, 3, 1, 2, 0, 1]);

/** A server that answers all requests but those for /hold. */
async function aServer(t: TestContext, settings: Partial<OpenConnectionSettings> & { isTls?: boolean }) {
  const { isTls = false, ...limits } = settings;
  const server = (isTls ? await aTlsServer(t) : createServer()) as Server;
  const held: ServerResponse[] = [];
  server.on('request', ({ url }, response) => (url === '/hold' ? held.push(response) : response.end()));
  const closed: TooMany[] = [];
  const connections = new OpenConnections(server, {
    max: Number.POSITIVE_INFINITY,
    groupOf: ({ remoteAddress }) => remoteAddress,
    onClosed: (reason) => closed.push(reason),
    ...limits,
  });
  let accepted = 0;
  server.on('connection', () => accepted++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  /** Resolves when the server has accepted the connection. */
  const open = async (localAddress = '127.0.0.1'): Promise<Socket> => {
    const before = accepted;
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {}).resume();
    t.after(() => socket.destroy());
    await waitUntil('the connection is accepted', () => accepted > before);
    return socket;
  };
  return { server, connections, closed, held, open };
}

async function aTlsServer(t: TestContext) {
  const { cert, key } = await ensureCertificate(temporaryFolder(t), new Date());
  return createTlsServer({ cert, key });
}

async function answered(socket: Socket): Promise<Socket> {
  socket.write(REQUEST);
  await once(socket, 'data');
  return socket;
}

function isClosed(socket: Socket): Promise<void> {
  return waitUntil('the connection is closed', () => socket.destroyed);
}

test('one connection more than an address may have closes the one idle for longest, and none of another address', async (t) => {
  const { open, closed } = await aServer(t, { maxPerAddress: 3 });
  const other = await open('127.0.0.2');
  const first = await open();
  const second = await open();
  const third = await answered(await open());
  await answered(first);
  const fourth = await answered(await open());
  await isClosed(second);
  assert.deepEqual(closed, ['too_many_of_address']);
  for (const socket of [other, first, third, fourth]) await answered(socket);
});

test('a connection with an open request is closed only if all have one', async (t) => {
  const { open, held } = await aServer(t, { maxPerAddress: 2 });
  const busy = await open();
  busy.write(HOLD);
  await waitUntil('the request has started', () => held.length === 1);
  const idle = await answered(await open());
  const alsoBusy = await open();
  await isClosed(idle);
  assert.equal(busy.destroyed, false);
  alsoBusy.write(HOLD);
  await waitUntil('the request has started', () => held.length === 2);
  await answered(await open());
  await isClosed(busy);
  assert.equal(alsoBusy.destroyed, false);
});

test('connections of all addresses, and of proxies, have a limit together', async (t) => {
  const { open, closed } = await aServer(t, { max: 2, maxPerAddress: 1, groupOf: () => undefined });
  const first = await open('127.0.0.2');
  await open('127.0.0.3');
  await answered(await open('127.0.0.4'));
  await isClosed(first);
  assert.deepEqual(closed, ['too_many_connections']);
});

test('connections without a request are closed with TLS at any point of the handshake, and others stay', async (t) => {
  const { server, connections, open } = await aServer(t, { isTls: true });
  const silent = await open();
  const half = await open();
  half.write(HALF_HANDSHAKE);
  const secure = async () => {
    const accepted = once(server, 'secureConnection') as Promise<[Socket]>;
    const socket = connectTls({ socket: (await open()).pause(), rejectUnauthorized: false });
    socket.on('error', () => {}).resume();
    const [served] = await accepted;
    assert.notEqual(tcpSocketOf(served), served);
    return socket;
  };
  const unused = await secure();
  const used = await answered(await secure());
  connections.closeUnused();
  for (const socket of [silent, half, unused]) await isClosed(socket);
  await answered(used);
});

test('an address may have half of the connections that the descriptors allow, and metrics have their own', () => {
  const limits = (threads: number, descriptors: number | undefined, metricsConnections = 0) =>
    connectionLimits(threads, descriptors, { metricsConnections });
  assert.deepEqual(limits(2, undefined), { max: Number.POSITIVE_INFINITY, maxPerAddress: 1024 });
  assert.deepEqual(limits(2, 65_536), { max: 32_688, maxPerAddress: 1024 });
  assert.deepEqual(limits(2, 1024), { max: 432, maxPerAddress: 216 });
  assert.deepEqual(limits(2, 1024, 200), { max: 332, maxPerAddress: 166 });
  assert.deepEqual(limits(16, 256), { max: 1, maxPerAddress: 1 });
});

test('all refused connections are counted, and each reason is logged at most once a minute', () => {
  const lines: Record<string, unknown>[] = [];
  const refused = new RefusedConnections(pino({}, { write: (line) => void lines.push(JSON.parse(line)) }));
  for (let i = 0; i < 1000; i++) refused.add('untrusted_peer', `192.0.2.${i % 256}`, { nowMs: i });
  refused.add('bad_proxy_header', '127.0.0.1', { nowMs: 1000 });
  refused.add('untrusted_peer', '192.0.2.1', { nowMs: 60_000 });
  refused.add('bad_client_certificate', '192.0.2.2', { nowMs: 60_001, detail: 'CERT_HAS_EXPIRED' });
  assert.deepEqual(refused.counts, {
    untrusted_peer: 1001,
    bad_proxy_header: 1,
    slow_proxy_header: 0,
    no_client_certificate: 0,
    bad_client_certificate: 1,
    too_many_connections: 0,
    too_many_of_address: 0,
  });
  assert.deepEqual(
    lines.map(({ peer, refusedSoFar, detail }) => [peer, refusedSoFar, detail]),
    [
      ['192.0.2.0', 1, undefined],
      ['127.0.0.1', 1, undefined],
      ['192.0.2.1', 1001, undefined],
      ['192.0.2.2', 1, 'CERT_HAS_EXPIRED'],
    ],
  );
});
