import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Engine } from 'toponym-engine/engine';
import { anEngine } from '../../../../test/support/an-engine.ts';
import { waitUntil } from '../../../../test/support/deadline.ts';
import { createStaticPage } from '../../src/http/response/send.ts';
import { anApp, appEngine, listen, PARIS } from './an-app.ts';

const KEY = 'tpk_page';
const SCRIPT = '/page/page-ABCD.js';
const OWN_CALL = { 'x-service-key': KEY, host: 'a', origin: 'https://a' };
const HTML = '<!doctype html><title>Toponym</title><!-- facts -->';
const PAGES = {
  html: new Map([
    ['/', HTML],
    ['/docs', HTML],
  ]),
  files: new Map([[SCRIPT, createStaticPage('text/javascript; charset=utf-8', 'start();')]]),
  element: createStaticPage('text/javascript; charset=utf-8', 'define();'),
  key: KEY,
};

test('the page has its key and the facts of the data in its HTML, and allows no script but its own', async (t) => {
  const { request: get } = anApp(t, { pages: PAGES });
  const response = await get('/');
  assert.equal(response.statusCode, 200);
  const json = /<script type="application\/json" id="facts">(.*)<\/script>/.exec(response.body)?.[1];
  const { key, keyHeader, dataset } = JSON.parse(json ?? '');
  assert.deepEqual([key, keyHeader, dataset.places], [KEY, 'X-Service-Key', 3]);
  const policy = String(response.headers['content-security-policy']);
  assert.match(policy, /default-src 'none'; script-src 'self';/);
  assert.doesNotMatch(policy, /unsafe/);
});

test('the page knows whether the certificate is self-signed, also after it is replaced', async (t) => {
  let isSelfSigned = true;
  const { request: get } = anApp(t, { pages: PAGES, isSelfSigned: () => isSelfSigned });
  assert.match((await get('/')).body, /"isSelfSigned":true/);
  isSelfSigned = false;
  assert.match((await get('/')).body, /"isSelfSigned":false/);
});

test('names in the data cannot end the data block of the page', async (t) => {
  const { request: get } = anApp(t, { pages: PAGES, version: '</script><script>alert(1)</script>' });
  assert.doesNotMatch((await get('/')).body, /alert\(1\)<\/script>/);
});

test('files of the page may be cached for ever, because their names change with their content', async (t) => {
  const { request: get } = anApp(t, { pages: PAGES });
  const response = await get(SCRIPT);
  assert.deepEqual([response.statusCode, response.body], [200, 'start();']);
  assert.equal(response.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal((await get('/page/other.js')).statusCode, 404);
});

test('/favicon.ico is the icon of the page, which may change', async (t) => {
  const files = new Map([['/page/icon-ABCD.svg', createStaticPage('image/svg+xml', '<svg/>')]]);
  const { request: get } = anApp(t, { pages: { ...PAGES, files } });
  const { statusCode, body, headers } = await get('/favicon.ico');
  assert.deepEqual([statusCode, body, headers['content-type']], [200, '<svg/>', 'image/svg+xml']);
  assert.equal(headers['cache-control'], 'public, no-cache');
});

test('files of the page count for the limit of the pages', async (t) => {
  const { request: get } = anApp(t, { pages: PAGES });
  const remaining = async (url: string) => (await get(url)).headers['x-ratelimit-remaining'];
  assert.deepEqual([await remaining('/'), await remaining(SCRIPT), await remaining('/docs')], ['299', '298', '297']);
});

test('a large file is sent in pieces, as the client takes them', async (t) => {
  const path = '/page/large.js';
  // 10 MB that compress quickly; no piece of a power of two is the same as its neighbour
  const content = randomBytes(8_001).toString('base64').repeat(1_000);
  const files = new Map([[path, createStaticPage('text/javascript; charset=utf-8', content)]]);
  const { app, request: get } = anApp(t, { pages: { ...PAGES, files } });
  const accepted = once(app.server, 'connection') as Promise<[Socket]>;
  const client = connect(await listen(app), '127.0.0.1').pause();
  t.after(() => client.destroy());
  client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(4));
  const [served] = await accepted;
  await waitUntil('the first piece is sent', () => served.bytesWritten > 0);
  for (let i = 0; i < 100; i++) {
    await nextTick();
    assert.ok(served.writableLength < 100_000, `${served.writableLength} bytes wait in memory`);
  }
  assert.equal((await get(path)).body, content);
});

