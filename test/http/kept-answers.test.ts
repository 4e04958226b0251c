import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '../../src/engine/engine.ts';
import { findKept, keepAnswer } from '../../src/http/kept-answers.ts';
import { anApp } from './an-app.ts';
import { MONTMARTRE, PARIS, PARIS_TEXAS, tinyEngine } from './tiny-engine.ts';

const tiny = tinyEngine([PARIS, PARIS_TEXAS, MONTMARTRE]);

/** The engine, and how many searches it was asked for. */
function countingEngine(): { engine: Engine; searches: () => number } {
  let count = 0;
  const search: Engine['search'] = (query) => {
    count++;
    return tiny.search(query);
  };
  return { engine: { ...tiny, search }, searches: () => count };
}

test('what was asked twice is answered alike without a search, but for the time it took', async (t) => {
  const { engine, searches } = countingEngine();
  const { post } = anApp(t, { engine: () => engine });
  const withoutTime = ({ processingTimeMS: _, ...answer }: Record<string, unknown>) => answer;
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
    await post('query', body);
    assert.equal(searches(), 2 * (i + 1), body);
    const third = (await post('query', body)).json();
    assert.deepEqual(withoutTime(first), withoutTime(third), body);
    assert.equal(typeof third.processingTimeMS, 'number');
    assert.equal(searches(), 2 * (i + 1), body);
  }
  const towns = (await post('query', 'query=par&type=town')).json();
  assert.deepEqual([towns.params, towns.hits.length], ['query=par&type=town&hitsPerPage=20', 1]);
  assert.equal((await post('query', 'query=par')).json().hits.length, 2);
});

test('a request in a URL, a form or JSON is told from another with the same bytes', async (t) => {
  const { post, app, key } = anApp(t, { engine: () => tiny });
  for (let i = 0; i < 3; i++) assert.equal((await post('query', 'query=par')).json().query, 'par');
  const headers = { 'x-service-key': key, 'content-type': 'application/json' };
  const asJson = await app.inject({ method: 'POST', url: '/api/1/query', headers, payload: 'query=par' });
  assert.equal(asJson.statusCode, 400);
  const inUrl = await app.inject({ method: 'POST', url: '/api/1/query?query=mont', headers: { 'x-service-key': key } });
  assert.equal(inUrl.json().query, 'mont');
});

test('a key with fewer records to an answer does not get what another key was answered', async (t) => {
  const { post, createKey } = anApp(t, { engine: () => tiny });
  const frugal = createKey({ maxRecords: 1 });
  for (let i = 0; i < 3; i++) assert.equal((await post('query', 'query=par')).json().hits.length, 2);
  const answer = await post('query', 'query=par', { headers: { 'x-service-key': frugal } });
  assert.equal(answer.json().hits.length, 1);
});

test('what depends on who asks is searched for each caller', async (t) => {
  const { engine, searches } = countingEngine();
  const { post } = anApp(t, { engine: () => engine, locate: () => ({ lat: 48.8, lng: 2.3 }) });
  for (let i = 0; i < 4; i++) await post('query', 'query=par&aroundLatLngViaIP=true');
  assert.equal(searches(), 4);
});

test('a request that is wrong is refused however often the right one was answered', async (t) => {
  const { post } = anApp(t, { engine: () => tiny });
  for (let i = 0; i < 3; i++) {
    assert.equal((await post('query', 'query=par')).statusCode, 200);
    assert.equal((await post('query', 'query=par&nonsense=1')).statusCode, 400);
    assert.equal((await post('query', 'query=par&query=par')).statusCode, 400);
  }
});

test('new data is not answered from what was kept of the old', async (t) => {
  let engine = tinyEngine([PARIS]);
  const { post } = anApp(t, { engine: () => engine });
  for (let i = 0; i < 3; i++) assert.equal((await post('query', 'query=mon')).json().hits.length, 0);
  engine = tinyEngine([MONTMARTRE]);
  assert.equal((await post('query', 'query=mon')).json().hits.length, 1);
});

test('the answers asked for stay, and those asked for longest ago make room', () => {
  const engine = { ...tiny };
  const answer = `{"query":"${'x'.repeat(4000)}","processingTimeMS":1,"dataset":{}}`;
  const count = 10_000;
  for (let i = 0; i < count; i++) {
    keepAnswer(engine, `request ${i}`, answer);
    assert.equal(findKept(engine, `request ${i}`), undefined);
    keepAnswer(engine, `request ${i}`, answer);
    assert.ok(findKept(engine, 'request 0'), `after ${i}`);
  }
  const kept = Array.from({ length: count }, (_, i) => findKept(engine, `request ${i}`) !== undefined);
  const bytes = kept.filter(Boolean).length * answer.length;
  assert.ok(kept[0] && kept[count - 1] && !kept[1]);
  assert.ok(bytes > 4 * 1024 * 1024 && bytes <= 16 * 1024 * 1024, `${bytes} bytes`);
});
