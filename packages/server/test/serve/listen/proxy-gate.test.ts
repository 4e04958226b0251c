import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { callerAddress, formatAddress, parseCidr } from 'toponym-access/address';
import { waitUntil } from '../../../../../test/support/deadline.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { PROXY_HEADER_TIMEOUT_MS } from '../../../src/http/timeouts.ts';
import { installProxyGate, type ProxyGateOptions } from '../../../src/serve/listen/proxy-gate.ts';
import { ensureCertificate } from '../../../src/serve/tls/certificate.ts';
import { createTlsServer } from '../../../src/serve/tls/tls-server.ts';
import { v1Header, v2Header } from './proxy-headers.ts';

const PROXY_ADDRESS = '127.0.0.9';
const STRANGER = '127.0.0.10';
const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** A server that answers each request with its peer: a client that may be a proxy, or surely the caller. */
async function aServer(context: TestContext, options: Partial<ProxyGateOptions> & { isTls?: boolean } = {}) {
  const isTls = options.isTls ?? false;
  const { cert, key } = isTls ? await ensureCertificate(temporaryFolder(context), new Date()) : { cert: '', key: '' };
  const server = (isTls ? createTlsServer({ cert, key }) : createServer()) as Server;
  server.on('request', ({ socket }, response) => {
    // the caller is known if its own X-Forwarded-For is not believed
    const address = callerAddress(
      { socket, headers: { 'x-forwarded-for': '192.0.2.99' } },
      ['0.0.0.0/0', '::/0'].map((block) => parseCidr(block)!),
    );
    const caller = formatAddress(address) === '192.0.2.99' ? 'client' : 'caller';
    response.end(`${caller} ${socket.remoteAddress}\n`);
  });
  const refused: string[] = [];
  installProxyGate(server, {
    hasDirectClients: isTls,
    proxyProtocol: false,
    trustedProxies: [parseCidr(PROXY_ADDRESS)!],
    onRefused: (reason, peer) => refused.push(`${reason} ${peer}`),
    ...options,
  });
  const accepted: Socket[] = [];
  server.on('connection', (socket: Socket) => accepted.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.close();
    for (const socket of accepted) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  const openFrom = (localAddress: string) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    socket.on('error', () => {}); // a refused connection may be reset
    context.after(() => socket.destroy());
    return socket;
  };
  return { server, cert, refused, accepted, openFrom, openConnections: promisify(server.getConnections.bind(server)) };
}

/** Everything that the server sends until it closes the connection. */
async function received(socket: Socket): Promise<string> {
  return await text(socket).catch(() => '');
}

/** The last line of the response, or '' if there was none. */
async function answerTo(socket: Socket, ...pieces: readonly (string | Buffer)[]): Promise<string> {
  const answer = received(socket);
  for (const piece of pieces) socket.write(piece);
  return (await answer).split('\r\n').at(-1) ?? '';
}

test('a peer that is not a trusted proxy gets nothing, and none of its bytes is read', async (context) => {
  const { refused, accepted, openFrom, openConnections } = await aServer(context);
  assert.equal(await answerTo(openFrom(STRANGER), REQUEST), '');
  assert.deepEqual(refused, [`untrusted_peer ${STRANGER}`]);
  assert.equal(accepted[0]?.destroyed, true);
  assert.equal(accepted[0]?.bytesRead, 0);
  await waitUntil('the connection is closed', async () => (await openConnections()) === 0);
});

test('a connection that was reset before it was accepted is dropped', async (context) => {
  const { server, refused, accepted } = await aServer(context, { trustedProxies: [parseCidr('0.0.0.0/0')!] });
  let requests = 0;
  server.on('request', () => requests++);
  const { port } = server.address() as AddressInfo;
  const done = new Int32Array(new SharedArrayBuffer(4));
  // another thread connects while this one is blocked
  const client = new Worker(
    `const { workerData: { port, done, request } } = require('node:worker_threads');
     const socket = require('node:net').connect(port, '127.0.0.1', () => socket.write(request, () => socket.resetAndDestroy()));
     socket.on('close', () => { Atomics.store(done, 0, 1); Atomics.notify(done, 0); });`,
    { eval: true, workerData: { port, done, request: REQUEST } },
  );
  await once(client, 'online');
  assert.notEqual(Atomics.wait(done, 0, 0, 20_000), 'timed-out');
  await waitUntil('the connection is accepted', () => accepted.length === 1);
  assert.equal(accepted[0]?.destroyed, true);
  assert.equal(requests, 0);
  assert.deepEqual(refused, []);
});

