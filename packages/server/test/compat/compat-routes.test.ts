import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCidr } from 'toponym-access/address';
import { type Adapter, Parameters } from '../../src/compat/adapter.ts';
import { algoliaPlaces } from '../../src/compat/algolia-places.ts';
import { loadAdapters } from '../../src/compat/compat-routes.ts';
import { ADAPTER_NAMES, type AdapterName } from '../../src/compat/compat-settings.ts';
import { nominatim } from '../../src/compat/nominatim.ts';
import { photon } from '../../src/compat/photon.ts';
import { anApp, LOOPBACK, limitsWith } from '../http/an-app.ts';
import { aCompatApp } from './a-compat-app.ts';

test('without adapters, their paths do not exist', async (t) => {
  const app = anApp(t);
  for (const url of ['/api?q=paris', '/reverse', '/k/x/api', '/photon/api']) {
    assert.equal((await app.request(url)).statusCode, 404, url);
  }
});

test('a key may be a parameter, a part of the path, or in a header', async (t) => {
  const { request, key } = await aCompatApp(t, ['photon']);
  const places = [
    `/api?q=paris&key=${key}`,
    `/api?q=paris&api_key=${key}`,
    `/api?q=paris&x-algolia-api-key=${key}`,
    `/k/${key}/api?q=paris`,
    `/k/${key}/photon/api/?q=paris`,
    { url: '/api?q=paris', headers: { 'x-service-key': key } },
    { url: '/api?q=paris', headers: { 'x-api-key': key } },
  ];
  for (const place of places) {
    const { statusCode, body } = await request(place);
    assert.equal(statusCode, 200, body);
  }
});

