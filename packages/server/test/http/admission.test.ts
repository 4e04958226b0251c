import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyText } from 'toponym-access/keys/key-text';
import type { Limits } from 'toponym-access/limits/limits';
import { DAY_MS } from 'toponym-access/limits/quota-table';
import { anApp, LOOPBACK, limitsWith, START_MS, type TestApp, type TestResponse } from './an-app.ts';

function codeOf(response: TestResponse): [number, string] {
  return [response.statusCode, response.json().code];
}

async function exhaust({ post }: TestApp, calls = 60): Promise<void> {
  for (let i = 0; i < calls; i++) assert.notEqual((await post('id', 'objectID=G2988507')).statusCode, 429);
}

test('a call without a key, or with an unknown one, is 401 and names the header', async (t) => {
  const { request, post } = anApp(t);
  const missing = await request({ method: 'POST', url: '/api/1/query' });
  assert.deepEqual(codeOf(missing), [401, 'key_missing']);
  assert.equal(missing.json().message, 'an API key is required; send it in the header X-Service-Key');
  assert.equal(missing.headers['www-authenticate'], 'ApiKey header="X-Service-Key"');
  for (const key of ['nonsense', createKeyText(), 'tpk_', `${'x'.repeat(5000)}`]) {
    const response = await post('query', '', { headers: { 'x-service-key': key } });
    assert.deepEqual(codeOf(response), [401, 'key_unknown']);
    assert.equal(response.body.includes(key), false);
  }
  assert.deepEqual(codeOf(await post('query', '', { headers: { 'x-service-key': '' } })), [401, 'key_missing']);
});

test("the service's name is part of the key header's name", async (t) => {
  const { request, key } = anApp(t, { serviceName: 'Acme' });
  const call = (header: string) => request({ method: 'POST', url: '/api/1/query', headers: { [header]: key } });
  assert.equal((await call('X-Acme-Key')).statusCode, 200);
  assert.equal(
    (await call('X-Service-Key')).json().message,
    'an API key is required; send it in the header X-Acme-Key',
  );
});

test('expired and revoked keys are 403 from the next call on', async (t) => {
  const testApp = anApp(t);
  const { post, clock, key, keys, createKey } = testApp;
  const shortLived = { headers: { 'x-service-key': createKey({ expiresAt: START_MS + 1000 }) } };
  assert.equal((await post('query', '', shortLived)).statusCode, 200);
  clock.nowMs += 1000;
  assert.deepEqual(codeOf(await post('query', '', shortLived)), [403, 'key_expired']);

  assert.equal((await post('query', '')).statusCode, 200);
  keys.revoke(keys.find(key)?.id ?? '', clock.nowMs);
  assert.deepEqual(codeOf(await post('query', '')), [403, 'key_revoked']);
});

test('keys restricted to origins or addresses are 403 from others', async (t) => {
  const { post, createKey } = anApp(t, { trustedProxies: [LOOPBACK] });
  const web = createKey({ allowedOrigins: ['https://example.com'] });
  const from = (key: string, origin?: string, remoteAddress = '127.0.0.1') =>
    post('query', '', { remoteAddress, headers: { 'x-service-key': key, ...(origin && { origin }) } });
  assert.equal((await from(web, 'https://example.com')).statusCode, 200);
  assert.deepEqual(codeOf(await from(web, 'https://evil.test')), [403, 'origin_not_allowed']);
  assert.deepEqual(codeOf(await from(web)), [403, 'origin_not_allowed']);

  const office = createKey({ allowedCidrs: ['192.0.2.0/24'] });
  assert.equal((await from(office, undefined, '::ffff:192.0.2.9')).statusCode, 200);
  assert.deepEqual(codeOf(await from(office, undefined, '198.51.100.1')), [403, 'address_not_allowed']);
});

