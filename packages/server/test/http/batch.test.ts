/** The endpoint batch, over real connections. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import type { NewKeyFields } from 'toponym-access/keys/key-record';
import { waitUntil } from '../../../../test/support/deadline.ts';
import type { AppOptions } from '../../src/http/app.ts';
import { MAX_OPEN_BATCHES_PER_CALLER } from '../../src/http/batch.ts';
import { anApp, appEngine, LOOPBACK, listen, sendRaw, statusesIn, type TestRequest } from './an-app.ts';

const PARIS = '{"query":"paris","hitsPerPage":1}';
const NDJSON = { 'content-type': 'application/x-ndjson' };

function aBatchApp(t: TestContext, key: Partial<NewKeyFields> = {}, options: Partial<AppOptions> = {}) {
  const app = anApp(t, options, { batch: true, perMinute: 'unlimited', ...key });
  const batch = (body: string, overrides: Partial<TestRequest> = {}) =>
    app.post('batch', body, { ...overrides, headers: { ...NDJSON, ...overrides.headers } });
  return { ...app, batch };
}

// biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it expects
function linesOf(body: string): any[] {
  assert.ok(body.endsWith('\n'), 'the last line is complete');
  return body
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line));
}

function linesOfBatch(count: number, line = PARIS): string {
  return `${line}\n`.repeat(count);
}

test('each line gets what the call alone would get, in order, and a bad line does not stop the others', async (t) => {
  const { batch, post } = aBatchApp(t);
  const json = { headers: { 'content-type': 'application/json' } };
  const calls = [
    ['query', '{"query":"paris","aroundLatLng":"33,-95","hitsPerPage":1}'],
    ['query', '{"query":"paris","hitsPerPage":0}'],
    ['reverse', '{"aroundLatLng":"48.9,2.3","mode":"containing"}'],
    ['query', '{"query":"montmartré"}'],
    ['id', '{"objectID":"G4717560","language":"fr"}'],
    ['id', '{"objectID":"G1"}'],
    ['reverse', '{"aroundLatLng":"95,2.3"}'],
    ['query', '{"query":"a","query":"b"}'],
    ['query', '{"query":["paris"]}'],
    ['query', '{"query":"paris","objectId":"G1"}'],
    ['query', '{"query":""}'],
  ] as const;
  const withoutOwn = ({ requestId: _, processingTimeMS: __, ...rest }: Record<string, unknown>) => rest;
  const expected = [];
  for (const [endpoint, line] of calls) expected.push(withoutOwn((await post(endpoint, line, json)).json()));
  const response = await batch(calls.map(([, line]) => line).join('\n'));
  assert.equal(response.statusCode, 200);
  assert.equal(response.headers['content-type'], 'application/x-ndjson');
  const lines = linesOf(response.body);
  assert.deepEqual(lines.map(withoutOwn), expected);
  assert.deepEqual(
    lines.map(({ status = 200 }) => status),
    [200, 400, 200, 200, 200, 404, 400, 400, 400, 400, 200],
  );
  assert.equal(lines[1].requestId, response.headers['x-request-id']);
});

test('lines that are no calls are errors that say what a line needs', async (t) => {
  const { batch } = aBatchApp(t);
  const bad = ['', '[1]', 'null', '{', '7', '{}', '{"type":"city"}', '{"__proto__":{"query":"a"}}'];
  const { body } = await batch(`${PARIS}\r\n${bad.join('\r\n')}\r\n${PARIS}\r\n`);
  const lines = linesOf(body);
  assert.deepEqual(
    lines.map(({ code = 'ok' }) => code),
    ['ok', ...Array(5).fill('invalid_body'), ...Array(2).fill('missing_option'), 'invalid_option', 'ok'],
  );
  assert.match(lines[1].message, /^the line is not JSON, .*; options look like \{"query": "paris"\}$/);
  assert.match(lines[2].message, /^the JSON line must be an object of options such as .*, got an array$/);
  assert.match(lines[6].message, /^a line needs query for a search, aroundLatLng for/);
  const [invalidUtf8] = linesOf((await batch(Buffer.from('{"query":"\xff"}', 'latin1') as unknown as string)).body);
  assert.deepEqual([invalidUtf8.code, invalidUtf8.message], ['invalid_body', 'the JSON line is not UTF-8']);
});

test('a line is parsed once, and one of more than 16 KiB is refused unparsed, between answers to the others', async (t) => {
  const { batch } = aBatchApp(t);
  const lineOf = (length: number) => PARIS.replace('}', `,"language":"${'x'.repeat(length - PARIS.length - 14)}"}`);
  const [longest, tooLong] = [lineOf(16 * 1024), lineOf(16 * 1024 + 1)];
  assert.equal(longest.length, 16 * 1024);
  const parse = t.mock.method(JSON, 'parse').mock;
  const { body } = await batch([PARIS, tooLong, longest, PARIS].join('\n'));
  const parsed = (line: string) => parse.calls.filter(({ arguments: [text] }) => text === line).length;
  assert.deepEqual([PARIS, tooLong, longest].map(parsed), [2, 0, 1]);
  const [first, refused, ...others] = linesOf(body);
  assert.deepEqual([first.nbHits, refused.status, refused.code], [2, 413, 'body_too_large']);
  assert.equal(refused.message, 'a line must not be larger than 16 KiB, got 16385 bytes');
  assert.deepEqual(
    others.map(({ nbHits }) => nbHits),
    [2, 2],
  );
});

test('options in the URL hold for all lines', async (t) => {
  const { batch } = aBatchApp(t);
  const { body } = await batch(`{"query":"paris"}\n{"aroundLatLng":"48,2"}\n{"objectID":"G2988507"}`, {
    url: '/api/1/batch?hitsPerPage=1',
  });
  const [search, reverse, record] = linesOf(body);
  assert.deepEqual([search.hits.length, reverse.hits.length, record.code], [1, 1, 'unknown_option']);
});

test('an empty batch, too many lines, a large body and another Content-Type are refused, and count as one call', async (t) => {
  const { batch, post } = aBatchApp(t, { perMinute: 2000 });
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  const cases: [ReturnType<typeof batch>, number, string, RegExp][] = [
    [batch(''), 400, 'invalid_body', /^the batch is empty; send a line such as \{"query": "paris"\}$/],
    [batch('\r\n'), 400, 'invalid_body', /^the batch is empty/],
    [batch(linesOfBatch(1001)), 413, 'body_too_large', /at most 1000 lines here; got more: send it in parts$/],
    [batch(' '.repeat(512 * 1024 + 1)), 413, 'body_too_large', /^the request body must not be larger than 512 KiB$/],
    [batch(PARIS, form), 415, 'unsupported_media_type', /^Content-Type must be application\/x-ndjson, in UTF-8/],
    [batch(PARIS, { headers: { 'content-encoding': 'gzip' } }), 415, 'unsupported_media_type', /^Content-Type must/],
  ];
  for (const [sent, status, code, message] of cases) {
    const error = (await sent).json();
    assert.deepEqual([error.status, error.code], [status, code]);
    assert.match(error.message, message);
  }
  assert.equal((await post('query', '')).headers['x-ratelimit-remaining'], String(2000 - cases.length - 1));
  const full = await batch(linesOfBatch(1000));
  assert.equal(linesOf(full.body).length, 1000);
});

test('a body of 500 KB that arrives in chunks is read, also while its request waits behind others', async (t) => {
  const { app, key } = aBatchApp(t);
  const lines = `{"query":"paris","hitsPerPage":1,"language":"${'x'.repeat(900)}"}\n`.repeat(500);
  const head = (length: string) =>
    `POST /api/1/batch HTTP/1.1\r\nHost: a\r\nX-Service-Key: ${key}\r\nContent-Type: application/x-ndjson\r\n${length}`;
  const chunk = `${lines.length.toString(16)}\r\n${lines}\r\n0\r\n\r\n`;
  const first = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(8);
  const request = `${first}${head('Transfer-Encoding: chunked\r\nConnection: close')}\r\n\r\n${chunk}`;
  let received = await sendRaw(app, request);
  while (statusesIn(received).at(-1) === 503) received = await sendRaw(app, request); // a busy machine
  assert.equal(received.split('"nbHits":').length - 1, 500);
});

test('keys without the allowance, and bad keys, are refused before the body is read', async (t) => {
  const { batch, createKey, keys, key } = aBatchApp(t, {});
  const refusal = async (other: string) => (await batch(PARIS, { headers: { 'x-service-key': other } })).json();
  const { status, code, message } = await refusal(createKey({ batch: false }));
  assert.deepEqual([status, code], [403, 'batch_not_allowed']);
  assert.match(message, /only keys created with "toponym keys create --batch" may$/);
  assert.equal((await refusal('')).code, 'key_missing');
  assert.equal((await refusal('nonsense')).code, 'key_unknown');
  keys.revoke(keys.find(key)?.id ?? '', 0);
  assert.equal((await refusal(key)).code, 'key_revoked');
});

test('a key that is revoked while the body arrives is refused', async (t) => {
  const { app, keys, key } = aBatchApp(t);
  const socket = connect(await listen(app), '127.0.0.1');
  const started = once(app.server, 'request');
  const body = linesOfBatch(1000); // more than the default limit
  const head = `X-Service-Key: ${key}\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${body.length}`;
  socket.write(`POST /api/1/batch HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${head}\r\n\r\n${body.slice(0, 5)}`);
  await started;
  keys.revoke(keys.find(key)?.id ?? '', 0);
  socket.write(body.slice(5));
  assert.match(await text(socket), /"code":"key_revoked"/);
});

test('lines count as calls: a batch fits into the limit as a whole, or counts nothing', async (t) => {
  const { batch, post, clock } = aBatchApp(t, { perMinute: 100 });
  assert.equal((await batch(linesOfBatch(60))).headers['x-ratelimit-remaining'], '40');
  clock.nowMs += 10_000;
  for (let attempt = 0; attempt < 3; attempt++) {
    const refused = await batch(linesOfBatch(41));
    assert.deepEqual([refused.statusCode, refused.json().code], [429, 'rate_limited']);
    assert.deepEqual([refused.headers['retry-after'], refused.headers['x-ratelimit-remaining']], ['50', '40']);
    assert.equal(
      refused.json().message,
      'the batch has more lines than calls are left: send at most 40 lines now, of 100 calls per 60 seconds; try again in 50 s',
    );
  }
  assert.equal((await batch(linesOfBatch(40))).statusCode, 200);
  assert.equal((await post('query', '')).statusCode, 429);
  clock.nowMs += 50_000;
  assert.equal((await batch(linesOfBatch(60))).statusCode, 200);
  assert.equal((await batch(PARIS)).json().message, 'more than 100 calls in 60 seconds; try again in 10 s');
  const never = (await batch(linesOfBatch(101))).json();
  assert.equal(never.code, 'rate_limited', 'a call over the limit is 429, whatever else is wrong');
  clock.nowMs += 60_000;
  assert.equal(
    (await batch(linesOfBatch(101))).json().message,
    'a batch may have at most 100 lines here, because each counts as a call and the limit of the key is so low; got 101: send it in parts',
  );
});

test('lines count for the quota of the day, all or none', async (t) => {
  const { batch, post } = aBatchApp(t, { perDay: 50 });
  assert.match((await batch(linesOfBatch(30))).headers.ratelimit as string, /^"day";r=20;/);
  const refused = await batch(linesOfBatch(21));
  assert.deepEqual([refused.statusCode, refused.json().code], [429, 'quota_exceeded']);
  assert.match(refused.json().message, /send at most 20 lines now, of 50 calls per day; the day ends at midnight UTC/);
  assert.equal((await batch(linesOfBatch(20))).statusCode, 200);
  assert.equal((await post('query', '')).statusCode, 429);
});

test('each line is a call of its endpoint in the metrics', async (t) => {
  const counted: string[] = [];
  const metrics = { onResponse: (endpoint: string, status: number) => counted.push(`${endpoint} ${status}`) };
  const { batch } = aBatchApp(t, {}, { metrics });
  await batch(`${PARIS}\n{"objectID":"G1"}\n{"aroundLatLng":"1,1"}\n{}`);
  assert.deepEqual(counted, ['query 200', 'id 404', 'reverse 200', 'batch 400', 'batch 200']);
});

test('a line whose search fails is logged and answered as an internal error, and the others go on', async (t) => {
  const logged: string[] = [];
  const engine = { ...appEngine, get: () => assert.fail('broken'), search: appEngine.search.bind(appEngine) };
  const log = pino({ level: 'error' }, { write: (line: string) => logged.push(line) });
  const { batch } = aBatchApp(t, {}, { engine: () => engine, log });
  const lines = linesOf((await batch(`{"objectID":"G1"}\n${PARIS}`)).body);
  assert.deepEqual([lines[0].code, lines[1].nbHits], ['internal', 2]);
  assert.match(logged.join(''), /broken/);
});

/** An application whose searches are counted, and a started batch that nobody reads. */
async function anUnreadBatch(t: TestContext, lines: number) {
  const counts = { searches: 0 };
  const search: typeof appEngine.search = (query) => {
    counts.searches++;
    return appEngine.search(query);
  };
  const engine = { ...appEngine, dataset: appEngine.dataset, search, get: appEngine.get, reverse: appEngine.reverse };
  const app = aBatchApp(t, {}, { engine: () => engine, cacheBytes: 0 });
  const headers = { ...NDJSON, 'x-service-key': app.key };
  const port = await listen(app.app);
  const request = httpRequest({ host: '127.0.0.1', port, method: 'POST', path: '/api/1/batch', headers });
  request.end(`{"query":"paris","language":"${'x'.repeat(400)}"}\n`.repeat(lines));
  request.on('error', () => {});
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { ...app, counts, request, response };
}

