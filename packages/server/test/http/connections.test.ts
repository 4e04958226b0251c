import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { waitUntil } from '../../../../test/support/deadline.ts';
import { type ConnectionSettings, Connections, type HandleRequest } from '../../src/http/connections.ts';
import { readBody } from '../../src/http/request/body.ts';
import { IDLE_TIMEOUT_MS, WRITE_TIMEOUT_MS } from '../../src/http/timeouts.ts';
import { anApp, listen } from './an-app.ts';

const IN_PROGRESS = 4;
const WAITING = 60;
const PER_THREAD = 8192;

/** A server whose requests are answered when the test says so. */
async function aServer(t: TestContext, answer?: HandleRequest, options: ServerOptions & ConnectionSettings = {}) {
  const open: ServerResponse[] = [];
  const server = createServer(options);
  const hold: RequestListener = (_request, response) => {
    open.push(response);
  };
  new Connections(answer ?? hold, options).attachTo(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const client = (localAddress = '127.0.0.1'): Socket => {
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {});
    t.after(() => socket.destroy());
    return socket;
  };
  const started = (count: number) => waitUntil(`${count} requests have started`, () => open.length >= count);
  return { server, open, client, started };
}

/** More than the buffers of a socket hold, and less than an address may have unsent. */
const LARGE = 'x'.repeat(7_000_000);
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

test("a request's wait begins when earlier responses of its connection leave it a turn", async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const waits: number[] = [];
  const open: ServerResponse[] = [];
  const { client } = await aServer(t, (_request, response, { waitedMs }) => {
    waits.push(waitedMs);
    open.push(response);
    response.on('close', () => {
      nowMs += 100;
    });
  });
  client().write(REQUEST.repeat(5));
  await waitUntil('four requests have started', () => waits.length === 4);
  nowMs += 5000;
  open[0]?.end();
  await waitUntil('five requests have started', () => waits.length === 5);
  assert.deepEqual(waits, [0, 0, 0, 0, 100]);
});

test('100 Continue comes before the head of its response, also if an earlier response is pending', async (t) => {
  const body = Buffer.from('page'); // Node sends the head of a response with a Buffer separately
  const { client } = await aServer(t, (request, response) => {
    // the first response follows a later one
    if (request.url === '/page') setImmediate(() => setImmediate(() => response.end(body)));
    else response.end(body);
  });
  const socket = client();
  const expecting = 'POST /expecting HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}';
  socket.write(REQUEST + expecting + LAST_REQUEST);
  const [, first, continuation, second, last] = (await text(socket)).split('HTTP/1.1 ');
  assert.equal(continuation, '100 Continue\r\n\r\n');
  for (const response of [first, second, last]) assert.match(response ?? '', /^200 OK\r\n.*\r\n\r\npage$/s);
});

