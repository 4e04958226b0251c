/**
 * The specification, option by option, from a client's view: a running service, real TLS, the
 * embedded data, form bodies. Responses are checked with well-known places.
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
  readonly name: string;
  readonly type: string;
  readonly country_code: string;
  readonly distance?: number;
  readonly _geoloc: { readonly lat: number; readonly lng: number };
  readonly _rankingInfo?: Record<string, unknown>;
}

describe('the specification over real HTTPS', () => {
  let service: InProcessService;
  let unlimited = '';
  before(async () => {
    const ipDatabase = embeddedIpDatabasePaths();
    service = await startInProcess(fileHooks, { index: await builtIndex(), ipDatabase });
    unlimited = (await createKey(service)).key;
  });

  const search = async (form: Record<string, string>, key = unlimited): Promise<Hit[]> => {
    const response = await service.call('/api/1/query', { form, key });
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

  test('query: the search term', async () => {
    const [first] = await search({ query: 'paris' });
    assert.deepEqual([first?.objectID, first?.name, first?.country_code], ['G2988507', 'Paris', 'fr']);
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

  test('hitsPerPage: limits the hits, up to 20', async () => {
    for (const [requested, returned] of [
      ['1', 1],
      ['7', 7],
      ['20', 20],
      ['21', 20],
      ['1000', 20],
    ] as const) {
      assert.equal((await search({ query: 'san', hitsPerPage: requested })).length, returned, requested);
    }
    assert.equal((await search({ query: 'san' })).length, 20);
  });

  test('aroundLatLng: ranks near places higher and hides none', async () => {
    const hits = await search({ query: 'paris', aroundLatLng: '33.66,-95.55' });
    assert.equal(hits[0]?.objectID, 'G4717560');
    assert.ok(hits.some((hit) => hit.objectID === 'G2988507'));
  });

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

  test('getRankingInfo: adds the object only on request', async () => {
    const [explained] = await search({ query: 'paris', getRankingInfo: 'true' });
    assert.equal(explained?._rankingInfo?.nbTypos, 0);
    const [plain] = await search({ query: 'paris', getRankingInfo: 'false' });
    assert.equal(plain?._rankingInfo, undefined);
  });

  test('id: returns the record of an identifier', async () => {
    const response = await service.call('/api/1/id', { form: { objectID: 'G2643743' }, key: unlimited });
    assert.equal(response.json().name, 'London');
    assert.equal((await service.call('/api/1/id', { form: { objectID: 'G1' }, key: unlimited })).status, 404);
  });

  test('reverse: returns the closest records, with the option in the body or in the URL', async () => {
    const inBody = await service.call('/api/1/reverse', { form: { aroundLatLng: '51.5,-0.12' }, key: unlimited });
    const inUrl = await service.call('/api/1/reverse?aroundLatLng=51.5,-0.12', { key: unlimited });
    const distances = inBody.json().hits.map((hit: Hit) => hit.distance);
    assert.equal(distances.length, 20);
    assert.deepEqual(
      distances,
      distances.toSorted((a: number, b: number) => a - b),
    );
    assert.deepEqual(inUrl.json().hits, inBody.json().hits);
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

  test('the key limits the records that reverse and search return', async () => {
    for (const max of [1, 7, 20]) {
      const { key } = await createKey(service, ['--max-records', String(max)]);
      const reverse = await service.call('/api/1/reverse?aroundLatLng=0,0', { key });
      assert.equal(reverse.json().hits.length, max);
      assert.equal((await search({ query: 'san' }, key)).length, max);
    }
  });

  test('a missing, unknown or mistyped key is 401', async () => {
    const mistyped = `${unlimited.slice(0, -1)}${unlimited.endsWith('a') ? 'b' : 'a'}`;
    for (const key of ['', 'nonsense', mistyped, `tpk_${'0'.repeat(36)}`]) {
      assert.equal((await service.call('/api/1/query', { form: { query: 'paris' }, key })).status, 401, key);
    }
  });

  test('the 61st call of a minute from one address is 429 with Retry-After', async () => {
    const first = await service.call('/api/1/query', { form: { query: 'a' } });
    const left = Number(first.headers['x-ratelimit-remaining']);
    for (let i = 0; i < left; i++) {
      assert.equal((await service.call('/api/1/reverse?aroundLatLng=0,0')).status, 200);
    }
    const over = await service.call('/api/1/id', { form: { objectID: 'G2643743' } });
    assert.equal(over.status, 429);
    const seconds = Number(over.headers['retry-after']);
    assert.ok(seconds >= 1 && seconds <= 60, String(seconds));
  });
});