test('a missing key is said to be missing, and an unknown one to be unknown', async (t) => {
  const { request } = await aCompatApp(t, ['photon']);
  for (const url of ['/api?q=paris', '/k//api?q=paris', '/api?q=paris&key=']) {
    const { statusCode, body } = await request(url);
    assert.equal(statusCode, 401, url);
    assert.match(JSON.parse(body).message, /as the parameter key of the URL, before the path as in \/k\/KEY\//);
  }
  const { statusCode, body } = await request('/api?q=paris&key=x');
  assert.equal(statusCode, 401);
  assert.match(JSON.parse(body).message, /unknown/);
});

test('a key in the path does not work for the endpoints of the service', async (t) => {
  const { request, key } = await aCompatApp(t, ['photon']);
  const { statusCode } = await request({ method: 'POST', url: `/k/${key}/api/1/query`, payload: '' });
  assert.equal(statusCode, 404);
});

test('calls count for the rate limit, and its error has the shape of the adapter', async (t) => {
  const app = await aCompatApp(t, ['photon'], limitsWith({}, { defaultPerMinute: 2 }));
  assert.equal((await app.get('/api?q=paris')).headers['x-ratelimit-remaining'], '1');
  assert.equal((await app.post('query', 'query=paris')).headers['x-ratelimit-remaining'], '0');
  const { statusCode, body, headers } = await app.get('/api?q=paris');
  assert.equal(statusCode, 429);
  assert.equal(headers['retry-after'], '60');
  assert.match(JSON.parse(body).message, /more than 2 calls/);
});

test('a listener may answer some addresses only', async (t) => {
  const create = await loadAdapters(['photon']);
  const listener = { allowedCallers: [parseCidr('10.0.0.0/8')!], isOpen: false, allowedHosts: [] };
  const app = await aCompatApp(t, ['photon'], {
    findCompatRoutes: (calls) => create(calls, listener),
    trustedProxies: [LOOPBACK],
  });
  assert.equal((await app.get('/api?q=paris', { remoteAddress: '10.1.2.3' })).statusCode, 200);
  const { statusCode, body } = await app.get('/api?q=paris', { remoteAddress: '203.0.113.9' });
  assert.equal(statusCode, 403);
  assert.match(
    JSON.parse(body).message,
    /those of --compat-from, by default private addresses, and you are 203\.0\.113\.9/,
  );
});

test('callers of an open listener need no key, unless they are web pages', async (t) => {
  const create = await loadAdapters(['photon']);
  const listener = { allowedCallers: [LOOPBACK], isOpen: true, allowedHosts: ['geocoder.lan'] };
  const app = await aCompatApp(t, ['photon'], {
    ...limitsWith({}, { defaultPerMinute: 4 }),
    findCompatRoutes: (calls) => create(calls, listener),
  });
  const statusOf = async (url: string, headers = {}) => (await app.request({ url, headers })).statusCode;
  assert.equal(await statusOf('/api?q=paris'), 200);
  assert.equal(await statusOf('/api?q=paris', { origin: 'https://example.com' }), 401);
  assert.equal(await statusOf('/api?q=paris&key=wrong'), 401, 'a wrong key is said to be wrong');
  assert.equal(await statusOf(`/api?q=paris&key=${app.key}`, { origin: 'https://example.com' }), 200);
  assert.equal(await statusOf('/api?q=paris'), 429);
  assert.deepEqual([...app.uses.keys()], [app.keys.find(app.key)?.id], 'only keys of the store have been used');
});

test('an open listener answers addresses, localhost and names of the settings only, lest other names lead to it', async (t) => {
  const create = await loadAdapters(['photon']);
  const answerOf = async (isOpen: boolean, host: string) => {
    const listener = { allowedCallers: [LOOPBACK], isOpen, allowedHosts: ['geocoder.lan'] };
    const app = await aCompatApp(t, [], { findCompatRoutes: (calls) => create(calls, listener) });
    const { statusCode, body } = await app.get('/api?q=paris', { headers: { host } });
    return `${statusCode} ${statusCode === 200 ? '' : JSON.parse(body).message}`;
  };
  for (const host of [
    '127.0.0.1',
    '192.168.1.2:2322',
    '[fd00::1]:2322',
    'localhost:2322',
    'Geocoder.lan.',
    'geocoder.lan:80',
  ])
    assert.equal(await answerOf(true, host), '200 ', host);
  for (const host of ['example.com', 'localhost.example.com', 'geocoder.lan.example.com:2322', 'a@localhost'])
    assert.equal(
      await answerOf(true, host),
      `421 this port needs no key, so it answers only addresses, localhost and the names of --compat-hosts, and this call is for ${JSON.stringify(host)}`,
    );
  assert.equal(await answerOf(false, 'example.com'), '200 ', 'a key keeps strangers out');
});

test('an adapter with a path that a later one has too says which calls it means, so that the later one gets any', () => {
  const adapters: Readonly<Record<AdapterName, Adapter>> = { places: algoliaPlaces, nominatim, photon };
  const endpoints = ADAPTER_NAMES.flatMap((name) => adapters[name].endpoints);
  const shared = endpoints.filter(({ path }, i) => endpoints.findLastIndex((other) => other.path === path) > i);
  assert.deepEqual(
    shared.map(({ path, ownParameters }) => [path, ownParameters !== undefined]),
    [
      ['/reverse', true],
      ['/status', true],
    ],
  );
});

test('before a call is admitted, its parameters are not parsed, whatever they are', async (t) => {
  const parsed = t.mock.method(Parameters.prototype, 'add').mock;
  const create = await loadAdapters(['photon', 'nominatim']);
  const allowed = { allowedCallers: [LOOPBACK], isOpen: false, allowedHosts: [] };
  const app = await aCompatApp(t, [], {
    ...limitsWith({}, { defaultPerMinute: 5 }),
    findCompatRoutes: (calls) => create(calls, allowed),
    trustedProxies: [LOOPBACK],
  });
  const nonsense = ['%&', '%41&', 'a=b&', '&', 'format&', 'key=%&'].map((pair) => pair.repeat(15_000 / pair.length));
  const statusOf = async (url: string, remoteAddress?: string) =>
    (await app.request({ url, remoteAddress })).statusCode;
  for (const pairs of nonsense) assert.equal(await statusOf(`/reverse?key=${app.key}&${pairs}`, '203.0.113.9'), 403);
  for (const [i, pairs] of nonsense.entries())
    assert.equal(await statusOf(`/reverse?${pairs}`), i < 5 ? 401 : 429, pairs.slice(0, 9));
  assert.equal(await statusOf(`/reverse?q=%&key=${app.key}`), 429);
  assert.equal(parsed.callCount(), 0);
});

test('of an admitted call, the first bad escape and the parameter after 200 end the parsing', async (t) => {
  const parsed = t.mock.method(Parameters.prototype, 'add').mock;
  const { get } = await aCompatApp(t, ['photon']);
  const messageOf = async (url: string) => {
    const { statusCode, body } = await get(url);
    assert.equal(statusCode, 400);
    return JSON.parse(body).message;
  };
  assert.match(await messageOf(`/api?a=b&${'%&'.repeat(5000)}`), /"%" is not a percent escape/);
  assert.equal(parsed.callCount(), 1);
  assert.equal(await messageOf(`/api?${'a&'.repeat(5000)}`), 'a request may have at most 200 parameters');
  assert.equal(parsed.callCount(), 1 + 201);
  assert.equal((await get(`/api?q=paris${'&a=%41'.repeat(198)}`)).statusCode, 200);
});

test('no cache keeps a response, because it is for one key and one language', async (t) => {
  const app = await aCompatApp(t, ['photon'], { serviceName: 'Acme' });
  for (const url of ['/api?q=paris', '/api', '/api?q=%zz']) {
    for (const { headers } of [await app.get(url), await app.request(url)]) {
      assert.equal(headers['cache-control'], 'private, no-store');
      assert.equal(headers.vary, 'X-Acme-Key, X-Api-Key, X-Algolia-API-Key, Accept-Language');
    }
  }
});

test('the last value of a parameter is the key, and an empty one is none', async (t) => {
  const { request, key } = await aCompatApp(t, ['photon']);
  const statusOf = async (pairs: string) => (await request(`/api?${pairs}&q=paris`)).statusCode;
  assert.equal(await statusOf(`key=x&key=${key}`), 200);
  assert.equal(await statusOf(`key=${key}&key=x`), 401);
  assert.equal(await statusOf(`key=&api_key=${key}`), 200);
  assert.equal(await statusOf(`monkey=${key}`), 401);
});

test('a key in a URL may be escaped', async (t) => {
  const { request, key } = await aCompatApp(t, ['photon']);
  const escaped = key.replace('_', '%5F');
  for (const url of [`/api?q=paris&key=${escaped}`, `/k/${escaped}/api?q=paris`]) {
    assert.equal((await request(url)).statusCode, 200, url);
  }
});

test('a call with a bad escape needs a key and counts for the limit', async (t) => {
  const app = await aCompatApp(t, ['photon'], limitsWith({}, { defaultPerMinute: 2 }));
  assert.equal((await app.request('/api?q=%zz')).statusCode, 401);
  assert.equal((await app.get('/api?q=%zz')).statusCode, 400);
  assert.equal((await app.get('/api?q=%zz')).statusCode, 429);
});

test('a page of the same origin may use a key that is limited to it, although browsers send no Origin with GET', async (t) => {
  const app = await aCompatApp(t, ['photon']);
  const key = app.createKey({ allowedOrigins: ['https://places.example.com'] });
  const url = `/api?q=paris&key=${key}`;
  const statusFrom = async (host: string, site: string) =>
    (await app.request({ url, headers: { host, 'sec-fetch-site': site } })).statusCode;
  assert.equal(await statusFrom('places.example.com', 'same-origin'), 200);
  assert.equal(await statusFrom('places.example.com', 'cross-site'), 403);
  assert.equal(await statusFrom('other.example.com', 'same-origin'), 403);
});

test('a listener of adapters only has no other path', async (t) => {
  const app = await aCompatApp(t, ['photon'], { isCompatOnly: true });
  assert.equal((await app.get('/api?q=paris')).statusCode, 200);
  for (const url of ['/', '/healthz', '/openapi.json']) assert.equal((await app.request(url)).statusCode, 404, url);
  assert.equal((await app.post('query', 'query=paris')).statusCode, 404);
});

test('an error of the method or the path has the shape of the adapter', async (t) => {
  const { request, key } = await aCompatApp(t, ['photon']);
  const { statusCode, body, headers } = await request({ method: 'DELETE', url: `/k/${key}/api?q=paris` });
  assert.equal(statusCode, 405);
  assert.equal(headers.allow, 'GET, HEAD, OPTIONS');
  assert.deepEqual(JSON.parse(body), { message: 'DELETE is not supported here; use GET, HEAD, OPTIONS' });
  assert.equal((await request(`/k/${key}/%ff/api`)).statusCode, 400);
});

test('metrics count the calls of each adapter', async (t) => {
  const counted: string[] = [];
  const metrics = { onResponse: (endpoint: string, status: number) => counted.push(`${endpoint} ${status}`) };
  const { get, request } = await aCompatApp(t, ['photon', 'nominatim'], { metrics });
  await get('/reverse?lat=48.9&lon=2.3');
  await get('/reverse?lat=48.9&lon=2.3&format=json');
  await request('/reverse?format=json');
  await request({ method: 'DELETE', url: '/reverse' });
  assert.deepEqual(counted, ['photon 200', 'nominatim 200', 'nominatim 401', 'photon 405']);
});

test('web pages may send keys in headers', async (t) => {
  const { request } = await aCompatApp(t, ['photon']);
  const { statusCode, headers } = await request({ method: 'OPTIONS', url: '/api' });
  assert.equal(statusCode, 204);
  assert.match(String(headers['access-control-allow-headers']), /X-Service-Key, X-Api-Key/);
});
