import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from 'toponym-engine/engine';
import { anEngine, withOverrides } from '../../../../../test/support/an-engine.ts';
import type { ByteString } from '../../../src/http/response/json-writer.ts';
import { ResponseCache, withProcessingTime } from '../../../src/http/response/response-cache.ts';
import { anApp, appEngine, MONTMARTRE, PARIS } from '../an-app.ts';

/** An engine that counts its searches. */
function countingEngine(): { engine: Engine; searches: () => number } {
  let count = 0;
  const search: Engine['search'] = (query) => {
    count++;
    return appEngine.search(query);
  };
  return { engine: withOverrides(appEngine, { search }), searches: () => count };
}

test('a repeated request gets the same response without a search, except for the processing time', async (t) => {
  const { engine, searches } = countingEngine();
  const { post } = anApp(t, { engine: () => engine });
  const withoutTime = ({ processingTimeMS: _, ...response }: Record<string, unknown>) => response;
  const bodies = [
    'query=par',
    'query=Par',
    'query=montmartre',
    'query=par&hitsPerPage=1',
    'query=par&type=town',
    'query=,',
  ];
  for (const [i, body] of bodies.entries()) {
    const first = (await post('query', body)).json();
    assert.equal(searches(), i + 1, body);
    const second = (await post('query', body)).json();
    assert.deepEqual(withoutTime(first), withoutTime(second), body);
    assert.equal(typeof second.processingTimeMS, 'number');
    assert.equal(searches(), i + 1, body);
  }
  const towns = (await post('query', 'query=par&type=town')).json();
  assert.deepEqual([towns.params, towns.hits.length], ['query=par&type=town&hitsPerPage=20', 1]);
  assert.equal((await post('query', 'query=par')).json().hits.length, 2);
});

test('requests with and without typo tolerance or a box do not share a response', async (t) => {
  const { post } = anApp(t);
  const countHits = async (options: string) => (await post('query', options)).json().hits.length;
  for (let i = 0; i < 3; i++) {
    assert.equal(await countHits('query=montmartrr'), 1);
    assert.equal(await countHits('query=montmartrr&typoTolerance=false'), 0);
    assert.equal(await countHits('query=par'), 2);
    assert.equal(await countHits('query=par&insideBoundingBox=48,2,49,3'), 1);
  }
});

test('the same bytes as URL, form and JSON are different requests', async (t) => {
  const { request, post, key } = anApp(t);
  for (let i = 0; i < 3; i++) assert.equal((await post('query', 'query=par')).json().query, 'par');
  const headers = { 'x-service-key': key, 'content-type': 'application/json' };
  const asJson = await request({ method: 'POST', url: '/api/1/query', headers, payload: 'query=par' });
  assert.equal(asJson.statusCode, 400);
  const inUrl = await request({ method: 'POST', url: '/api/1/query?query=mont', headers: { 'x-service-key': key } });
  assert.equal(inUrl.json().query, 'mont');
});

test('a key with fewer records per response does not get the response of another key', async (t) => {
  const { post, createKey } = anApp(t);
  const frugal = createKey({ maxRecords: 1 });
  for (let i = 0; i < 3; i++) assert.equal((await post('query', 'query=par')).json().hits.length, 2);
  const response = await post('query', 'query=par', { headers: { 'x-service-key': frugal } });
  assert.equal(response.json().hits.length, 1);
});

test('a response that depends on the caller is not cached', async (t) => {
  const { engine, searches } = countingEngine();
  const { post } = anApp(t, { engine: () => engine, locate: () => ({ lat: 48.8, lng: 2.3 }) });
  for (let i = 0; i < 4; i++) await post('query', 'query=par&aroundLatLngViaIP=true');
  assert.equal(searches(), 4);
});

test('an invalid request is refused although similar valid ones are cached', async (t) => {
  const { post } = anApp(t);
  for (let i = 0; i < 3; i++) {
    assert.equal((await post('query', 'query=par')).statusCode, 200);
    assert.equal((await post('query', 'query=par&nonsense=1')).statusCode, 400);
    assert.equal((await post('query', 'query=par&query=par')).statusCode, 400);
  }
});