test('a trusted proxy is served, and without the PROXY protocol its own address counts', async (context) => {
  const { openFrom, refused } = await aServer(context);
  assert.equal(await answerTo(openFrom(PROXY_ADDRESS), REQUEST), `client ${PROXY_ADDRESS}\n`);
  assert.deepEqual(refused, []);
});

test('a Unix socket is left to its permissions', async (context) => {
  const server = createServer((_request, response) => response.end('served'));
  installProxyGate(server, {
    hasDirectClients: false,
    proxyProtocol: false,
    trustedProxies: [],
    onRefused: () => assert.fail(),
  });
  const path = `${temporaryFolder(context)}/socket`;
  server.listen(path);
  await once(server, 'listening');
  context.after(() => server.close());
  assert.equal(await answerTo(connect(path), REQUEST), 'served');
});

for (const [name, header] of Object.entries({ v1: v1Header, v2: v2Header })) {
  test(`a ${name} header tells the client, in pieces or together with the request; without one it is the proxy`, async (context) => {
    const { accepted, openFrom } = await aServer(context, { proxyProtocol: true });
    assert.equal(await answerTo(openFrom(PROXY_ADDRESS), header('192.0.2.7'), REQUEST), 'client 192.0.2.7\n');
    assert.equal(await answerTo(openFrom(PROXY_ADDRESS), header('::ffff:192.0.2.7'), REQUEST), 'client 192.0.2.7\n');
    assert.equal(await answerTo(openFrom(PROXY_ADDRESS), header(), REQUEST), `caller ${PROXY_ADDRESS}\n`);
    const bytes = Buffer.concat([header('2001:db8::7'), Buffer.from(REQUEST)]);
    for (let cut = 1; cut <= bytes.length; cut++) {
      const socket = openFrom(PROXY_ADDRESS);
      const answer = received(socket);
      const index = accepted.length;
      socket.write(bytes.subarray(0, cut));
      await waitUntil('the first piece is read', () => (accepted[index]?.bytesRead ?? 0) >= cut);
      socket.write(bytes.subarray(cut));
      assert.match(await answer, /client 2001:db8:0:0:0:0:0:7\n$/, `cut at ${cut}`);
    }
  });

  test(`a ${name} header before a TLS handshake tells the caller`, async (context) => {
    const { cert, openFrom } = await aServer(context, { isTls: true, proxyProtocol: true });
    for (const isJoined of [true, false]) {
      const secure = connectTls({
        socket: withPrefix(openFrom(PROXY_ADDRESS), header('192.0.2.7'), isJoined),
        ca: cert,
      });
      assert.equal(await answerTo(secure, REQUEST), 'caller 192.0.2.7\n', `joined: ${isJoined}`);
    }
    const own = connectTls({ socket: withPrefix(openFrom(PROXY_ADDRESS), header(), true), ca: cert });
    assert.equal(await answerTo(own, REQUEST), `caller ${PROXY_ADDRESS}\n`);
  });
}

/** Sends a prefix before everything else, in one piece with the first bytes or separately. */
function withPrefix(raw: Socket, prefix: Buffer, isJoined: boolean): Duplex {
  let isFirst = true;
  const wire = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      const pieces = isFirst ? (isJoined ? [Buffer.concat([prefix, chunk])] : [prefix, chunk]) : [chunk];
      isFirst = false;
      for (const piece of pieces.slice(0, -1)) raw.write(piece);
      raw.write(pieces.at(-1) ?? '', done);
    },
    final: (done) => raw.end(done),
  });
  raw.on('data', (chunk) => wire.push(chunk)).on('end', () => wire.push(null));
  return wire;
}

test('requests that follow on the same connection have the same client', async (context) => {
  const { openFrom } = await aServer(context, { proxyProtocol: true });
  const keepAlive = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
  const socket = openFrom(PROXY_ADDRESS);
  const all = received(socket);
  socket.write(Buffer.concat([v2Header('192.0.2.7'), Buffer.from(keepAlive.repeat(2))]));
  await once(socket, 'readable');
  socket.write(REQUEST);
  assert.equal((await all).match(/client 192\.0\.2\.7\n/g)?.length, 3);
});