test('the 61st call within 60 seconds is 429 with the time to wait, across all endpoints', async (t) => {
  const { post, clock } = anApp(t);
  const endpoints = ['query', 'id', 'reverse'];
  for (let i = 0; i < 60; i++) {
    const response = await post(endpoints[i % 3] ?? '', i % 3 === 0 ? 'query=par' : '');
    assert.notEqual(response.statusCode, 429);
    assert.equal(response.headers['x-ratelimit-remaining'], String(59 - i));
    clock.nowMs += 100;
  }
  const response = await post('query', '');
  assert.deepEqual(codeOf(response), [429, 'rate_limited']);
  assert.equal(response.json().message, 'more than 60 calls in 60 seconds; try again in 54 s');
  assert.equal(response.headers['retry-after'], '54');
  assert.equal(response.headers['ratelimit-policy'], '"default";q=60;w=60');
  assert.equal(response.headers.ratelimit, '"default";r=0;t=54');

  clock.nowMs = START_MS + 59_999;
  assert.equal((await post('query', '')).statusCode, 429);
  clock.nowMs = START_MS + 60_000;
  assert.equal((await post('query', '')).statusCode, 200);
  assert.equal((await post('query', '')).statusCode, 429);
});

const LONG = 'x'.repeat(20_000);
const PLAIN_TEXT = { 'content-type': 'text/plain' };
const WRONG_KEY = { 'x-service-key': 'wrong' };
/** Calls with their status, and that with a wrong key. */
const CALLS: [endpoint: string, form: string, headers: Record<string, string>, status: number][] = [
  ['query', 'query=par', {}, 200],
  ['query', 'page=1', {}, 400],
  ['id', 'objectID=G1', {}, 404],
  ['query', '', WRONG_KEY, 401],
  ['query', 'x', PLAIN_TEXT, 415],
  ['query', LONG, {}, 413],
  ['query', 'page=1', WRONG_KEY, 401],
  ['query', LONG, WRONG_KEY, 401],
  ['query', 'x', { ...WRONG_KEY, ...PLAIN_TEXT }, 401],
];

test('every response shows the state of the limit; a wrong key is 401 before a bad body is 400, 413 or 415', async (t) => {
  const { post } = anApp(t);
  for (const [i, [endpoint, form, headers, status]] of CALLS.entries()) {
    const response = await post(endpoint, form, { headers });
    assert.equal(response.statusCode, status, `${endpoint} ${form.slice(0, 20)}`);
    const left = 59 - i;
    const shown = Object.entries(response.headers).filter(([name]) => /ratelimit|retry-after/.test(name));
    assert.deepEqual(Object.fromEntries(shown), {
      'ratelimit-policy': '"default";q=60;w=60',
      ratelimit: `"default";r=${left};t=60`,
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': String(left),
      'x-ratelimit-reset': '60',
    });
  }
});

test('over the limit a call is 429 whatever else is wrong with it', async (t) => {
  const testApp = anApp(t);
  await exhaust(testApp);
  const { request, post } = testApp;
  assert.equal((await request({ method: 'POST', url: '/api/1/query' })).statusCode, 429);
  for (const [endpoint, form, headers] of CALLS) {
    assert.equal((await post(endpoint, form, { headers })).statusCode, 429, `${endpoint} ${form.slice(0, 20)}`);
  }
});

test('calls with a bad key or bad options count; wrong paths, wrong methods and preflights do not', async (t) => {
  const { request, post } = anApp(t);
  for (let i = 0; i < 30; i++) {
    await post('query', 'page=1');
    await request({ method: 'POST', url: '/api/1/query' });
  }
  assert.equal((await request({ method: 'POST', url: '/api/1/nothing' })).statusCode, 404);
  assert.equal((await request({ method: 'GET', url: '/api/1/query' })).statusCode, 405);
  assert.equal((await request({ method: 'OPTIONS', url: '/api/1/query' })).statusCode, 204);
  assert.equal((await post('query', '')).statusCode, 429);

  const fresh = anApp(t);
  for (let i = 0; i < 100; i++) await fresh.request({ method: 'GET', url: '/api/1/query' });
  assert.equal((await fresh.post('query', '')).headers['x-ratelimit-remaining'], '59');
});

