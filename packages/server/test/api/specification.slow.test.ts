/**
 * What only a running service with the embedded data shows of the API: real TLS, well-known places, the IP database and
 * the borders of the world. http/endpoints.test.ts has each option.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { PLACE_TYPES } from 'toponym-engine/place/place';
import { builtIndex } from '../../../../test/support/built-index.ts';
import { fileHooks } from '../../../../test/support/file-hooks.ts';
import { createKey } from '../../../../test/support/running-service.ts';
import { type InProcessService, startInProcess } from '../../../../test/support/service-in-process.ts';
import { ENDPOINT_EXAMPLES } from '../../src/http/response/openapi-examples.ts';
import { embeddedIpDatabasePaths } from '../../src/locate/ip-database.ts';

interface Hit {
  readonly objectID: string;
  readonly type: string;
  readonly country_code: string;
  readonly distance?: number;
}

describe('the API over real HTTPS', () => {
  let service: InProcessService;
  let unlimited = '';
  before(async () => {
    const ipDatabase = embeddedIpDatabasePaths();
    service = await startInProcess(fileHooks, { index: await builtIndex(), ipDatabase });
    unlimited = (await createKey(service)).key;
  });

  const search = async (form: Record<string, string>): Promise<Hit[]> => {
    const response = await service.call('/api/1/query', { form, key: unlimited });
    assert.equal(response.status, 200, response.body);
    return response.json().hits;
  };

  test('the examples of the OpenAPI document are responses of the service', async () => {
    for (const [endpoint, { request, response }] of Object.entries(ENDPOINT_EXAMPLES)) {
      const form = Object.fromEntries(Object.entries(request).map(([name, value]) => [name, String(value)]));
      const served = (await service.call(`/api/1/${endpoint}`, { form, key: unlimited })).json();
      const withoutTime = (record: object) => ({ ...record, processingTimeMS: 0 });
      assert.deepEqual(withoutTime(served), withoutTime(response), endpoint);
    }
  });

  for (const type of PLACE_TYPES) {
    test(`type: ${type}, with any encoding of a space`, async () => {
      for (const written of new Set([type.replaceAll(' ', '+'), encodeURIComponent(type)])) {
        const response = await service.call('/api/1/query', { body: `query=san&type=${written}`, key: unlimited });
        const hits: Hit[] = response.json().hits;
        assert.ok(hits.length > 0, written);
        assert.deepEqual(new Set(hits.map((hit) => hit.type)), new Set([type]));
      }
    });
  }

  test('aroundLatLngViaIP: locates an IP address', async () => {
    const near = (address: string) =>
      service.call('/api/1/query', { form: { query: 'springfield', aroundLatLngViaIP: address }, key: unlimited });
    const v4 = await near('8.8.8.8');
    assert.match(v4.json().aroundLatLng, /^3\d\.\d+,-1\d\d\.\d+$/); // somewhere in the west of the United States
    assert.ok(v4.json().hits.every((hit: Hit) => typeof hit.distance === 'number'));
    const v6 = await near('2001:4860:4860::8888');
    assert.ok(v6.json().aroundLatLng);
  });

  test('aroundRadius: limits hits to a distance in metres', async () => {
    const hits = await search({ query: '', aroundLatLng: '48.8534,2.3488', aroundRadius: '10000' });
    assert.ok(hits.length > 5);
    assert.ok(hits.every((hit) => (hit.distance ?? Number.POSITIVE_INFINITY) <= 10_000));
    assert.deepEqual(await search({ query: 'london', aroundLatLng: '48.8534,2.3488', aroundRadius: '5000' }), []);
  });

  test('insideBoundingBox: limits hits to a box, which may cross the antimeridian', async () => {
    const [first] = await search({ query: 'san f', insideBoundingBox: '36.9,-123,38.9,-121.2' });
    assert.equal(first?.objectID, 'G5391959'); // San Francisco
    const fiji = await search({ query: '', insideBoundingBox: '-20,175,-15,-175' });
    assert.equal(fiji[0]?.objectID, 'G2198148'); // Suva
    assert.deepEqual(await search({ query: 'london', insideBoundingBox: '-20,175,-15,-175' }), []);
  });

  test('reverse with mode=containing: the first record is where the point is, never across a border', async () => {
    const call = (aroundLatLng: string) =>
      service.call('/api/1/reverse', { form: { aroundLatLng, mode: 'containing' }, key: unlimited });
    const inKiel = (await call('54.36,10.11')).json();
    assert.deepEqual([inKiel.hits[0].name, inKiel.hits[0].inside, inKiel.pointCountry], ['Kiel', true, 'de']);
    const inMontana = (await call('48.98,-113.5')).json();
    assert.equal(inMontana.pointCountry, 'us');
    assert.ok(inMontana.hits.every((hit: Hit) => hit.country_code === 'us'));
  });
});
