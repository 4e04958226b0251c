import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { anApp, LOOPBACK } from '../an-app.ts';

test('pages are compressed for clients that accept gzip', async (t) => {
  const { request } = anApp(t);
  for (const url of ['/', '/openapi.json']) {
    const plain = await request(url);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.headers.vary, 'Accept-Encoding');
    for (const accepted of ['gzip', 'br, gzip;q=0.5, deflate', '*', 'GZIP ; q=1.0', '*;q=0, gzip']) {
      const zipped = await request({ url, headers: { 'accept-encoding': accepted } });
      assert.equal(zipped.headers['content-encoding'], 'gzip', accepted);
      assert.equal(gunzipSync(zipped.bytes).toString(), plain.body);
    }
    for (const accepted of ['br', 'gzip;q=0', 'gzip;q=0.0, br', 'xgzip', 'gzip;q=0, *', '*, gzip;q=0', '*;q=0']) {
      const other = await request({ url, headers: { 'accept-encoding': accepted } });
      assert.equal(other.headers['content-encoding'], undefined, accepted);
    }
  }
});

test('a page that the client has cached is not sent again', async (t) => {
  const { request } = anApp(t);
  const { headers } = await request('/openapi.json');
  const again = await request({ url: '/openapi.json', headers: { 'if-none-match': String(headers.etag) } });
  assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', headers.etag]);
  const other = await request({ url: '/openapi.json', headers: { 'if-none-match': 'W/"another"' } });
  assert.equal(other.statusCode, 200);
});

test('each address gets 300 pages a minute, counted separately from its calls; health checks are not limited', async (t) => {
  const { request, post, clock } = anApp(t, { trustedProxies: [LOOPBACK] });
  for (let i = 0; i < 300; i++) {
    const page = await request(i % 2 === 0 ? '/' : '/openapi.json');
    assert.deepEqual([page.statusCode, page.headers['x-ratelimit-remaining']], [200, String(299 - i)]);
  }
  const refused = await request('/');
  assert.deepEqual(
    [refused.statusCode, refused.json().code, refused.headers['retry-after']],
    [429, 'rate_limited', '60'],
  );
  assert.equal((await request({ url: '/', remoteAddress: '192.0.2.1' })).statusCode, 200);
  assert.equal((await post('query', 'query=par')).headers['x-ratelimit-remaining'], '59');
  for (let i = 0; i < 100; i++) assert.equal((await request('/healthz')).statusCode, 200);
  assert.equal((await request('/readyz')).statusCode, 200);
  clock.nowMs += 60_000;
  assert.equal((await request('/')).statusCode, 200);
});