test("a key's own limit replaces the 60 calls and is counted separately", async (t) => {
  const testApp = anApp(t);
  const { post, createKey } = testApp;
  const small = { headers: { 'x-service-key': createKey({ perMinute: 2 }) } };
  assert.equal((await post('query', '', small)).headers['ratelimit-policy'], '"key";q=2;w=60');
  assert.equal((await post('query', '', small)).statusCode, 200);
  assert.equal((await post('query', '', small)).json().message, 'more than 2 calls in 60 seconds; try again in 60 s');
  await exhaust(testApp);

  const large = { headers: { 'x-service-key': createKey({ perMinute: 100 }) } };
  for (let i = 0; i < 100; i++) assert.equal((await post('query', '', large)).statusCode, 200);
  assert.equal((await post('query', '', large)).statusCode, 429);
});

test("the service's limit can be another than 60, and the OpenAPI document says so", async (t) => {
  const { post, request, createKey } = anApp(t, limitsWith({}, { defaultPerMinute: 100 }));
  assert.equal((await post('query', '')).headers['x-ratelimit-limit'], '100');
  const own = { headers: { 'x-service-key': createKey({ perMinute: 7 }) } };
  assert.equal((await post('query', '', own)).headers['x-ratelimit-limit'], '7');
  assert.match((await request('/openapi.json')).json().info.description, /may make 100 calls in any 60 seconds/);
});

test('an unlimited key is never refused and its responses show no limit', async (t) => {
  const testApp = anApp(t, {}, { perMinute: 'unlimited' });
  await exhaust(testApp, 100);
  const { headers } = await testApp.post('query', '');
  assert.deepEqual(
    Object.keys(headers).filter((name) => name.includes('ratelimit')),
    [],
  );
});

test('a revoked key with its own limit is limited by address', async (t) => {
  const { post, keys } = anApp(t, {}, { perMinute: 'unlimited' });
  keys.revoke(keys.list()[0]?.id ?? '', START_MS);
  for (let i = 0; i < 60; i++) assert.equal((await post('query', '')).statusCode, 403);
  assert.equal((await post('query', '')).statusCode, 429);
});

test('each address has its own limit; IPv6 addresses are grouped by /64', async (t) => {
  const testApp = anApp(t, { trustedProxies: [LOOPBACK] });
  await exhaust(testApp);
  const left = async (remoteAddress: string) =>
    (await testApp.post('query', '', { remoteAddress })).headers['x-ratelimit-remaining'];
  assert.equal(await left('::ffff:127.0.0.1'), '0');
  assert.equal(await left('192.0.2.1'), '59');
  assert.equal(await left('2001:db8::1'), '59');
  assert.equal(await left('2001:db8::ffff:2'), '58');
  assert.equal(await left('2001:db8:0:1::1'), '59');
});

test('X-Forwarded-For gives a limit of its own only through a trusted proxy', async (t) => {
  for (const [trustedProxies, left] of [
    [[], '0'],
    [[LOOPBACK], '59'],
  ] as const) {
    const testApp = anApp(t, { trustedProxies });
    await exhaust(testApp);
    const { headers } = await testApp.post('query', '', { headers: { 'x-forwarded-for': '203.0.113.1' } });
    assert.equal(headers['x-ratelimit-remaining'], left);
  }
});

test("the time of a key's last use is recorded", async (t) => {
  const { post, keys, uses, clock } = anApp(t);
  clock.nowMs += 5000;
  await post('query', '');
  assert.deepEqual([...uses], [[keys.list()[0]?.id, START_MS + 5000]]);
});

const WHOLE_DAY = String(DAY_MS / 1000);