test('a client that does not read stops its batch, and gets the rest when it reads', async (t) => {
  const { response, counts, post } = await anUnreadBatch(t, 1000);
  // system buffers hold some of the lines; then the batch waits
  let before = -1;
  await waitUntil('the batch waits', async () => {
    const isWaiting = counts.searches === before;
    before = counts.searches;
    await post('query', 'query=paris');
    before++;
    return isWaiting;
  });
  const received = linesOf(await text(response));
  assert.equal(received.length, 1000);
});

test('a cut connection ends its batch', async (t) => {
  const { request, counts, batch } = await anUnreadBatch(t, 1000);
  request.destroy();
  await waitUntil('the connection is closed', () => request.destroyed);
  await batch(PARIS);
  const { searches } = counts;
  await batch(PARIS);
  assert.equal(counts.searches, searches + 1, 'only the new batch is computed');
  assert.ok(searches < 1000, `${searches} lines were computed`);
});

test('other calls are answered while a batch is computed', async (t) => {
  const order: string[] = [];
  const slow: typeof appEngine.search = (query) => {
    const until = performance.now() + 3;
    while (performance.now() < until);
    order.push(query.text);
    return appEngine.search(query);
  };
  const engine = {
    ...appEngine,
    dataset: appEngine.dataset,
    search: slow,
    get: appEngine.get,
    reverse: appEngine.reverse,
  };
  const { batch, post } = aBatchApp(t, {}, { engine: () => engine, cacheBytes: 0 });
  const answered = batch(linesOfBatch(300));
  await waitUntil('the batch has started', () => order.length > 0);
  for (let i = 0; i < 5; i++) assert.equal((await post('query', `query=other${i}`)).statusCode, 200);
  await answered;
  const others = order.filter((query) => query.startsWith('other'));
  assert.equal(others.length, 5);
  assert.ok(order.lastIndexOf('paris') > order.indexOf('other4'), 'the batch ends last');
});

