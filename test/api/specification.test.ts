/**
 * The specification, option by option, as a client meets it: a running service, real TLS, the embedded data, form
 * bodies. What each answer holds is asserted on places everybody knows.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { embeddedIpDatabasePaths } from '../../src/locate/embedded.ts';
import { PLACE_TYPES } from '../../src/place/place.ts';
import { waitUntil } from '../support/deadline.ts';
import { type RunningService, runService, runToponym } from '../support/running-service.ts';

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
  let service: RunningService;
  let unlimited = '';
  const cleanUps: (() => void)[] = [];
  before(async () => {
    const context = { after: (cleanUp?: unknown) => cleanUps.push(cleanUp as () => void) };
    service = await runService(context, { ipDatabase: embeddedIpDatabasePaths().join(',') });
    const made = await runToponym([
      'keys',
      'create',
      '--label',
      'tests',
      '--per-minute',
      'unlimited',
      '--json',
      '--state',
      service.state,
    ]);
    unlimited = JSON.parse(made.stdout).key;
  });
  after(() => {
    for (const cleanUp of cleanUps) cleanUp();
  });

  const ask = async (form: Record<string, string>, key = unlimited): Promise<Hit[]> => {
    const answer = await service.call('/api/1/query', { form, key });
    assert.equal(answer.status, 200, answer.body);
    return answer.json().hits;
  };

  test('query: the search term', async () => {
    const [first] = await ask({ query: 'paris' });
    assert.deepEqual([first?.objectID, first?.name, first?.country_code], ['G2988507', 'Paris', 'fr']);
  });

  for (const type of PLACE_TYPES) {
    test(`type: ${type}, however the space is written`, async () => {
      for (const written of new Set([type.replaceAll(' ', '+'), encodeURIComponent(type)])) {
        const answer = await service.call('/api/1/query', { body: `query=san&type=${written}`, key: unlimited });
        const hits: Hit[] = answer.json().hits;
        assert.ok(hits.length > 0, written);
        assert.deepEqual(new Set(hits.map((hit) => hit.type)), new Set([type]));
      }
    });
  }

  test('hitsPerPage: as many as asked for, 20 at most', async () => {
    for (const [asked, given] of [
      ['1', 1],
      ['7', 7],
      ['20', 20],
      ['21', 20],
      ['1000', 20],
    ] as const) {
      assert.equal((await ask({ query: 'san', hitsPerPage: asked })).length, given, asked);
    }
    assert.equal((await ask({ query: 'san' })).length, 20);
  });

  test('aroundLatLng: prefers what is near, hides nothing', async () => {
    const hits = await ask({ query: 'paris', aroundLatLng: '33.66,-95.55' });
    assert.equal(hits[0]?.objectID, 'G4717560');
    assert.ok(hits.some((hit) => hit.objectID === 'G2988507'));
  });

  test('aroundLatLngViaIP: an address stands for where it is', async () => {
    const near = async (address: string) => {
      const form = { query: 'springfield', aroundLatLngViaIP: address };
      let response = await service.call('/api/1/query', { form, key: unlimited });
      await waitUntil('the IP data is loaded', async () => {
        response = await service.call('/api/1/query', { form, key: unlimited });
        return !response.body.includes('the IP data is still loading');
      });
      return response;
    };
    const answer = await near('8.8.8.8');
    assert.match(answer.json().aroundLatLng, /^3\d\.\d+,-1\d\d\.\d+$/); // somewhere in the west of the United States
    assert.ok(answer.json().hits.every((hit: Hit) => typeof hit.distance === 'number'));
    const v6 = await near('2001:4860:4860::8888');
    assert.ok(v6.json().aroundLatLng);
  });

  test('aroundRadius: only what is within so many metres', async () => {
    const hits = await ask({ query: '', aroundLatLng: '48.8534,2.3488', aroundRadius: '10000' });
    assert.ok(hits.length > 5);
    assert.ok(hits.every((hit) => (hit.distance ?? Number.POSITIVE_INFINITY) <= 10_000));
    assert.deepEqual(await ask({ query: 'london', aroundLatLng: '48.8534,2.3488', aroundRadius: '5000' }), []);
  });

  test('getRankingInfo: the object is there when asked for, and only then', async () => {
    const [asked] = await ask({ query: 'paris', getRankingInfo: 'true' });
    assert.equal(asked?._rankingInfo?.nbTypos, 0);
    const [not] = await ask({ query: 'paris', getRankingInfo: 'false' });
    assert.equal(not?._rankingInfo, undefined);
  });

  test('id: the record of an identifier', async () => {
    const answer = await service.call('/api/1/id', { form: { objectID: 'G2643743' }, key: unlimited });
    assert.equal(answer.json().name, 'London');
    assert.equal((await service.call('/api/1/id', { form: { objectID: 'G1' }, key: unlimited })).status, 404);
  });

  test('reverse: the closest records, with the option in the body, or in the URL and no body', async () => {
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

  test('the key decides how many records reverse and search return', async () => {
    for (const most of [1, 7, 20]) {
      const made = await runToponym([
        'keys',
        'create',
        '--label',
        'few',
        '--max-records',
        String(most),
        '--per-minute',
        'unlimited',
        '--json',
        '--state',
        service.state,
      ]);
      const { key } = JSON.parse(made.stdout);
      const reverse = await service.call('/api/1/reverse?aroundLatLng=0,0', { key });
      assert.equal(reverse.json().hits.length, most);
      assert.equal((await ask({ query: 'san' }, key)).length, most);
    }
  });

  test('the key: missing, unknown and mistyped ones are 401', async () => {
    const mistyped = `${unlimited.slice(0, -1)}${unlimited.endsWith('a') ? 'b' : 'a'}`;
    for (const key of ['', 'nonsense', mistyped, `tpk_${'0'.repeat(36)}`]) {
      assert.equal((await service.call('/api/1/query', { form: { query: 'paris' }, key })).status, 401, key);
    }
  });

  test('the 61st call of a minute from one address is 429 and says when to come back', async () => {
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
