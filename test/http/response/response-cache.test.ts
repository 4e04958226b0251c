import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '../../../src/engine/engine.ts';
import { KeptAnswers } from '../../../src/http/response/response-cache.ts';
import { anEngine, withOverrides } from '../../support/an-engine.ts';
import { anApp, appEngine, MONTMARTRE, PARIS } from '../an-app.ts';

/** The engine, and how many searches it was asked for. */
function countingEngine(): { engine: Engine; searches: () => number } {
  let count = 0;
  const search: Engine['search'] = (query) => {
    count++;
    return appEngine.search(query);
  };
  return { engine: withOverrides(appEngine, { search }), searches: () => count };
}

test('what was asked before is answered alike without a search, but for the time it took', async (t) => {
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

test('a request in a URL, a form or JSON is told from another with the same bytes', async (t) => {
  const { request, post, key } = anApp(t);
  for (let i = 0; i < 3; i++) assert.equal((await post('query', 'query=par')).json().query, 'par');
  const headers = { 'x-service-key': key, 'content-type': 'application/json' };
  const asJson = await request({ method: 'POST', url: '/api/1/query', headers, payload: 'query=par' });
  assert.equal(asJson.statusCode, 400);
  const inUrl = await request({ method: 'POST', url: '/api/1/query?query=mont', headers: { 'x-service-key': key } });
  assert.equal(inUrl.json().query, 'mont');
});

test('a key with fewer records to an answer does not get what another key was answered', async (t) => {
  const { post, createKey } = anApp(t);
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
  const { post } = anApp(t);
  for (let i = 0; i < 3; i++) {
    assert.equal((await post('query', 'query=par')).statusCode, 200);
    assert.equal((await post('query', 'query=par&nonsense=1')).statusCode, 400);
    assert.equal((await post('query', 'query=par&query=par')).statusCode, 400);
  }
});

test('new data is not answered from what was kept of the old', async (t) => {
  let engine = await anEngine([PARIS]);
  const { post } = anApp(t, { engine: () => engine });
  for (let i = 0; i < 3; i++) assert.equal((await post('query', 'query=mon')).json().hits.length, 0);
  engine = await anEngine([MONTMARTRE]);
  assert.equal((await post('query', 'query=mon')).json().hits.length, 1);
});

const ROOM = 1024 * 1024;

/** Answers to `request 0` and so on, asked for twice each. */
function keptOf(count: number, afterEach: (kept: KeptAnswers) => void = () => {}): KeptAnswers {
  const kept = new KeptAnswers(ROOM);
  for (let i = 0; i < count; i++) {
    kept.keep(appEngine.dataset, `request ${i}`, ANSWER);
    kept.keep(appEngine.dataset, `request ${i}`, ANSWER);
    afterEach(kept);
  }
  return kept;
}

const ANSWER = `{"query":"${'x'.repeat(4000)}","processingTimeMS":1,"dataset":{}}`;

function isKept(kept: KeptAnswers, request: number): boolean {
  const found = kept.find(appEngine.dataset, `request ${request}`);
  return found !== undefined && kept.withTime(found, 1) === ANSWER;
}

test('the answers asked for stay, and of the others those that came first make room', () => {
  const count = 1000;
  const kept = keptOf(count, (row) => assert.ok(isKept(row, 0)));
  const found = Array.from({ length: count }, (_, i) => isKept(kept, i));
  assert.ok(found[0] && found[count - 1] && !found[1] && !found[count / 2]);
  const bytes = found.filter(Boolean).length * ANSWER.length;
  assert.ok(bytes > 0.8 * ROOM && bytes <= ROOM, `${bytes} bytes`);
});

test('what was asked for often survives many that are asked for just enough to be kept', () => {
  const kept = keptOf(100);
  for (let use = 0; use < 5; use++) for (let i = 0; i < 100; i++) assert.ok(isKept(kept, i));
  for (let i = 1000; i < 1400; i++) for (const _ of [1, 2]) kept.keep(appEngine.dataset, `request ${i}`, ANSWER);
  for (let i = 0; i < 100; i++) assert.ok(isKept(kept, i), `request ${i}`);
});

test('what was asked for once is kept while there is room, and then no more', () => {
  const kept = new KeptAnswers(ROOM);
  const count = 1000;
  for (let i = 0; i < count; i++) kept.keep(appEngine.dataset, `request ${i}`, ANSWER);
  const found = Array.from({ length: count }, (_, i) => isKept(kept, i));
  const bytes = found.filter(Boolean).length * ANSWER.length;
  assert.ok(bytes > 0.9 * ROOM && bytes <= ROOM, `${bytes} bytes`);
  assert.equal(found.lastIndexOf(true), found.indexOf(false) - 1, 'those that came first');
});

test('an answer larger than all the room is not kept, and makes no other go', () => {
  const kept = keptOf(100);
  const large = ANSWER.replace('x', 'x'.repeat(ROOM));
  for (const _ of [1, 2]) kept.keep(appEngine.dataset, 'large', large);
  assert.equal(kept.find(appEngine.dataset, 'large'), undefined);
  for (let i = 0; i < 100; i++) assert.ok(isKept(kept, i), `request ${i}`);
});

test('where all that is kept was used often, a new answer has to come again, and gets in', () => {
  const kept = keptOf(1000);
  for (let use = 0; use < 10; use++) for (let i = 0; i < 1000; i++) isKept(kept, i);
  let calls = 0;
  while (!isKept(kept, 2000)) {
    kept.keep(appEngine.dataset, 'request 2000', ANSWER);
    assert.ok(++calls < 100);
  }
  assert.ok(calls > 2);
});