test('pages keep no engine in memory that new data has replaced', async (t) => {
  let engine: Engine | undefined = await anEngine([PARIS]);
  const old = new WeakRef(engine);
  const { request: get, post } = anApp(t, { pages: PAGES, engine: () => engine ?? appEngine });
  for (const url of ['/', '/docs', '/openapi.json']) assert.equal((await get(url)).statusCode, 200);
  for (const endpoint of ['query', 'reverse']) await post(endpoint, 'aroundLatLng=48,2');
  engine = undefined;
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  await waitUntil('the engine is freed', () => {
    collectGarbage();
    return old.deref() === undefined;
  });
});

test("the page's key works from the page's own origin only", async (t) => {
  const { post } = anApp(t, { pages: PAGES });
  const statusFrom = async (headers: Record<string, string>) => {
    const response = await post('query', 'query=paris', {
      headers: { 'x-service-key': KEY, host: 'places.test:8443', ...headers },
    });
    return [response.statusCode, JSON.parse(response.body).code];
  };
  assert.deepEqual(await statusFrom({ origin: 'https://places.test:8443' }), [200, undefined]);
  assert.deepEqual(await statusFrom({ origin: 'http://PLACES.test:8443' }), [200, undefined], 'behind a TLS proxy');
  for (const origin of [
    'https://evil.test:8443',
    'https://places.test',
    'null',
    'https://places.test:8443.evil.test',
  ]) {
    assert.deepEqual(await statusFrom({ origin }), [403, 'origin_not_allowed'], origin);
  }
  assert.deepEqual(await statusFrom({}), [403, 'origin_not_allowed'], 'no browser');
});

test("the page's key has a limit of its own, and its calls do not count for other keys", async (t) => {
  const { post } = anApp(t, { pages: PAGES });
  const own = { headers: OWN_CALL };
  for (let i = 0; i < 61; i++) assert.equal((await post('query', 'query=paris', own)).statusCode, 200);
  const response = await post('query', 'query=paris', own);
  assert.equal(response.headers['x-ratelimit-limit'], '300');
  assert.equal((await post('query', 'query=paris')).headers['x-ratelimit-remaining'], '59');
});

test('pages of other origins load the script of the element, the newest or that of a version', async (t) => {
  const { request: get } = anApp(t, { pages: PAGES, version: '1.2.3' });
  const newest = await get('/toponym-search.js');
  assert.deepEqual([newest.statusCode, newest.body], [200, 'define();']);
  assert.equal(newest.headers['access-control-allow-origin'], '*');
  assert.equal(newest.headers['cache-control'], 'public, no-cache');
  const headers = { 'if-none-match': String(newest.headers.etag) };
  assert.equal((await get({ url: '/toponym-search.js', headers })).statusCode, 304);
  const pinned = await get('/toponym-search-1.2.3.js');
  assert.deepEqual(
    [pinned.body, pinned.headers['cache-control']],
    ['define();', 'public, max-age=31536000, immutable'],
  );
  assert.equal((await get('/toponym-search-1.2.2.js')).statusCode, 404);
  const integrity = createHash('sha384').update('define();').digest('base64');
  assert.ok((await get('/docs')).body.includes(`"elementIntegrity":"sha384-${integrity}"`));
});

test('without a key there is only the reference, and no key in it', async (t) => {
  const { request: get } = anApp(t, { pages: { ...PAGES, html: new Map([['/docs', HTML]]), key: undefined } });
  assert.match((await get('/')).body, /curl/);
  const { body } = await get('/docs');
  assert.match(body, /id="facts"/);
  assert.doesNotMatch(body, /tpk_/);
});

test('without the page its key is unknown, and the plain front page is served', async (t) => {
  const { request: get, post } = anApp(t);
  const response = await post('query', 'query=paris', { headers: OWN_CALL });
  assert.equal(response.statusCode, 401);
  assert.match((await get('/')).body, /curl/);
});
