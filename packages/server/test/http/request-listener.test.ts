import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { pino } from 'pino';
import { withOverrides } from '../../../../test/support/an-engine.ts';
import { createRequestListener, type Route } from '../../src/http/request-listener.ts';
import { NO_WAIT } from '../../src/http/waiting-line.ts';
import { anApp, appEngine, listen, sendRaw } from './an-app.ts';

const brokenEngine = withOverrides(appEngine, {
  search: () => {
    throw new Error('secret internals');
  },
});

test('every response has a request id and CORS headers, errors included', async (t) => {
  const { request, post } = anApp(t);
  const responses = [
    await post('query', ''),
    await post('query', 'page=1'),
    await request({ method: 'POST', url: '/api/1/query' }),
    await request('/nothing'),
    await request('/%zz'),
    await request({ method: 'PUT', url: '/api/1/query' }),
    await request({ method: 'OPTIONS', url: '/api/1/query' }),
    await request('/healthz'),
  ];
  for (const { headers } of responses) {
    assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/);
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.match(String(headers['access-control-expose-headers']), /RateLimit, .*Retry-After, X-Request-Id$/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['x-powered-by'], undefined);
  }
});

test("a client's own request id is used if it is plain, and never a key", async (t) => {
  const { post, key } = anApp(t);
  const idFor = async (given: string) => {
    const response = await post('query', 'page=1', { headers: { 'x-request-id': given } });
    assert.equal(response.json().requestId, response.headers['x-request-id']);
    return response.headers['x-request-id'];
  };
  assert.equal(await idFor('trace-1:a.b_c'), 'trace-1:a.b_c');
  for (const odd of ['a b', 'x'.repeat(65), '<script>', key]) assert.notEqual(await idFor(odd), odd);
});

test('a preflight needs no key and allows the key header', async (t) => {
  const { request } = anApp(t);
  const response = await request({
    method: 'OPTIONS',
    url: '/api/1/query',
    headers: {
      origin: 'https://example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-service-key,content-type',
    },
  });
  assert.equal(response.statusCode, 204);
  assert.equal(response.body, '');
  assert.equal(response.headers['access-control-allow-methods'], 'POST, OPTIONS');
  assert.equal(
    response.headers['access-control-allow-headers'],
    'Accept, Content-Type, Traceparent, Tracestate, X-Request-Id, X-Service-Key',
  );
});

test('other methods are 405 with Allow, before the key is checked', async (t) => {
  const { request } = anApp(t);
  for (const endpoint of ['query', 'id', 'reverse']) {
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'] as const) {
      const response = await request({ method: method as 'GET', url: `/api/1/${endpoint}?a=1` });
      assert.equal(response.statusCode, 405, method);
      assert.equal(response.headers.allow, 'POST, OPTIONS');
    }
  }
  const post = await request({ method: 'POST', url: '/healthz' });
  assert.equal(post.statusCode, 405);
  assert.equal(post.headers.allow, 'GET, HEAD, OPTIONS');
});

test('errors are problem+json for clients that accept it', async (t) => {
  const { post } = anApp(t);
  const response = await post('id', '', { headers: { accept: 'application/problem+json, application/json;q=0.5' } });
  const { requestId, ...problem } = response.json();
  assert.equal(response.headers['content-type'], 'application/problem+json; charset=utf-8');
  assert.equal(typeof requestId, 'string');
  assert.deepEqual(problem, {
    type: 'about:blank',
    title: 'Bad Request',
    detail: 'objectID is required, for example objectID=G2988507',
    message: 'objectID is required, for example objectID=G2988507',
    status: 400,
    code: 'missing_option',
  });
});

test('an unexpected error is 500 without details, which are in the log with the request id', async (t) => {
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  const { post } = anApp(t, { engine: () => brokenEngine, log: logger });
  const response = await post('query', 'query=par');
  assert.equal(response.statusCode, 500);
  assert.equal(response.json().code, 'internal');
  assert.equal(response.body.includes('secret'), false);
  const logged = lines.map((line) => JSON.parse(line)).find((line) => line.err !== undefined);
  assert.equal(logged.err.message, 'secret internals');
  assert.equal(logged.reqId, response.json().requestId);
});

test('no key and no search text reaches the log or an error message, wherever the key was put', async (t) => {
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const { request, post, key } = anApp(t, { log: logger });
  const responses = [
    await post('query', 'query=hiddenterm'),
    await post('query', `type=${key}`),
    await post('query', `${key}=1`),
    await post('query', `${key}=%zz`),
    await post('query', '', { url: `/api/1/query?key=${key}` }),
    await post('query', '', { headers: { 'x-request-id': key } }),
    await request(`/api/1/${key}`),
    await request(`/api/1/${key.replace('_', '%5F')}`),
    await request(`/api/1/${key.replace('_', '%255f').replace('tp', '%74%70')}`),
    await post('query', `countries=${key}`, { headers: { 'content-type': `text/${key}` } }),
  ];
  for (const answer of responses) assert.equal(answer.body.includes(key), false, answer.body);
  const log = lines.join('');
  assert.equal(lines.length, responses.length);
  assert.equal(log.includes(key.slice(4)), false, log);
  assert.equal(log.includes('hiddenterm'), false);
});

