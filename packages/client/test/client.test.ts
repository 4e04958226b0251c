import assert from 'node:assert/strict';
import { test } from 'node:test';
import { servePlainHttp } from '../../gazetteer/test/fetch/file-server.ts';
import { createClient, ToponymError } from '../src/client.ts';
import { aClient } from './fake-service.ts';

const RATE_LIMITED = { message: 'too many calls', status: 429, code: 'rate_limited', requestId: 'r-1' };
const HITS = { hits: [], nbHits: 0 };

/** Returns a function that returns the error of the call; undefined while the call lasts. */
function failureOf(call: Promise<unknown>): () => ToponymError | undefined {
  let failure: ToponymError | undefined;
  call.catch((error: ToponymError) => {
    failure = error;
  });
  return () => failure;
}

test('a call sends the key and its options as a form', async (t) => {
  const { client, calls } = aClient(t);
  const found = client.query('par', {
    countries: ['fr', 'be'],
    type: 'city',
    aroundLatLng: { lat: 48.85, lng: 2.35 },
    insideBoundingBox: [47, 1, 49, 3],
    typoTolerance: false,
    language: undefined,
  });
  const [call] = calls;
  assert.equal(call?.url, 'https://places.test/api/1/query');
  assert.deepEqual(call?.init.headers, { 'X-Service-Key': 'tpk_1' });
  assert.deepEqual(call?.form, {
    query: 'par',
    countries: 'fr,be',
    type: 'city',
    aroundLatLng: '48.85,2.35',
    insideBoundingBox: '47,1,49,3',
    typoTolerance: 'false',
  });
  await call?.respond(200, HITS);
  assert.deepEqual(await found, HITS);
});

test('get and reverse call their endpoints', async (t) => {
  const { client, calls } = aClient(t, { url: 'https://places.test/geo/', keyHeader: 'X-Acme-Key' });
  client.get('G1', { language: 'it' });
  client.reverse({ lat: 1, lng: -2.5 }, { mode: 'containing' });
  assert.deepEqual(
    calls.map(({ url, form }) => ({ url, form })),
    [
      { url: 'https://places.test/geo/api/1/id', form: { objectID: 'G1', language: 'it' } },
      { url: 'https://places.test/geo/api/1/reverse', form: { aroundLatLng: '1,-2.5', mode: 'containing' } },
    ],
  );
  assert.deepEqual(calls[0]?.init.headers, { 'X-Acme-Key': 'tpk_1' });
});

const OPTION_ERROR = {
  message: 'mode: must be nearest or containing, got "near"',
  status: 400,
  code: 'invalid_option',
  requestId: 'r-7',
};
for (const [what, { status, body, expected }] of Object.entries({
  'an error of the API has its code, request id and option': {
    ...{ status: 400, body: OPTION_ERROR },
    expected: { code: 'invalid_option', message: OPTION_ERROR.message, requestId: 'r-7', option: 'mode' },
  },
  "a proxy's JSON error is an http_error": {
    ...{ status: 404, body: '{"code":404,"message":"no route"}' },
    expected: { code: 'http_error', message: 'the service answered with status 404', requestId: 'r-8' },
  },
  "a proxy's error page is an http_error": {
    ...{ status: 502, body: '<h1>Bad Gateway</h1>' },
    expected: { code: 'http_error', message: 'the service answered with status 502', requestId: 'r-8' },
  },
  'a success that is not JSON is an invalid_response': {
    ...{ status: 200, body: '<h1>Welcome</h1>' },
    expected: { code: 'invalid_response', message: 'the service answered with status 200', requestId: 'r-8' },
  },
})) {
  test(what, async (t) => {
    const { client, calls } = aClient(t, { retries: 0 });
    const failure = failureOf(client.query('par'));
    await calls[0]?.respond(status, body, { 'x-request-id': 'r-8' });
    const error = failure();
    assert.ok(error instanceof ToponymError);
    const { code, message, requestId, option, retryAfterSeconds } = error;
    assert.deepEqual(
      { code, message, status: error.status, requestId, option, retryAfterSeconds },
      { option: undefined, retryAfterSeconds: undefined, status, ...expected },
    );
  });
}

for (const status of [429, 502, 503, 504]) {
  test(`a call that gets ${status} is tried again`, async (t) => {
    const { client, calls, advance } = aClient(t);
    const found = client.query('par');
    await calls[0]?.respond(status, RATE_LIMITED);
    assert.equal(calls.length, 1);
    await advance(250);
    await calls[1]?.respond(200, HITS);
    assert.deepEqual(await found, HITS);
  });
}

for (const status of [400, 401, 403, 404, 500]) {
  test(`a call that gets ${status} fails at once`, async (t) => {
    const { client, calls } = aClient(t);
    const failure = failureOf(client.query('par'));
    await calls[0]?.respond(status, { ...RATE_LIMITED, status });
    assert.equal(failure()?.status, status);
  });
}

test('a network error is tried again twice, then has the code network and its cause', async (t) => {
  const { client, calls, advance } = aClient(t);
  const failure = failureOf(client.query('par'));
  const cause = new TypeError('fetch failed');
  await calls[0]?.fail(cause);
  await advance(250);
  await calls[1]?.fail(cause);
  await advance(500);
  assert.equal(failure(), undefined);
  await calls[2]?.fail(cause);
  const error = failure() as ToponymError;
  assert.deepEqual([error.code, error.status, error.cause, calls.length], ['network', undefined, cause, 3]);
});

