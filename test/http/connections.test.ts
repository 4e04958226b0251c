import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { Connections } from '../../src/http/connections.ts';
import { WRITE_TIMEOUT_MS } from '../../src/http/timeouts.ts';
import { anApp, listen } from './an-app.ts';

const IN_PROGRESS = 4;
const WAITING = 60;
const PER_THREAD = 8192;

/** A server whose requests are answered when the test says so. */
async function aServer(t: TestContext, answer?: RequestListener) {
  const open: ServerResponse[] = [];
  const server = createServer();
  const hold: RequestListener = (_request, response) => {
    open.push(response);
  };
  new Connections(answer ?? hold).attachTo(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const client = (): Socket => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {});
    t.after(() => socket.destroy());
    return socket;
  };
  const started = async (count: number) => {
    while (open.length < count) await nextTick();
  };
  return { server, open, client, started };
}

const REQUEST = 'GET /page HTTP/1.1\r\nHost: a\r\n\r\n';
const LAST_REQUEST = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** Statuses of all responses on a connection, once it is closed. */
async function statusesOn(socket: Socket): Promise<number[]> {
  return [...(await text(socket)).matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

test('a connection has four requests in progress, and the others follow as those are answered', async (t) => {
  const { open, client, started } = await aServer(t);
  const socket = client();
  socket.write(REQUEST.repeat(9) + LAST_REQUEST);
  for (let answered = 0; answered < 10; answered++) {
    await started(answered + 1);
    assert.ok(open.length - answered <= IN_PROGRESS, `${open.length - answered} in progress`);
    open[answered]!.end('page');
  }
  assert.equal((await statusesOn(socket)).length, 10);
});

test('thousands of pipelined requests are answered in order, for a client 50 requests ahead of its responses', async (t) => {
  const { client } = await aServer(t, (request, response) => response.end(request.url));
  const socket = client();
  const total = 3000;
  let received = '';
  let sent = 0;
  const bodies = () => [...received.matchAll(/\r\n\r\n\/(\d+)/g)].map(([, body]) => Number(body));
  const send = () => {
    const until = Math.min(total, bodies().length + 50);
    while (sent < until) socket.write(`GET /${sent++} HTTP/1.1\r\nHost: a\r\n\r\n`);
    if (bodies().length === total) socket.end();
  };
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk;
    send();
  });
  send();
  await once(socket, 'close');
  assert.deepEqual(
    bodies(),
    Array.from({ length: total }, (_, i) => i),
  );
});

test('a client that sends more than 64 requests ahead of their responses is disconnected', async (t) => {
  const { open, client } = await aServer(t);
  const socket = client();
  const closed = once(socket, 'close');
  socket.write(REQUEST.repeat(IN_PROGRESS + WAITING + 1));
  await closed;
  assert.equal(open.length, IN_PROGRESS);
});

test('beyond the limit of a thread a connection with the most open requests is closed', async (t) => {
  const { client, started } = await aServer(t);
  const bystander = client();
  bystander.write(REQUEST);
  await started(1);
  const closed: number[] = [];
  const count = Math.floor(PER_THREAD / (IN_PROGRESS + WAITING)) + 1;
  const greedy = Array.from({ length: count }, (_, i) => client().once('close', () => closed.push(i)));
  const { promise: someClosed, resolve } = Promise.withResolvers<void>();
  for (const socket of greedy) {
    socket.once('close', () => resolve());
    socket.write(REQUEST.repeat(IN_PROGRESS + WAITING));
  }
  await someClosed;
  assert.ok(closed.length < 10, `closed: ${closed}`);
  assert.equal(bystander.destroyed, false);
});

test('requests start a few per tick of the event loop, and all are answered', async (t) => {
  let startedThisTick = 0;
  let max = 0;
  const { client } = await aServer(t, (_request, response) => {
    startedThisTick++;
    response.end('page');
  });
  const sockets = Array.from({ length: 20 }, client);
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const answers = sockets.map((socket) => statusesOn(socket));
  for (const socket of sockets) socket.write(REQUEST.repeat(49) + LAST_REQUEST);
  let isDone = false;
  const done = Promise.all(answers).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await nextTick();
    max = Math.max(max, startedThisTick);
    startedThisTick = 0;
  }
  assert.ok(max > 0 && max <= 2 * 32, `${max} in one tick`);
  assert.equal((await done).flat().length, 1000);
});

test('connections that keep chunked requests open are bounded: the oldest is closed', async (t) => {
  const { client, started } = await aServer(t);
  const sockets = Array.from({ length: 65 }, client);
  const firstClosed = new Promise((resolve) => sockets[0]?.once('close', resolve));
  for (const [i, socket] of sockets.entries()) {
    socket.write('POST /page HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n');
    await started(i + 1);
  }
  await firstClosed;
  assert.equal(sockets.filter(({ destroyed }) => destroyed).length, 1);
});

test('a chunked request that would have to wait closes its connection', async (t) => {
  const { client } = await aServer(t);
  const socket = client();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(`${REQUEST.repeat(5)}POST /page HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`);
  await closed;
});

test('a client that resets its connection is not taken for somebody else', async (t) => {
  const { app, post } = anApp(t);
  const port = await listen(app);
  for (let i = 0; i < 200; i++) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.5.5.5' });
    socket.on('error', () => {});
    await once(socket, 'connect');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('POST /api/1/query HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n', () => socket.resetAndDestroy());
    await closed;
    await nextTick();
  }
  assert.equal((await post('query', '')).headers['x-ratelimit-remaining'], '59');
});