test('a thousand pipelined requests are answered in order, for a client 50 requests ahead of its responses', async (t) => {
  const { client } = await aServer(t, (request, response) => response.end(request.url));
  const socket = client();
  const total = 1000;
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
  t.mock.method(performance, 'now', () => 0); // requests that waited for long start at once
  let startedThisTick = 0;
  let max = 0;
  const { client } = await aServer(t, (_request, response) => {
    startedThisTick++;
    response.end('page');
  });
  const sockets = Array.from({ length: 20 }, () => client());
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const responses = sockets.map((socket) => statusesOn(socket));
  for (const socket of sockets) socket.write(REQUEST.repeat(49) + LAST_REQUEST);
  let isDone = false;
  const done = Promise.all(responses).finally(() => {
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

test('many chunked requests at once are all answered, beside a flood of others', async (t) => {
  const { client } = await aServer(t, (request, response) => readBody(request, () => response.end('page')));
  const flood = Array.from({ length: 30 }, () => client());
  for (const socket of flood) socket.resume().write(REQUEST.repeat(40));
  const chunked =
    'POST /page HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n';
  const responses = Array.from({ length: 40 }, async () => {
    const socket = client();
    socket.write(chunked);
    return await statusesOn(socket);
  });
  assert.deepEqual((await Promise.all(responses)).flat(), Array(40).fill(200));
});

test('a client that closes its side after its requests gets all responses', async (t) => {
  const { client } = await aServer(t, (_request, response) => setImmediate(() => response.end('page')));
  for (const count of [1, 5, 20, 60]) {
    const socket = client();
    socket.end(REQUEST.repeat(count));
    assert.equal((await statusesOn(socket)).length, count);
  }
});

test('chunked requests wait like others, for others on their connection too, and none is dropped', async (t) => {
  const { client } = await aServer(t, (request, response) => {
    readBody(request, (body) => setImmediate(() => response.end(String(body))));
  });
  const chunked = (body: string, headers = '') =>
    `POST /page HTTP/1.1\r\nHost: a\r\n${headers}Transfer-Encoding: chunked\r\n\r\n${[...body].map((each) => `1\r\n${each}\r\n`).join('')}0\r\n\r\n`;
  const responses = Array.from({ length: 400 }, async (_, i) => {
    const socket = client();
    socket.write(REQUEST.repeat(5) + chunked(`first ${i}`) + chunked(`second ${i}`, 'Connection: close\r\n'));
    return await text(socket);
  });
  for (const [i, response] of (await Promise.all(responses)).entries()) {
    assert.equal(response.match(/HTTP\/1\.1 200 OK/g)?.length, 7);
    assert.match(response, new RegExp(`first ${i}HTTP.*second ${i}$`, 's'));
  }
});

test('the chunks of a waiting request are not stored one by one', async (t) => {
  const requests: IncomingMessage[] = [];
  const { client, server } = await aServer(t);
  server.on('request', (request) => requests.push(request));
  const chunks = `POST /page HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(1000)}`;
  client().write(REQUEST.repeat(4) + chunks);
  await waitUntil('five requests have arrived', () => requests.length === 5);
  await nextTick();
  assert.equal(requests[4]?.readableLength, 0);
});

test('an address that takes too few of its responses loses connections, and no other address does', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const large = 'x'.repeat(4_000_000);
  const { client, server } = await aServer(t, (_request, response) => response.end(large), {
    addressOf: ({ remoteAddress }) => remoteAddress,
  });
  const served: Socket[] = [];
  server.on('connection', (socket) => served.push(socket));
  const [bystander, ...greedy] = ['127.0.0.2', ...Array(6).fill('127.0.0.1')].map((from) => client(from).pause());
  await waitUntil('all are connected', () => served.length === 7);
  bystander?.write(REQUEST);
  for (const socket of greedy) socket.write(REQUEST);
  await waitUntil('all responses are being sent', () => served.every(({ bytesWritten }) => bytesWritten > 0));
  t.mock.timers.tick(100);
  const open = served.filter(({ destroyed }) => !destroyed);
  const unsentBytes = open.reduce((bytes, { writableLength }) => bytes + writableLength, 0);
  assert.ok(open.length < 7 && open.length > 1, `${open.length} open`);
  assert.ok(unsentBytes <= 12_500_000, `${unsentBytes} bytes unsent`);
  assert.ok(open.some(({ remoteAddress }) => remoteAddress === '127.0.0.2'));
});

test('a connection with much to send starts no further request', async (t) => {
  const urls: unknown[] = [];
  const { client } = await aServer(t, ({ url }, response) => {
    urls.push(url);
    response.end(LARGE);
  });
  const socket = client().pause();
  socket.write(REQUEST.repeat(3) + LAST_REQUEST);
  await waitUntil('the first request has started', () => urls.length > 0);
  for (let i = 0; i < 10; i++) await nextTick();
  assert.deepEqual(urls, ['/page']);
  assert.equal((await statusesOn(socket)).length, 4);
});

test('a waiting request that times out and then breaks off is refused once, after all other responses', async (t) => {
  const timeouts = { requestTimeout: 50, connectionsCheckingInterval: 10 };
  const { server, open, client, started } = await aServer(t, undefined, timeouts);
  const socket = client();
  socket.write(REQUEST.repeat(IN_PROGRESS));
  await started(IN_PROGRESS);
  // more than the socket's buffers hold: Node reads on when the client has taken it
  open[0]!.end(LARGE);
  const timedOut = once(server, 'clientError');
  socket.write('POST /page HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nque');
  assert.equal((await timedOut)[0].code, 'ERR_HTTP_REQUEST_TIMEOUT');
  const brokenOff = once(server, 'clientError');
  socket.end();
  const statuses = statusesOn(socket);
  assert.equal((await brokenOff)[0].code, 'HPE_INVALID_EOF_STATE');
  for (const response of open.slice(1)) {
    const closed = once(response, 'close');
    response.end('page');
    await closed;
  }
  assert.deepEqual(await statuses, [200, 200, 200, 200, 408]);
});

test('a client that resets its connection is not counted under another address', async (t) => {
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

test('a request to upgrade the protocol is the last on its connection', async (t) => {
  const { client } = await aServer(t, (request, response) => response.end(request.url));
  const socket = client();
  socket.write(`GET /first HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: foo\r\n\r\n${REQUEST}`);
  const response = await text(socket);
  assert.match(response, /^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n\/first$/s);
  assert.match(response, /^connection: close\r$/im);
});

test('a client that does not take its response in time is disconnected, and others are not, nor those that take it bit by bit', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const inBits: ServerResponse[] = [];
  const { client, server } = await aServer(t, (request, response) => {
    if (request.url === '/large') response.end(LARGE);
    else if (request.url === '/in-bits') inBits.push(response);
    else response.end('page');
  });
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const stalled = client();
  const [served] = await accepted;
  const closed = once(served, 'close');
  const acceptedNext = once(server, 'connection') as Promise<[Socket]>;
  const bystander = client();
  const [servedNext] = await acceptedNext;
  client().write('GET /in-bits HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(server, 'request');
  stalled.pause().write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(server, 'request');
  t.mock.timers.tick(WRITE_TIMEOUT_MS);
  assert.equal(served.destroyed, false);
  inBits[0]?.emit('progress');
  bystander.write(REQUEST);
  await once(bystander, 'data');
  t.mock.timers.tick(1000);
  await closed;
  assert.equal(inBits[0]?.socket?.destroyed, false);
  bystander.write(REQUEST);
  await once(bystander, 'data');
  t.mock.timers.tick(WRITE_TIMEOUT_MS + 2000); // idle for so long
  assert.equal(servedNext.destroyed, false);
  assert.equal(inBits[0]?.socket?.destroyed, true);
});

test('a connection that stays idle between two requests is closed', async (t) => {
  const { app } = anApp(t);
  const port = await listen(app);
  assert.equal(app.server.keepAliveTimeout, IDLE_TIMEOUT_MS);
  app.server.keepAliveTimeout = 50;
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  assert.deepEqual(await statusesOn(socket), [200]);
});