test('unfinished bodies of one key and address keep neither other keys nor other addresses out', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] }); // lest they are given up as too slow
  const opened: Socket[] = [];
  const closeAll = () => {
    for (const socket of opened) socket.destroy();
  };
  t.after(closeAll); // before the application closes, which waits for them
  const { app, batch, key, createKey } = aBatchApp(t, {}, { trustedProxies: [LOOPBACK] });
  const other = { headers: { 'x-service-key': createKey({ batch: true }) } };
  const port = await listen(app);
  const open = (body: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    const head = `X-Service-Key: ${key}\r\nContent-Type: application/x-ndjson\r\nContent-Length: 20000`;
    socket.write(`POST /api/1/batch HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n${body}`);
    opened.push(socket);
  };
  const started = { count: 0 };
  app.server.on('request', () => started.count++);
  for (let i = 0; i < 40; i++) open('');
  await waitUntil('all have started', () => started.count === 40);
  assert.equal((await batch(PARIS)).statusCode, 200, 'a batch counts from the first bytes of its body');

  for (let i = 0; i < 40; i++) open('{');
  await waitUntil('the share is used up', async () => (await batch(PARIS)).statusCode === 503);
  assert.match(
    (await batch(PARIS)).json().message,
    new RegExp(`^${MAX_OPEN_BATCHES_PER_CALLER} batches of this key and address are open; send the next one when`),
  );
  assert.equal((await batch(PARIS, other)).statusCode, 200);
  assert.equal((await batch(PARIS, { remoteAddress: '192.0.2.1' })).statusCode, 200);
  closeAll();
  await waitUntil('others have ended', async () => (await batch(PARIS)).statusCode === 200);
});

