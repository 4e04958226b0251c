/** The client against the real service, over TLS that it verifies. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { builtIndex } from '../../../test/support/built-index.ts';
import { createKey } from '../../../test/support/running-service.ts';
import { startInProcess } from '../../../test/support/service-in-process.ts';
import { createClient, type ToponymError } from '../src/client.ts';

function errorOf(call: Promise<unknown>): Promise<ToponymError> {
  return call.then(
    () => assert.fail('the call succeeded'),
    (error: ToponymError) => error,
  );
}

test('the client and the real service', async (t) => {
  const service = await startInProcess(t, { index: await builtIndex() });
  const { url } = service;
  const { key } = await createKey(service);
  const client = createClient({ url, key });

  await t.test('a certificate that is not trusted is a network error', async () => {
    const { code, cause } = await errorOf(client.query('paris', { retries: 0 }));
    assert.equal(code, 'network');
    assert.match(String((cause as { cause: Error }).cause), /self-signed certificate/);
  });
  const certificate = readFileSync(join(service.state, 'tls', 'cert.pem'), 'utf8');
  setDefaultCACertificates([...getCACertificates('default'), certificate]);

  await t.test('query, get and reverse return what the service finds', async () => {
    const { hits } = await client.query('par', { countries: ['fr', 'be'], type: ['city', 'town'], hitsPerPage: 2 });
    assert.deepEqual(
      hits.map(({ label }) => label),
      ['Paris, France', 'Parthenay, France'],
    );
    const place = await client.get('G2988507', { language: 'it' });
    assert.deepEqual([place.name, place.country], ['Parigi', 'Francia']);
    const near = await client.reverse({ lat: 54.36, lng: 10.11 }, { mode: 'containing', hitsPerPage: 1 });
    assert.deepEqual([near.pointCountry, near.hits[0]?.name], ['de', 'Kiel']);
    const boxed = await client.query('san', { insideBoundingBox: [36.9, -123, 38.9, -121.2] });
    assert.equal(boxed.nbHits, 20);
  });

  await t.test('an error has the code and request id of the service, and names the option', async () => {
    const missing = await errorOf(createClient({ url, key: undefined as unknown as string }).query('paris'));
    assert.deepEqual([missing.code, missing.status], ['key_missing', 401]);
    const unknown = await errorOf(createClient({ url, key: 'tpk_wrong' }).query('paris'));
    assert.deepEqual([unknown.status, unknown.code], [401, 'key_unknown']);
    assert.match(unknown.requestId ?? '', /^[0-9a-f-]{36}$/);
    for (const [call, code, option] of [
      [() => client.query('par', { hitsPerPage: 0 }), 'invalid_option', 'hitsPerPage'],
      [() => client.query('par', { aroundRadius: 5 }), 'invalid_option', 'aroundRadius'],
      [() => client.query('par', { page: 2 } as object), 'unknown_option', 'page'],
      [() => client.get(''), 'invalid_option', 'objectID'],
      [() => client.reverse({ lat: 91, lng: 0 }), 'invalid_option', 'aroundLatLng'],
    ] as const) {
      const error = await errorOf(call());
      assert.deepEqual([error.status, error.code, error.option], [400, code, option], error.message);
    }
    assert.equal((await errorOf(client.get('G1'))).code, 'object_not_found');
  });

  await t.test('a call beyond the limit fails at once with the seconds to wait', async () => {
    const limited = createClient({ url, key: (await createKey(service, ['--per-minute', '1'])).key });
    await limited.query('paris');
    const { code, status, retryAfterSeconds = 0 } = await errorOf(limited.query('paris'));
    assert.deepEqual([code, status], ['rate_limited', 429]);
    assert.ok(retryAfterSeconds > 10 && retryAfterSeconds <= 60, `${retryAfterSeconds}`);
  });
});