test('a request that asks for another protocol is the last of its connection', async (t) => {
  const { client } = await aServer(t, (request, response) => response.end(request.url));
  const socket = client();
  socket.write(`GET /first HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: foo\r\n\r\n${REQUEST}`);
  const response = await text(socket);
  assert.match(response, /^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n\/first$/s);
  assert.match(response, /^connection: close\r$/im);
});

test('what follows a good request and cannot be read leaves the good one its response', async (t) => {
  const { app, key } = anApp(t);
  const port = await listen(app);
  const socket = connect(port, '127.0.0.1');
  const body = 'query=paris';
  const good = `POST /api/1/query HTTP/1.1\r\nHost: a\r\nX-Service-Key: ${key}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  socket.write(`${good}nonsense\r\n\r\n`);
  assert.deepEqual(await statusesOn(socket), [200, 400]);
});

test('an unknown expectation and CONNECT are refused with a body, a request id and CORS headers', async (t) => {
  const { app } = anApp(t);
  const port = await listen(app);
  const requests = [
    ['POST /api/1/query HTTP/1.1\r\nHost: a\r\nExpect: foo\r\nConnection: close\r\n\r\n', 417, 'expectation_failed'],
    ['CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
  ] as const;
  for (const [request, status, code] of requests) {
    const socket = connect(port, '127.0.0.1');
    socket.write(request);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    const error = JSON.parse(body);
    assert.deepEqual([error.status, error.code], [status, code]);
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
    assert.match(head, new RegExp(`x-request-id: ${error.requestId}`));
    assert.match(head, /access-control-allow-origin: \*/);
  }
});

test('an expectation of 100-continue is met', async (t) => {
  const { app } = anApp(t);
  const socket = connect(await listen(app), '127.0.0.1');
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nConnection: close\r\n\r\n');
  assert.deepEqual(await statusesOn(socket), [100, 200]);
});

const CALL = (key: string, ...lines: string[]) =>
  ['POST /api/1/query HTTP/1.1', 'Host: a', `X-Service-Key: ${key}`, ...lines, '', ''].join('\r\n');

test('a request that stays incomplete is answered 408 soon after its time is over', { timeout: 20_000 }, async (t) => {
  const { app, key } = anApp(t);
  const port = await listen(app);
  app.server.requestTimeout = 100;
  app.server.headersTimeout = 100;
  const good = `${CALL(key, 'Content-Length: 0')}`;
  const incomplete = `${CALL(key, 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 9')}que`;
  const starts: [string, number[]][] = [
    ['', [408]],
    ['GET /healthz HT', [408]],
    [incomplete, [408]],
    [good + incomplete, [200, 408]],
    [good.repeat(6) + incomplete, [200, 200, 200, 200, 200, 200, 408]],
    // refused before its body came: there is nothing more to say
    [CALL('wrong', 'Content-Length: 9'), [401]],
  ];
  const answers = starts.map(async ([start]) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(start);
    return await statusesOn(socket);
  });
  for (const [i, [start, statuses]] of starts.entries()) assert.deepEqual(await answers[i], statuses, start);
});

test('a body that breaks off or cannot be read is refused after the responses before it', async (t) => {
  const { app, key } = anApp(t);
  const port = await listen(app);
  const chunked = CALL(key, 'Content-Type: application/x-www-form-urlencoded', 'Transfer-Encoding: chunked');
  const good = CALL(key, 'Content-Length: 0');
  const bodies = ['zz\r\n', '5\r\nquery\r\nzz\r\n', `5;${'x'.repeat(20_000)}\r\nquery\r\n`];
  for (const body of bodies) {
    const socket = connect(port, '127.0.0.1');
    socket.write(good + chunked + body);
    assert.deepEqual(await statusesOn(socket), [200, 400], body.slice(0, 30));
  }
  const halfClosed = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  halfClosed.end(`${chunked}5\r\nque`);
  assert.deepEqual(await statusesOn(halfClosed), [400]);
});

test('a body in thousands of tiny chunks is refused', async (t) => {
  const { app, key } = anApp(t);
  const socket = connect(await listen(app), '127.0.0.1');
  socket.on('error', () => {});
  const type = 'Content-Type: application/x-www-form-urlencoded';
  socket.write(`${CALL(key, type, 'Transfer-Encoding: chunked')}${'1\r\na\r\n'.repeat(3000)}`);
  const response = await text(socket);
  assert.match(response, /^HTTP\/1\.1 400 /);
  assert.match(response, /more than 1024 chunks/);
});

test('a client that does not take its response in time is disconnected, and others are not', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { client, server } = await aServer(t, (request, response) => {
    if (request.url === '/large') response.end('x'.repeat(50_000_000));
    else response.end('page');
  });
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const stalled = client();
  const [served] = await accepted;
  const closed = once(served, 'close');
  const bystander = client();
  stalled.pause().write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(server, 'request');
  t.mock.timers.tick(WRITE_TIMEOUT_MS);
  assert.equal(served.destroyed, false);
  bystander.write(REQUEST);
  await once(bystander, 'data');
  t.mock.timers.tick(1000);
  await closed;
  assert.equal(bystander.destroyed, false);
  bystander.write(REQUEST);
  await once(bystander, 'data');
});

test('a refused call with an endless body is answered and its connection closed', { timeout: 10_000 }, async (t) => {
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

test('a refused call with a short body leaves the connection open', async (t) => {
  const { app } = anApp(t);
  const socket = connect(await listen(app), '127.0.0.1');
  socket.write('POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcde');
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  assert.deepEqual(await statusesOn(socket), [404, 200]);
});
