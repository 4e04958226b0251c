import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as requestHttp, type Server } from 'node:http';
import { request as requestHttps, type ServerOptions } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { ensureCertificate, secureContextOptions } from '../../../src/serve/tls/certificate.ts';
import { createTlsServer } from '../../../src/serve/tls/tls-server.ts';
import { anApp, listen } from '../../http/an-app.ts';

async function aServer(context: TestContext, options: ServerOptions = {}) {
  const { cert, key } = await ensureCertificate(temporaryFolder(context), new Date());
  const requests: string[] = [];
  const server = createTlsServer({ ...secureContextOptions({ cert, key }), ...options });
  server.on('request', (request, response) => {
    requests.push(request.url ?? '');
    void text(request).then((body) => response.end(`secret ${body.length}`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close().closeAllConnections());
  return { server, cert, requests, port: (server.address() as AddressInfo).port };
}

test('an HTTPS request of any length gets a response', async (context) => {
  const { port, cert } = await aServer(context);
  const request = requestHttps({ port, host: '127.0.0.1', ca: cert, method: 'POST' }).end('x'.repeat(300_000));
  const [response] = await once(request, 'response');
  assert.equal(await text(response), 'secret 300000');
});

test('plain HTTP gets a short 400 in the format of all errors, and reaches no handler', async (context) => {
  const { port, requests } = await aServer(context);
  const request = requestHttp({ port, host: '127.0.0.1', path: '/api/1/query', method: 'POST' }).end('query=paris');
  const [response] = await once(request, 'response');
  const body = JSON.parse(await text(response)) as Record<string, unknown>;
  assert.equal(response.statusCode, 400);
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(response.headers.location, undefined);
  assert.equal(response.headers['x-request-id'], body.requestId);
  assert.deepEqual(Object.keys(body), ['message', 'status', 'code', 'requestId']);
  assert.match(String(body.message), /^This port speaks HTTPS.* with https:\/\/\. .* --behind-proxy\.$/);
  const long = requestHttp({ port, host: '127.0.0.1', method: 'POST' }).end('x'.repeat(1_000_000));
  long.on('error', () => {});
  const [answer] = await once(long, 'response');
  assert.equal(answer.statusCode, 400, 'also if the request is longer than the response');
  assert.deepEqual(requests, []);
});

test('a handshake whose first byte arrives alone is completed', async (context) => {
  const { server, port, cert } = await aServer(context);
  const { promise: firstByteSeen, resolve: sawFirstByte } = Promise.withResolvers<void>();
  server.once('connection', (socket: Socket) => socket.once('data', () => sawFirstByte()));
  const raw = connect(port, '127.0.0.1');
  context.after(() => raw.destroy());
  const slow = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      raw.write(chunk.subarray(0, 1));
      void firstByteSeen.then(() => raw.write(chunk.subarray(1), done));
    },
  });
  raw.on('data', (chunk) => slow.push(chunk));
  const socket = connectTls({ socket: slow, ca: cert, servername: 'localhost' });
  await once(socket, 'secureConnect');
  assert.equal(socket.authorized, true);
});

test('versions before TLS 1.2 are refused', async (context) => {
  const { port, cert } = await aServer(context);
  const socket = connectTls({
    port,
    host: '127.0.0.1',
    ca: cert,
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'ALL:@SECLEVEL=0',
  });
  const [error] = await once(socket, 'error');
  assert.match(String(error), /protocol version|unsupported protocol/i);
});

/** The bytes a TLS client sends first. */
async function clientHello(): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const wire = new Duplex({
    read() {},
    write: (chunk: Buffer) => resolve(chunk),
  });
  connectTls({ socket: wire, servername: 'localhost' }).on('error', () => {});
  return await promise;
}

/** The application over TLS, as a worker thread runs it, with shorter time limits. */
async function anAppOverTls(context: TestContext, changed: { handshakeTimeout?: number } = {}) {
  const { cert, key } = await ensureCertificate(temporaryFolder(context), new Date());
  const limits = { handshakeTimeout: 200, requestTimeout: 200, connectionsCheckingInterval: 20, ...changed };
  const { app, key: apiKey } = anApp(context, {
    createServer: (options) => createTlsServer({ ...options, cert, key, ...limits }) as unknown as Server,
  });
  const port = await listen(app);
  /** Connects, sends `bytes`, and resolves when the server has closed the connection. */
  const closedAfter = async (bytes: Buffer, { isHalfClosed = false } = {}) => {
    const accepted = once(app.server, 'connection') as Promise<[Socket]>;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    context.after(() => socket.destroy());
    const [served] = await accepted;
    const { promise, resolve } = Promise.withResolvers<void>();
    served.once('close', () => resolve());
    if (isHalfClosed) socket.end(bytes);
    else socket.write(bytes);
    await promise;
  };
  return { app, port, cert, apiKey, closedAfter };
}

test('connections that stall in the TLS handshake are closed', async (context) => {
  const { app, closedAfter } = await anAppOverTls(context);
  const hello = await clientHello();
  const malformed = Buffer.concat([hello.subarray(0, 6), Buffer.alloc(50, 0xff)]);
  for (const bytes of [hello.subarray(0, 6), hello.subarray(0, 100), hello, malformed]) await closedAfter(bytes);
  assert.equal(await promisify(app.server.getConnections).call(app.server), 0);
});

test('connections are closed after their client ends them, whatever it sent before', async (context) => {
  const { app, closedAfter } = await anAppOverTls(context);
  const hello = await clientHello();
  const nothing = Buffer.alloc(0);
  for (const bytes of [nothing, hello.subarray(0, 6), hello, Buffer.from('GET / HTTP/1.1\r\n\r\n')]) {
    await closedAfter(bytes, { isHalfClosed: true });
  }
  assert.equal(await promisify(app.server.getConnections).call(app.server), 0);
});

test('a client that closes its side after its requests still gets all responses', async (context) => {
  const { port, cert, apiKey } = await anAppOverTls(context, { handshakeTimeout: 120_000 });
  const tcpSocket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const socket = connectTls({ socket: tcpSocket, host: '127.0.0.1', ca: cert });
  const call = `POST /api/1/query?query=paris HTTP/1.1\r\nHost: a\r\nX-Service-Key: ${apiKey}\r\nContent-Length: 0\r\n\r\n`;
  socket.end(call.repeat(2));
  assert.equal((await text(socket)).match(/HTTP\/1\.1 200 OK/g)?.length, 2);
});

test('a request that stays incomplete is answered with 408 over TLS, and its connection is closed', async (context) => {
  const { port, cert, apiKey } = await anAppOverTls(context, { handshakeTimeout: 120_000 });
  const head = `POST /api/1/query HTTP/1.1\r\nHost: a\r\nX-Service-Key: ${apiKey}\r\n`;
  for (const half of [head, `${head}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\nque`]) {
    const socket = connectTls({ port, host: '127.0.0.1', ca: cert });
    socket.write(half);
    const response = await text(socket);
    assert.match(response, /^HTTP\/1\.1 408 Request Timeout\r\n/);
    assert.equal(JSON.parse(response.slice(response.indexOf('\r\n\r\n'))).code, 'request_timeout');
  }
});