test('of a long path, the log has the start only, without a key that is cut off there', async (t) => {
  const paths: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void paths.push(JSON.parse(line).path) });
  const { request, key } = anApp(t, { log });
  for (const length of [1000, 1005, 1020]) await request(`/${'a'.repeat(length)}${key}${'%25'.repeat(4000)}`);
  assert.deepEqual(
    paths.map((path) => path.length <= 1024 && path.replace(/^\/a+/, '')),
    ['tpk_***', 'tpk_***', 'tpk'],
  );
});

test('metrics count every response by endpoint', async (t) => {
  const heard: [string, number][] = [];
  const onResponse = (endpoint: string, status: number, seconds: number) => {
    assert.ok(seconds >= 0 && seconds < 10);
    heard.push([endpoint, status]);
  };
  const { request, post } = anApp(t, { metrics: { onResponse } });
  await post('query', '');
  await post('id', '');
  await request('/nothing');
  await request({ method: 'OPTIONS', url: '/api/1/query' });
  assert.deepEqual(heard, [
    ['query', 200],
    ['id', 400],
    ['other', 404],
    ['other', 204],
  ]);
});

test('readiness follows the service, health does not', async (t) => {
  let reason: string | undefined = 'the data is being loaded';
  const { request } = anApp(t, { notReadyReason: () => reason });
  const notReady = await request('/readyz');
  assert.deepEqual([notReady.statusCode, notReady.json().code, notReady.json().message], [503, 'not_ready', reason]);
  assert.equal(notReady.headers['retry-after'], '1');
  assert.equal((await request('/healthz')).statusCode, 200);
  reason = undefined;
  const ready = await request('/readyz');
  assert.deepEqual([ready.statusCode, ready.json()], [200, { status: 'ready', data: 'test-1' }]);
});

test('the front page names the data and its licences, and its text is escaped', async (t) => {
  const dataset = { version: '<v1>', places: 1234, attribution: ['A & B'] };
  const engine = withOverrides(appEngine, { dataset });
  const { request } = anApp(t, { engine: () => engine });
  const response = await request('/');
  assert.equal(response.headers['content-type'], 'text/html; charset=utf-8');
  for (const part of ['&lt;v1&gt;', 'A &amp; B', '1,234', 'https://db-ip.com', 'X-Service-Key']) {
    assert.ok(response.body.includes(part), part);
  }
});

test('the front page shows the date of the data and its age on the day of the request', async (t) => {
  const engine = withOverrides(appEngine, { dataset: { version: 'mine-2029-12-01', places: 1, attribution: [] } });
  const { request, clock } = anApp(t, { engine: () => engine });
  assert.match((await request('/')).body, /mine of 1 December 2029 \(31 days old\)\. Version mine-2029-12-01\./);
  clock.nowMs += 86_400_000;
  assert.match((await request('/')).body, /mine of 1 December 2029 \(32 days old\)/);
});

test('an absolute URL is understood, and bytes that do not belong in a URL are refused', async (t) => {
  const { app, key, request } = anApp(t);
  const requestText = (target: string) =>
    `POST ${target} HTTP/1.1\r\nHost: a\r\nX-Service-Key: ${key}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
  assert.match(
    await sendRaw(app, requestText('https://a.test/api/1/query?query=par')),
    /^HTTP\/1\.1 200 .*"query":"par"/s,
  );
  assert.match(await sendRaw(app, requestText('https://a.test?query=par')), /^HTTP\/1\.1 405 /);
  assert.match(await sendRaw(app, requestText('/api/1/query?query=São')), /^HTTP\/1\.1 400 .*"code":"bad_request"/s);
  assert.equal((await request('/?x=1')).statusCode, 200);
});

test('an error after the response was started is logged, and closes only its own connection', async (t) => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const handle: Route['handle'] = (exchange) => {
    exchange.response.writeHead(200, ['content-length', '100']);
    exchange.response.write('half');
    throw new Error('late');
  };
  const listener = createRequestListener([{ method: 'GET', path: '/', handle }], { keyHeader: 'X', log });
  const server = createServer((request, response) => listener(request, response, NO_WAIT));
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await assert.rejects(fetch(`http://127.0.0.1:${port}/`).then((response) => response.text()));
  assert.equal(lines.map((line) => JSON.parse(line)).find(({ err }) => err !== undefined)?.err.message, 'late');
  assert.equal((await fetch(`http://127.0.0.1:${port}/nothing`)).status, 404);
});

test('while the service shuts down, new calls on open connections are 503', async (t) => {
  const { app, key } = anApp(t);
  const head = `POST /api/1/query HTTP/1.1\r\nHost: a\r\nX-Service-Key: ${key}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1\r\n`;
  const socket = connect(await listen(app), '127.0.0.1');
  socket.write(`${head}\r\n`);
  await once(app.server, 'request');
  const closed = app.close();
  socket.write(`&${head}Connection: close\r\n\r\n&`);
  const received = await text(socket);
  await closed;
  assert.deepEqual(received.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 503']);
  assert.match(received, /"code":"draining"/);
  assert.match(received, /\r\nretry-after: 1\r\n/);
});