test('a quota counts the calls of a key on a UTC day from all addresses, also failed ones', async (t) => {
  const { post, clock } = anApp(t, { trustedProxies: [LOOPBACK] }, { perDay: 3 });
  assert.equal((await post('query', '', { remoteAddress: '192.0.2.1' })).statusCode, 200);
  assert.equal((await post('query', 'page=1', { remoteAddress: '192.0.2.2' })).statusCode, 400);
  assert.equal((await post('query', '', { remoteAddress: '2001:db8::1' })).statusCode, 200);
  clock.nowMs = START_MS + DAY_MS - 90_500;
  const refused = await post('query', '', { remoteAddress: '192.0.2.3' });
  assert.deepEqual(codeOf(refused), [429, 'quota_exceeded']);
  assert.equal(
    refused.json().message,
    "the key's daily quota of 3 calls is used up; the day ends at midnight UTC, in 91 s",
  );
  assert.equal(refused.headers['retry-after'], '91');
  clock.nowMs = START_MS + DAY_MS - 1;
  assert.equal((await post('query', '')).headers['retry-after'], '1');
  clock.nowMs = START_MS + DAY_MS;
  assert.equal((await post('query', '')).statusCode, 200);
});

test('the headers of a key with a quota show both limits; the X- headers show that of the minute', async (t) => {
  const { post, createKey } = anApp(t);
  const key = createKey({ perMinute: 2, perDay: 1 });
  const call = async () => {
    const { headers } = await post('query', '', { headers: { 'x-service-key': key } });
    const shown = Object.entries(headers).filter(([name]) => /ratelimit|retry/.test(name));
    return Object.fromEntries(shown);
  };
  const policies = '"key";q=2;w=60, "day";q=1;w=86400';
  const minute = (left: number) => ({
    'x-ratelimit-limit': '2',
    'x-ratelimit-remaining': String(left),
    'x-ratelimit-reset': '60',
  });
  assert.deepEqual(await call(), {
    'ratelimit-policy': policies,
    ratelimit: `"key";r=1;t=60, "day";r=0;t=${WHOLE_DAY}`,
    ...minute(1),
  });
  assert.deepEqual(await call(), {
    'ratelimit-policy': policies,
    ratelimit: `"key";r=0;t=60, "day";r=0;t=${WHOLE_DAY}`,
    ...minute(0),
    'retry-after': WHOLE_DAY,
  });
  // the limit of the minute refuses this call, so the quota is not asked
  assert.deepEqual(await call(), {
    'ratelimit-policy': policies,
    ratelimit: '"key";r=0;t=60',
    ...minute(0),
    'retry-after': '60',
  });
});

test('calls that the limit of the minute refuses do not use up the quota', async (t) => {
  const { post, clock, createKey } = anApp(t);
  const options = { headers: { 'x-service-key': createKey({ perMinute: 1, perDay: 2 }) } };
  assert.equal((await post('query', '', options)).statusCode, 200);
  for (let i = 0; i < 5; i++) assert.deepEqual(codeOf(await post('query', '', options)), [429, 'rate_limited']);
  clock.nowMs += 60_000;
  assert.equal((await post('query', '', options)).statusCode, 200);
  clock.nowMs += 60_000;
  assert.deepEqual(codeOf(await post('query', '', options)), [429, 'quota_exceeded']);
});

test('a key without a limit per minute can have a quota', async (t) => {
  const { post } = anApp(t, {}, { perMinute: 'unlimited', perDay: 100 });
  for (let i = 0; i < 100; i++) assert.equal((await post('query', '')).statusCode, 200);
  const { headers, statusCode } = await post('query', '');
  assert.equal(statusCode, 429);
  assert.equal(headers['ratelimit-policy'], '"day";q=100;w=86400');
  assert.equal(headers.ratelimit, `"day";r=0;t=${WHOLE_DAY}`);
  assert.equal(headers['x-ratelimit-limit'], undefined);
});