test('with TLS, a peer that is not a proxy is a client and cannot send a header, and plain HTTP gets a 400', async (context) => {
  const { cert, openFrom, refused } = await aServer(context, { isTls: true, proxyProtocol: true });
  const direct = connectTls({ socket: openFrom(STRANGER), ca: cert });
  assert.equal(await answerTo(direct, REQUEST), `client ${STRANGER}\n`);
  for (const header of [v1Header('192.0.2.7'), v2Header('192.0.2.7')])
    assert.match(await answerTo(openFrom(STRANGER), header), /This port speaks HTTPS/);
  assert.match(await answerTo(openFrom(PROXY_ADDRESS), v2Header('192.0.2.7'), REQUEST), /This port speaks HTTPS/);
  assert.deepEqual(refused, []);
});

test('a connection with a missing, malformed, overlong or unfinished header is closed and counted', async (context) => {
  const { openFrom, refused, openConnections } = await aServer(context, { proxyProtocol: true });
  const overlong = `PROXY UNKNOWN ${'x'.repeat(200)}\r\n`;
  for (const bytes of [REQUEST, 'PROXY TCP4 a b c d\r\n', overlong, '\x16\x03\x01'])
    assert.equal(await answerTo(openFrom(PROXY_ADDRESS), bytes), '');
  const half = openFrom(PROXY_ADDRESS);
  half.end('PROXY TCP4 192.0.2.');
  assert.equal(await received(half), '');
  assert.deepEqual(refused, Array(5).fill(`bad_proxy_header ${PROXY_ADDRESS}`));
  await waitUntil('all connections are closed', async () => (await openConnections()) === 0);
});

test('a header that arrives byte by byte must be complete in time', async (context) => {
  const { openFrom, refused } = await aServer(context, { proxyProtocol: true, headerTimeoutMs: 100 });
  const socket = openFrom(PROXY_ADDRESS);
  const answer = received(socket);
  const header = v2Header('192.0.2.7', Buffer.alloc(4000));
  let sent = 0;
  await waitUntil('the server closes the connection', () => {
    if (sent < header.length - 1) socket.write(header.subarray(sent, ++sent));
    return refused.length > 0;
  });
  assert.equal(await answer, '');
  assert.deepEqual(refused, [`slow_proxy_header ${PROXY_ADDRESS}`]);
});

test('a header that has arrived while the thread was busy is in time', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { openFrom, refused, accepted } = await aServer(context, { proxyProtocol: true });
  const socket = openFrom(PROXY_ADDRESS);
  while (accepted.length === 0) await nextTick();
  const answer = answerTo(socket, v1Header('192.0.2.7'), REQUEST);
  context.mock.timers.tick(PROXY_HEADER_TIMEOUT_MS); // in the same turn of the event loop
  assert.equal(await answer, 'client 192.0.2.7\n');
  assert.deepEqual(refused, []);
});

test('many connections that send no complete header are closed in time, and a client is served meanwhile', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const until = async (isTrue: () => boolean | Promise<boolean>) => {
    while (!(await isTrue())) await nextTick();
  };
  const { openFrom, refused, accepted, openConnections } = await aServer(context, { proxyProtocol: true });
  const count = 300;
  const header = v2Header('192.0.2.7', Buffer.alloc(4000));
  // half of them send nothing, the others send all but the last byte
  for (let i = 0; i < count; i++) openFrom(PROXY_ADDRESS).write(i % 2 === 0 ? '' : header.subarray(0, -1));
  await until(() => accepted.length === count);
  assert.equal(await answerTo(openFrom(PROXY_ADDRESS), v1Header('192.0.2.7'), REQUEST), 'client 192.0.2.7\n');
  assert.deepEqual(refused, []);
  context.mock.timers.tick(PROXY_HEADER_TIMEOUT_MS);
  await until(async () => (await openConnections()) === 0);
  assert.deepEqual(refused, Array(count).fill(`slow_proxy_header ${PROXY_ADDRESS}`));
  assert.ok(accepted.every(({ bytesRead }) => bytesRead <= header.length));
});

test('a port check that connects and sends nothing is not counted', async (context) => {
  const { openFrom, refused, openConnections, accepted } = await aServer(context, { proxyProtocol: true });
  openFrom(PROXY_ADDRESS).end();
  await waitUntil('the connection is closed', async () => accepted.length === 1 && (await openConnections()) === 0);
  assert.deepEqual(refused, []);
});

test('connections that wait for their header do not prevent the server from closing', async (context) => {
  const { server, openFrom, accepted } = await aServer(context, { proxyProtocol: true });
  openFrom(PROXY_ADDRESS).write('PROXY ');
  await waitUntil('the connection is accepted', () => accepted.length === 1);
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  await closed;
});