test('the waits between tries double, and half of each is random', async (t) => {
  const { client, calls, advance } = aClient(t, { retries: 3 });
  failureOf(client.query('par'));
  for (const [i, [random, waitMs]] of (
    [
      [0, 125],
      [0.5, 375],
      [0, 500],
    ] as const
  ).entries()) {
    t.mock.method(Math, 'random', () => random);
    await calls[i]?.respond(503, RATE_LIMITED);
    await advance(waitMs - 1);
    assert.equal(calls.length, i + 1);
    await advance(1);
    assert.equal(calls.length, i + 2);
  }
});

for (const [form, header, waitMs] of [
  ['in seconds', '7', 7000],
  ['as a date', new Date(Date.UTC(2026, 0, 1, 0, 0, 7)).toUTCString(), 7000],
  ['only if it can be read', 'soon', 250],
] as const) {
  test(`a retry waits for Retry-After ${form}`, async (t) => {
    t.mock.method(Math, 'random', () => 1);
    const { client, calls, advance } = aClient(t);
    failureOf(client.query('par'));
    await calls[0]?.respond(429, RATE_LIMITED, { 'retry-after': header });
    await advance(waitMs - 1);
    assert.equal(calls.length, 1);
    await advance(1);
    assert.equal(calls.length, 2);
  });
}

test('a Retry-After of more than 10 seconds ends in the error at once', async (t) => {
  const { client, calls } = aClient(t);
  const failure = failureOf(client.query('par'));
  await calls[0]?.respond(429, RATE_LIMITED, { 'retry-after': '11' });
  const { code, retryAfterSeconds } = failure() as ToponymError;
  assert.deepEqual([code, retryAfterSeconds], ['rate_limited', 11]);
});

test('a call without a response in time fails with the code timeout, and is not tried again', async (t) => {
  const { client, calls, advance } = aClient(t, { timeoutMs: 3000 });
  const failure = failureOf(client.query('par'));
  await advance(2999);
  assert.equal(failure(), undefined);
  await advance(1);
  const error = failure() as ToponymError;
  assert.deepEqual([error.code, error.status, calls.length], ['timeout', undefined, 1]);
  assert.ok(error.cause instanceof DOMException);
});

test('without a time limit a call waits, and a time limit that is not above 0 is refused', async (t) => {
  const { client, calls, advance } = aClient(t, { timeoutMs: Number.POSITIVE_INFINITY });
  const failure = failureOf(client.query('par'));
  await advance(1);
  assert.equal(failure(), undefined);
  await calls[0]?.respond(200, HITS);
  for (const timeoutMs of [Number.NaN, 0, -1]) {
    const message = `timeoutMs must be above 0, got ${timeoutMs}`;
    await assert.rejects(client.query('par', { timeoutMs }), { name: 'TypeError', message });
  }
  assert.equal(calls.length, 1);
});

test('a call may have its own time limit and number of retries', async (t) => {
  const { client, calls, advance } = aClient(t);
  const slow = failureOf(client.query('par', { timeoutMs: 5 }));
  await advance(5);
  assert.equal(slow()?.code, 'timeout');
  const refused = failureOf(client.query('par', { retries: 0 }));
  await calls[1]?.respond(503, RATE_LIMITED);
  assert.equal(refused()?.status, 503);
  assert.deepEqual(calls[1]?.form, { query: 'par' });
});

test('an aborted signal makes no call and rejects with its reason', async (t) => {
  const { client, calls } = aClient(t);
  const reason = new Error('the page was left');
  await assert.rejects(client.query('par', { signal: AbortSignal.abort(reason) }), reason);
  assert.equal(calls.length, 0);
});

test('an abort ends the call with the reason of the signal', async (t) => {
  const { client, calls } = aClient(t);
  const controller = new AbortController();
  const found = client.query('par', { signal: controller.signal });
  controller.abort();
  await assert.rejects(found, { name: 'AbortError' });
  assert.equal(calls[0]?.init.signal.aborted, true);
});

test('an abort ends the wait for the next try at once', async (t) => {
  const { client, calls, advance } = aClient(t);
  const controller = new AbortController();
  const found = client.query('par', { signal: controller.signal });
  await calls[0]?.respond(429, RATE_LIMITED, { 'retry-after': '7' });
  const reason = new Error('the page was left');
  controller.abort(reason);
  await assert.rejects(found, reason);
  await advance(60_000);
  assert.equal(calls.length, 1);
});

test('a result that arrives after the abort is dropped', async () => {
  const controller = new AbortController();
  const arrived = Promise.withResolvers<Response>();
  // ignores the signal, so that only the client can drop the result
  const client = createClient({ url: 'https://places.test', key: 'tpk_1', fetch: () => arrived.promise });
  const found = client.query('par', { signal: controller.signal });
  controller.abort();
  arrived.resolve(Response.json(HITS));
  await assert.rejects(found, { name: 'AbortError' });
});

test('a redirect is refused, and the other server gets nothing', async (t) => {
  const paths: (string | undefined)[] = [];
  const url = await servePlainHttp(t, (request, response) => {
    paths.push(request.url);
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  const client = createClient({ url: url.href, key: 'tpk_1', retries: 0 });
  await assert.rejects(client.query('par'), { name: 'ToponymError', code: 'network' });
  assert.deepEqual(paths, ['/api/1/query']);
});
