import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { anApp } from '../an-app.ts';

test('pages are compressed for those who accept it', async (t) => {
  const { app } = anApp(t);
  for (const url of ['/', '/openapi.json']) {
    const plain = await app.inject(url);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.headers.vary, 'Accept-Encoding');
    for (const accepted of ['gzip', 'br, gzip;q=0.5, deflate', '*', 'GZIP ; q=1.0']) {
      const zipped = await app.inject({ url, headers: { 'accept-encoding': accepted } });
      assert.equal(zipped.headers['content-encoding'], 'gzip', accepted);
      assert.equal(gunzipSync(zipped.rawPayload).toString(), plain.body);
    }
    for (const accepted of ['br', 'gzip;q=0', 'gzip;q=0.0, br', 'xgzip']) {
      const other = await app.inject({ url, headers: { 'accept-encoding': accepted } });
      assert.equal(other.headers['content-encoding'], undefined, accepted);
    }
  }
});

test('a page that the client has already is not sent again', async (t) => {
  const { app } = anApp(t);
  const { headers } = await app.inject('/openapi.json');
  const again = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': String(headers.etag) } });
  assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', headers.etag]);
  const other = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': 'W/"another"' } });
  assert.equal(other.statusCode, 200);
});

test('each address gets 60 pages a minute, counted apart from its calls; health checks are not limited', async (t) => {
  const { app, post, clock } = anApp(t);
  for (let i = 0; i < 60; i++) {
    const page = await app.inject(i % 2 === 0 ? '/' : '/openapi.json');
    assert.deepEqual([page.statusCode, page.headers['x-ratelimit-remaining']], [200, String(59 - i)]);
  }
  const refused = await app.inject('/');
  assert.deepEqual(
    [refused.statusCode, refused.json().code, refused.headers['retry-after']],
    [429, 'rate_limited', '60'],
  );
  assert.equal((await app.inject({ url: '/', remoteAddress: '192.0.2.1' })).statusCode, 200);
  assert.equal((await post('query', 'query=par')).headers['x-ratelimit-remaining'], '59');
  for (let i = 0; i < 100; i++) assert.equal((await app.inject('/healthz')).statusCode, 200);
  assert.equal((await app.inject('/readyz')).statusCode, 200);
  clock.nowMs += 60_000;
  assert.equal((await app.inject('/')).statusCode, 200);
});