test('new data resets the cache', async (t) => {
  let engine = await anEngine([PARIS]);
  const { post } = anApp(t, { engine: () => engine });
  for (let i = 0; i < 3; i++) assert.equal((await post('query', 'query=mon')).json().hits.length, 0);
  engine = await anEngine([MONTMARTRE]);
  assert.equal((await post('query', 'query=mon')).json().hits.length, 1);
});

const BUDGET = 1024 * 1024;
const RESPONSE = `{"query":"${'x'.repeat(4000)}","processingTimeMS":1,"dataset":{}}` as ByteString;
const { dataset } = appEngine;

/** Looks up a request and adds its response if it is missing, as the handler does. */
function send(cache: ResponseCache, request: number, response = RESPONSE): boolean {
  const key = `request ${request}`;
  const found = cache.find(key, dataset);
  if (found === undefined) cache.add(key, dataset, response);
  else assert.equal(withProcessingTime(found, 1), RESPONSE);
  return found !== undefined;
}

function requests(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

/** A cache with responses to requests 0, 1, 2 …, each sent twice. */
function filledCache(count: number): ResponseCache {
  const cache = new ResponseCache(BUDGET);
  for (const request of requests(count)) for (const _ of [1, 2]) send(cache, request);
  return cache;
}

function cachedRequests(cache: ResponseCache, count: number): number[] {
  return requests(count).filter((request) => cache.find(`request ${request}`, dataset) !== undefined);
}

test('the budget bounds the cached bytes, and is used', () => {
  const cached = cachedRequests(filledCache(1000), 1000);
  const bytes = cached.length * RESPONSE.length;
  assert.ok(bytes > 0.8 * BUDGET && bytes <= BUDGET, `${bytes} bytes`);
});

test('a response that stays in use is never evicted, and unused ones make room, the oldest first', () => {
  const cache = new ResponseCache(BUDGET);
  for (const request of requests(1000)) {
    for (const _ of [1, 2]) send(cache, request);
    if (request > 0) assert.ok(send(cache, 0), `after request ${request}`);
  }
  const cached = cachedRequests(cache, 1000);
  assert.equal(cached[0], 0);
  assert.equal(cached.at(-1), 999);
  assert.equal(cached.includes(1), false);
});

test('often used responses survive many requests that are sent just often enough to be cached', () => {
  const cache = filledCache(100);
  for (let use = 0; use < 5; use++) for (const request of requests(100)) assert.ok(send(cache, request));
  for (let request = 1000; request < 1400; request++) for (const _ of [1, 2]) send(cache, request);
  assert.equal(cachedRequests(cache, 100).length, 100);
});

test('a full cache admits only requests that were seen before', () => {
  const cache = new ResponseCache(BUDGET);
  for (const request of requests(1000)) send(cache, request);
  assert.equal(send(cache, 999), false);
  const [newest, ...others] = cachedRequests(cache, 1000).reverse();
  assert.equal(newest, 999);
  assert.deepEqual(others.reverse(), requests(others.length + 1).slice(1), 'the first ones, except the oldest');
});

test('a response larger than the budget is not cached and evicts nothing', () => {
  const cache = filledCache(100);
  const large = RESPONSE.replace('x', 'x'.repeat(BUDGET)) as ByteString;
  for (const _ of [1, 2]) cache.add('large', dataset, large);
  assert.equal(cache.find('large', dataset), undefined);
  assert.equal(cachedRequests(cache, 100).length, 100);
});

test('when all entries were used often, a new response is admitted after several requests', () => {
  const cache = filledCache(1000);
  for (let use = 0; use < 10; use++) cachedRequests(cache, 1000);
  let calls = 0;
  while (!send(cache, 2000)) assert.ok(++calls < 100);
  assert.ok(calls > 2);
});

test('hits and misses are counted', () => {
  const counts = { hits: 0, misses: 0 };
  const cache = new ResponseCache(BUDGET, counts);
  for (const _ of [1, 2, 3]) send(cache, 1);
  assert.deepEqual(counts, { hits: 2, misses: 1 });
});