test('a call that is refused for its key does not use up the quota, and a used-up quota does not hide why', async (t) => {
  const { post, keys, clock, createKey } = anApp(t, { trustedProxies: [LOOPBACK] });
  const key = createKey({ perDay: 1, allowedCidrs: ['192.0.2.0/24'] });
  const from = (remoteAddress: string) => post('query', '', { remoteAddress, headers: { 'x-service-key': key } });
  assert.deepEqual(codeOf(await from('198.51.100.1')), [403, 'address_not_allowed']);
  assert.equal((await from('192.0.2.1')).statusCode, 200);
  assert.deepEqual(codeOf(await from('198.51.100.1')), [403, 'address_not_allowed']);
  keys.revoke(keys.find(key)?.id ?? '', clock.nowMs);
  assert.deepEqual(codeOf(await from('192.0.2.1')), [403, 'key_revoked']);
});

test('a call whose limit or quota is decided later is refused if its key is revoked or expires meanwhile', async (t) => {
  for (const method of ['takeCall', 'takeDailyCall'] as const) {
    const decisions: (() => void)[] = [];
    const waiting = Promise.withResolvers<void>();
    const take = (_call: unknown, decide: Parameters<Limits['takeCall']>[1]) => {
      const allowance = { accepted: true, limit: 60, remaining: 1, resetMs: 1000, retryAfterMs: 0 };
      decisions.push(() => decide(allowance, false));
      if (decisions.length === 2) waiting.resolve();
    };
    const { post, keys, createKey, clock } = anApp(t, limitsWith({ [method]: take }));
    const [revoked, expiring] = [{}, { expiresAt: START_MS + 1 }].map((fields) => createKey({ perDay: 2, ...fields }));
    const codes = [revoked, expiring].map(async (key = '') =>
      codeOf(await post('query', '', { headers: { 'x-service-key': key } })),
    );
    await waiting.promise;
    keys.revoke(keys.find(revoked ?? '')?.id ?? '', clock.nowMs);
    clock.nowMs += 1;
    for (const decide of decisions) decide();
    const refused = [
      [403, 'key_revoked'],
      [403, 'key_expired'],
    ];
    assert.deepEqual(await Promise.all(codes), refused, method);
  }
});

test('a key is looked up once for a call that is decided at once', async (t) => {
  const app = anApp(t);
  const find = t.mock.fn((keyText: string) => app.keys.find(keyText));
  const { post } = anApp(t, { keys: { find, touch: () => {} } });
  const key = app.createKey({ perDay: 1 });
  const statusOf = async () => (await post('query', '', { headers: { 'x-service-key': key } })).statusCode;
  assert.deepEqual([await statusOf(), await statusOf()], [200, 429]);
  assert.equal(find.mock.callCount(), 2);
});

test('a call that has waited for its limit in vain does not wait for its quota, too', async (t) => {
  const allowance = { accepted: true, limit: 60, remaining: 1, resetMs: 1000, retryAfterMs: 0 };
  const takeCall: Limits['takeCall'] = (_call, decide) => setImmediate(() => decide(allowance, true));
  const mayWait: boolean[] = [];
  const takeDailyCall: Limits['takeDailyCall'] = ({ gaveUpOnRedis }, decide) => {
    mayWait.push(gaveUpOnRedis !== true);
    decide(allowance, false);
  };
  const { post } = anApp(t, limitsWith({ takeCall, takeDailyCall }), { perDay: 2 });
  assert.equal((await post('query', '')).statusCode, 200);
  assert.deepEqual(mayWait, [false]);
});

test('a call whose limit or quota cannot be decided is 500', async (t) => {
  const failing = (_call: unknown, _decide: unknown, fail: (error: Error) => void) => {
    setImmediate(() => fail(new Error('made to fail')));
  };
  const limited = anApp(t, limitsWith({ takeCall: failing }));
  assert.deepEqual(codeOf(await limited.post('query', '')), [500, 'internal']);
  const withQuota = anApp(t, limitsWith({ takeDailyCall: failing }), { perDay: 2 });
  assert.deepEqual(codeOf(await withQuota.post('query', '')), [500, 'internal']);
});
