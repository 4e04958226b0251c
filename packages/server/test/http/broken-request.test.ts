import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { waitUntil } from '../../../../test/support/deadline.ts';
import { anApp, listen, sendRaw, statusesIn } from './an-app.ts';

const FORM = 'Content-Type: application/x-www-form-urlencoded';
const CALL = (key: string, ...lines: string[]) =>
  ['POST /api/1/query HTTP/1.1', 'Host: a', `X-Service-Key: ${key}`, ...lines, '', ''].join('\r\n');

test('a valid request followed by invalid HTTP still gets its response', async (t) => {
  const { app, key } = anApp(t);
  const good = `${CALL(key, FORM, 'Content-Length: 11')}query=paris`;
  assert.deepEqual(statusesIn(await sendRaw(app, `${good}nonsense\r\n\r\n`)), [200, 400]);
});

test('invalid HTTP, an unknown expectation and CONNECT get an error of the usual shape', async (t) => {
  const { app } = anApp(t);
  const requests = [
    ['nonsense\r\n\r\n', 400, 'bad_request'],
    [`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['POST /api/1/query HTTP/1.1\r\nHost: a\r\nExpect: foo\r\nConnection: close\r\n\r\n', 417, 'expectation_failed'],
    ['CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
  ] as const;
  for (const [request, status, code] of requests) {
    const [head = '', body = ''] = (await sendRaw(app, request)).split('\r\n\r\n');
    const error = JSON.parse(body);
    assert.deepEqual([error.status, error.code], [status, code]);
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
    assert.match(head, new RegExp(`x-request-id: ${error.requestId}`));
    assert.match(head, /access-control-allow-origin: \*/);
  }
});

test('a Transfer-Encoding other than chunked is refused at once, and so is the target *', async (t) => {
  const { app, key } = anApp(t);
  for (const encoding of ['identity', 'gzip, chunked', 'chunked, identity']) {
    assert.deepEqual(statusesIn(await sendRaw(app, CALL(key, `Transfer-Encoding: ${encoding}`))), [400], encoding);
  }
  for (const method of ['GET', 'POST', 'OPTIONS']) {
    const received = await sendRaw(app, `${method} * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    assert.deepEqual(statusesIn(received), [404], method);
  }
});

test('Strict-Transport-Security is on every response, also on those to invalid requests', async (t) => {
  const { app } = anApp(t, { strictTransportSecurity: () => 'max-age=60' });
  const requests = [
    'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    'GET /openapi.json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    'POST /api/1/query HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    'OPTIONS /api/1/query HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    'POST /api/1/query HTTP/1.1\r\nHost: a\r\nExpect: foo\r\nConnection: close\r\n\r\n',
    'CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n',
    'nonsense\r\n\r\n',
  ];
  for (const request of requests) {
    assert.equal(
      (await sendRaw(app, request)).match(/^strict-transport-security: max-age=60\r$/gm)?.length,
      1,
      request,
    );
  }
});

test('an expectation of 100-continue is met', async (t) => {
  const { app } = anApp(t);
  const request = 'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nConnection: close\r\n\r\n';
  assert.deepEqual(statusesIn(await sendRaw(app, request)), [100, 200]);
});

test('a request that stays incomplete is answered 408 soon after its time is over', async (t) => {
  const { app, key } = anApp(t);
  const accepted: Socket[] = [];
  app.server.on('connection', (socket) => accepted.push(socket));
  const good = `${CALL(key, 'Content-Length: 0')}`;
  const incomplete = `${CALL(key, FORM, 'Content-Length: 9')}que`;
  const starts: [string, number[]][] = [
    ['', [408]],
    ['GET /healthz HT', [408]],
    [incomplete, [408]],
    [good + incomplete, [200, 408]],
    [good.repeat(6) + incomplete, [200, 200, 200, 200, 200, 200, 408]],
    // a request that was refused before its body came gets no second response
    [CALL('wrong', 'Content-Length: 9'), [401]],
  ];
  const responses = starts.map(async ([start]) => statusesIn(await sendRaw(app, start)));
  const sentBytes = starts.reduce((sum, [start]) => sum + start.length, 0);
  await waitUntil(
    'everything is read',
    () => accepted.reduce((sum, socket) => sum + socket.bytesRead, 0) === sentBytes,
  );
  app.server.requestTimeout = 100;
  app.server.headersTimeout = 100;
  for (const [i, [start, statuses]] of starts.entries()) assert.deepEqual(await responses[i], statuses, start);
});

test('a body that breaks off or cannot be read is refused after the responses before it', async (t) => {
  const { app, key } = anApp(t);
  const port = await listen(app);
  const chunked = CALL(key, FORM, 'Transfer-Encoding: chunked');
  const good = CALL(key, 'Content-Length: 0');
  const bodies = ['zz\r\n', '5\r\nquery\r\nzz\r\n', `5;${'x'.repeat(20_000)}\r\nquery\r\n`];
  for (const body of bodies) {
    assert.deepEqual(statusesIn(await sendRaw(app, good + chunked + body)), [200, 400], body.slice(0, 30));
  }
  const halfClosed = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  halfClosed.end(`${chunked}5\r\nque`);
  assert.deepEqual(statusesIn(await text(halfClosed)), [400]);
});

test('a body in thousands of tiny chunks is refused', async (t) => {
  const { app, key } = anApp(t);
  const socket = connect(await listen(app), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`${CALL(key, FORM, 'Transfer-Encoding: chunked')}${'1\r\na\r\n'.repeat(3000)}`);
  const response = await text(socket);
  assert.match(response, /^HTTP\/1\.1 400 /);
  assert.match(response, /more than 1024 chunks/);
});

test('the rest of a refused body is discarded without parsing its chunks', async (t) => {
  const { app } = anApp(t);
  const port = await listen(app);
  let chunks = 0;
  app.server.on('request', (request) => request.on('data', () => chunks++));
  const socket = connect(port, '127.0.0.1');
  socket.write('POST /api/1/query HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
  const [response] = await once(socket, 'data');
  assert.match(String(response), /^HTTP\/1\.1 401 /);
  socket.end('1\r\na\r\n'.repeat(100_000));
  await once(socket, 'close');
  assert.equal(chunks, 0);
});

test('a waiting call whose body is refused gets its response, and the connection is closed', async (t) => {
  const { app, key } = anApp(t);
  const health = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
  const call = `${CALL(key, FORM, 'Transfer-Encoding: chunked')}${'1\r\na\r\n'.repeat(3000)}0\r\n\r\n`;
  assert.deepEqual(statusesIn(await sendRaw(app, health.repeat(4) + call + health)), [200, 200, 200, 200, 400]);
});

test('a refused call with an endless body gets its response and the connection is closed', async (t) => {
  const { app, key } = anApp(t);
  const port = await listen(app);
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const heads = [
    ['POST /api/1/query HTTP/1.1\r\nTransfer-Encoding: chunked', 401],
    ['POST /nothing HTTP/1.1\r\nTransfer-Encoding: chunked', 404],
    ['GET /healthz HTTP/1.1\r\nTransfer-Encoding: chunked', 200],
    [`POST /api/1/query HTTP/1.1\r\nX-Service-Key: ${key}\r\nTransfer-Encoding: chunked`, 413],
    ['POST /api/1/query HTTP/1.1\r\nContent-Length: 9000000000', 401],
  ] as const;
  for (const [head, status] of heads) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    let received = '';
    socket.on('data', (data) => {
      received += data;
    });
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    socket.once('close', () => resolve());
    socket.write(`${head}\r\nHost: a\r\n\r\n`);
    const send = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', send);
    send();
    await closed;
    assert.match(received, new RegExp(`^HTTP/1\\.1 ${status} `), head);
    assert.match(received, /connection: close/i);
    assert.ok(socket.bytesWritten < 64 * 1024 * 1024, `${socket.bytesWritten} bytes were sent`);
  }
});

test('a client that still sends its large body when the response arrives does not lose the response', async (t) => {
  const { app, key } = anApp(t);
  const port = await listen(app);
  const accepted = once(app.server, 'connection') as Promise<[Socket]>;
  const socket = connect(port, '127.0.0.1');
  socket.write(`${CALL(key, FORM, 'Content-Length: 1000000')}${'a'.repeat(100_000)}`);
  const [served] = await accepted;
  await once(served, 'finish');
  for (let sent = 100_000; sent < 1_000_000; sent += 100_000) {
    await new Promise((resolve) => socket.write('a'.repeat(100_000), resolve));
  }
  assert.deepEqual(statusesIn(await text(socket)), [413]);
});

test('a refused call with a short body leaves the connection open', async (t) => {
  const { app } = anApp(t);
  const refused = 'POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcde';
  const next = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  assert.deepEqual(statusesIn(await sendRaw(app, refused + next)), [404, 200]);
});