test('a body that arrives as over a slow mobile connection is answered', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { app, key } = aBatchApp(t);
  const body = `${PARIS}${' '.repeat(8000)}\n`.repeat(8);
  const head = `X-Service-Key: ${key}\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${body.length}`;
  const socket = connect(await listen(app), '127.0.0.1');
  const received = text(socket);
  let arrived = 0;
  app.server.prependListener('request', (request) => request.on('data', ({ length }: Buffer) => (arrived += length)));
  socket.write(`POST /api/1/batch HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${head}\r\n\r\n`);
  const part = body.length / 8;
  for (let second = 1; second <= 8; second++) {
    socket.write(body.slice((second - 1) * part, second * part));
    await waitUntil('the part has arrived', () => arrived === second * part);
    t.mock.timers.tick(1000);
  }
  assert.match(await received, /^HTTP\/1\.1 200 /);
});

test('a body that arrives too slowly is given up, before the usual time for requests is over', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { app, batch, key } = aBatchApp(t);
  const line = `${PARIS}\n`;
  const head = `X-Service-Key: ${key}\r\nContent-Type: application/x-ndjson\r\nContent-Length: 20000`;
  const socket = connect(await listen(app), '127.0.0.1');
  const [started] = [once(app.server, 'request')];
  socket.write(`POST /api/1/batch HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n${line}`);
  await started;
  const received = text(socket);
  for (let second = 0; second < 2; second++) t.mock.timers.tick(1000);
  assert.equal((await batch(PARIS)).statusCode, 200);
  assert.equal(socket.readableLength + socket.bytesRead, 0, 'slow for two seconds');
  t.mock.timers.tick(1000);
  assert.match(
    await received,
    /^HTTP\/1\.1 408 .*"message":"the body arrives too slowly; send it faster, or in smaller parts"/s,
  );
});
