import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { anEngine, aPlace } from '../../../../test/support/an-engine.ts';
import type { AppOptions } from '../../src/http/app.ts';
import { LOOPBACK, limitsWith, MONTMARTRE, PARIS, PARIS_TEXAS } from '../http/an-app.ts';
import { aCompatApp } from './a-compat-app.ts';

async function aPlacesApp(t: TestContext, options: Partial<AppOptions> = {}) {
  const app = await aCompatApp(t, ['places'], options);
  const post = (path: string, payload: string | Buffer) =>
    app.request({ method: 'POST', url: `/1/places/${path}?x-algolia-api-key=${app.key}`, payload });
  return { ...app, post };
}

interface Response {
  readonly hits: readonly { readonly objectID: string }[];
}

const ids = (body: string) => (JSON.parse(body) as Response).hits.map(({ objectID }) => objectID);

test('with a language, a hit has the fields that places.js reads', async (t) => {
  const app = await aPlacesApp(t);
  const { statusCode, json } = await app.get('/1/places/query?query=par&language=fr&hitsPerPage=1');
  assert.equal(statusCode, 200);
  const { processingTimeMS, nbHits, ...response } = json();
  assert.ok(Number.isInteger(processingTimeMS) && nbHits >= 1);
  const name = { value: '<em>Par</em>is', matchLevel: 'full', fullyHighlighted: false, matchedWords: ['par'] };
  const unmatched = (value: string) => ({ value, matchLevel: 'none', matchedWords: [] });
  assert.deepEqual(response, {
    hits: [
      {
        objectID: 'G2988507',
        locale_names: ['Paris'],
        city: ['Paris'],
        county: [],
        administrative: ['Île-de-France'],
        country: 'France',
        country_code: 'fr',
        postcode: [],
        population: 2138551,
        importance: 16,
        admin_level: 8,
        is_country: false,
        is_city: true,
        is_suburb: false,
        is_highway: false,
        is_popular: true,
        _tags: ['city', 'country/fr', 'place/city', 'source/geonames'],
        _geoloc: { lat: 48.85341, lng: 2.3488 },
        _highlightResult: {
          locale_names: [name],
          city: [name],
          county: [],
          administrative: [unmatched('Île-de-France')],
          country: unmatched('France'),
          postcode: [],
        },
      },
    ],
    query: 'par',
    params: 'query=par&hitsPerPage=1&language=fr',
    degradedQuery: false,
  });
});

test('without a language, texts are by language', async (t) => {
  const english = { value: 'Munich', kind: 'alternate', language: 'en' } as const;
  const engine = await anEngine([aPlace({ id: 'N1', name: 'München', alternateNames: [english], country: 'DE' })]);
  const app = await aPlacesApp(t, { engine: () => engine });
  const [hit] = (await app.get('/1/places/query?query=munch')).json().hits;
  assert.deepEqual(hit.locale_names, { default: ['München'], en: ['Munich'] });
  assert.deepEqual(
    [hit.city, hit.county, hit.country],
    [{ default: ['München'] }, { default: [] }, { default: 'Germany' }],
  );
  assert.deepEqual(hit._tags, ['city', 'country/de', 'place/village', 'source/osm']);
  assert.equal(hit._highlightResult.locale_names.default[0].value, '<em>Münch</em>en');
  assert.equal(hit._highlightResult.country.default.value, 'Germany');
});

test('another name that matches is the second one, a postcode is a postcode', async (t) => {
  const alternateNames = [
    { value: 'Cologne', kind: 'alternate', language: 'en' },
    { value: '50667', kind: 'postcode' },
  ] as const;
  const engine = await anEngine([aPlace({ id: 'N1', name: 'Köln', alternateNames, country: 'DE' })]);
  const app = await aPlacesApp(t, { engine: () => engine });
  const search = async (query: string) => (await app.get(`/1/places/query?language=de&query=${query}`)).json().hits[0];
  const byName = await search('colo');
  assert.deepEqual(byName.locale_names, ['Köln', 'Cologne']);
  const values = byName._highlightResult.locale_names.map(({ value }: { value: string }) => value);
  assert.deepEqual(values, ['Köln', '<em>Colo</em>gne']);
  const withTypo = await search('cologme');
  assert.equal(withTypo._highlightResult.locale_names[1].value, '<em>Cologne</em>');
  const byPostcode = await search('50667');
  assert.deepEqual([byPostcode.locale_names, byPostcode.postcode], [['Köln'], ['50667']]);
  assert.equal(byPostcode._highlightResult.postcode[0].value, '<em>50667</em>');
});

test('typed words are highlighted in regions, and texts are HTML', async (t) => {
  const engine = await anEngine([PARIS_TEXAS, aPlace({ id: 'N1', name: '<b>Å & "B"</b>' })]);
  const app = await aPlacesApp(t, { engine: () => engine });
  const [texan] = (await app.get('/1/places/query?language=en&query=paris%20tex')).json().hits;
  assert.deepEqual(texan._highlightResult.administrative, [
    { value: '<em>Tex</em>as', matchLevel: 'partial', fullyHighlighted: false, matchedWords: ['tex'] },
  ]);
  const [other] = (await app.get('/1/places/query?language=en&query=b%20a')).json().hits;
  assert.equal(other.locale_names[0], '<b>Å & "B"</b>');
  assert.equal(
    other._highlightResult.locale_names[0].value,
    '&lt;<em>b</em>&gt;<em>Å</em> &amp; &quot;<em>B</em>&quot;&lt;/<em>b</em>&gt;',
  );
});

test('a suburban area has its city and no type of places.js', async (t) => {
  const app = await aPlacesApp(t);
  const [hit] = (await app.get('/1/places/query?language=fr&query=montmartre')).json().hits;
  assert.deepEqual([hit.suburb, hit.is_city, hit.is_suburb], [['Montmartre'], false, true]);
  assert.deepEqual(hit._tags, ['suburb', 'country/fr', 'place/suburb', 'source/geonames']);
});

test('parameters are read from the URL, a form or JSON, however the body is labelled', async (t) => {
  const app = await aPlacesApp(t);
  const bodies = [
    '{"params":"query=paris&countries=%5B%22us%22%5D"}',
    '{"params":"query=paris","countries":["us"]}',
    ' {"query":"paris","countries":"us,de","hitsPerPage":3,"language":null}',
    'query=paris&countries=us',
    Buffer.from('query=páris&countries=US'),
    '{"query":"páris","countries":["US"]}',
    '{"params":"query=páris&countries=US"}',
  ];
  for (const body of bodies) assert.deepEqual(ids((await app.post('query', body)).body), ['G4717560'], String(body));
  assert.deepEqual(ids((await app.get('/1/places/query?query=paris&countries=us')).body), ['G4717560']);
  assert.equal(ids((await app.post('query', '')).body).length, 3, 'without a query, the most important places');
});

test('filters of Algolia Places', async (t) => {
  const locate = (address: string) => (address === '203.0.113.9' ? PARIS_TEXAS : undefined);
  const app = await aPlacesApp(t, { locate, trustedProxies: [LOOPBACK] });
  const [france, texas] = [PARIS.id, PARIS_TEXAS.id];
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['query=paris', [france, texas]],
    ['query=paris&type=city', [france, texas]],
    ['query=paris&type=address', [france, texas]],
    ['query=paris&type=town', [texas]],
    ['query=paris&type=country', []],
    ['query=paris&type=["airport","city"]', [france, texas]],
    ['query=montmartre&type=city', []],
    ['query=montmartre&type=address', [MONTMARTRE.id]],
    ['query=paris&hitsPerPage=1', [france]],
    ['query=paris&countries=', [france, texas]],
    ['query=paris&aroundLatLng=33.6,-95.5', [texas, france]],
    ['query=paris&aroundLatLng=33.6,-95.5,', [texas, france]],
    ['query=paris&aroundLatLng=33.6,-95.5&aroundRadius=50000', [texas]],
    ['query=paris&aroundRadius=50000', [france, texas]],
    ['query=paris&aroundLatLngViaIP=203.0.113.9', [texas, france]],
    ['query=paris&insideBoundingBox=33,-96,34,-95', [texas]],
    ['query=paris&insideBoundingBox=[[33,-96,34,-95]]', [texas]],
    ['query=paris&insidePolygon=33,-96,34,-95.5,33,-95', [texas]],
    ['query=paris&restrictSearchableAttributes=postcode&unknown=1', [france, texas]],
  ];
  for (const [query, expected] of cases) {
    const { body } = await app.get(`/1/places/query?${query}`);
    assert.deepEqual(ids(body), expected, `${query}: ${body}`);
  }
  const fromTexas = { remoteAddress: '203.0.113.9' };
  assert.deepEqual(ids((await app.get('/1/places/query?query=paris', fromTexas)).body), [texas, france]);
  const withoutAddress = await app.get('/1/places/query?query=paris&aroundLatLngViaIP=false', fromTexas);
  assert.deepEqual(ids(withoutAddress.body), [france, texas]);
});

test('ranking information is included on request, and the key is never shown', async (t) => {
  const app = await aPlacesApp(t);
  const { body } = await app.get('/1/places/query?query=paris&getRankingInfo=true');
  assert.equal(JSON.parse(body).hits[0]._rankingInfo.nbTypos, 0);
  assert.ok(!body.includes(app.key));
});

test('a reverse lookup returns the place that the point is in', async (t) => {
  const app = await aPlacesApp(t);
  const { json } = await app.get('/1/places/reverse?aroundLatLng=48.84,%202.3&hitsPerPage=1&language=default');
  const [hit, ...others] = json().hits;
  assert.deepEqual([hit.objectID, hit.locale_names, hit.city, others], [PARIS.id, ['Paris'], ['Paris'], []]);
  assert.deepEqual(hit._highlightResult.country, { value: 'France', matchLevel: 'none', matchedWords: [] });
  assert.deepEqual(ids((await app.post('reverse', '{"aroundLatLng":"33.66,-95.55"}')).body)[0], PARIS_TEXAS.id);
});

test('a lookup returns the record', async (t) => {
  const app = await aPlacesApp(t);
  const record = (await app.get('/1/places/G2988507')).json();
  assert.deepEqual([record.objectID, record.locale_names], ['G2988507', { default: ['Paris'] }]);
  assert.deepEqual((await app.get('/1/places/G2988507?language=fr')).json().locale_names, ['Paris']);
  const { statusCode, json } = await app.get('/1/places/G1');
  assert.deepEqual([statusCode, json()], [404, { message: 'ObjectID does not exist', status: 404 }]);
  for (const id of ['%00', '%zz', '%F0%9F%8F%99', '%2e%2e%2f', 'a%20b', '__proto__', 'x'.repeat(100)]) {
    const response = await app.get(`/1/places/${id}`);
    assert.ok([400, 404].includes(response.statusCode) && response.json().status === response.statusCode, id);
  }
});

test('a missing or bad key is status 403, with the message that places.js knows', async (t) => {
  const app = await aPlacesApp(t);
  const expired = app.createKey({ expiresAt: app.clock.nowMs + 1 });
  app.clock.nowMs++;
  for (const [key, reason] of [
    ['', /required/],
    ['tpk_x', /unknown/],
    [expired, /expired/],
  ] as const) {
    const { statusCode, json } = await app.request(`/1/places/query?query=x&x-algolia-api-key=${key}`);
    const { reason: shown, ...others } = json();
    assert.deepEqual([statusCode, others], [403, { message: 'Invalid Application-ID or API key', status: 403 }]);
    assert.match(shown, reason);
  }
  const headers = { 'x-algolia-api-key': app.key, 'x-algolia-application-id': 'plX' };
  assert.equal((await app.request({ url: '/1/places/query', headers })).statusCode, 200);
});

test('bad input is status 400 with a message that names the parameter', async (t) => {
  const app = await aPlacesApp(t);
  const cases = [
    [`query=${'x'.repeat(600)}`, /^query: must not be longer/],
    ['query=%zz', /^query: "%zz" is not a percent escape/],
    ['hitsPerPage=0', /^hitsPerPage: must be an integer/],
    ['type=planet', /^type: must be one of city, address, .*, got "planet"/],
    ['type=constructor', /^type: must be one of/],
    ['countries=usa', /^countries: must be two-letter/],
    ['aroundLatLng=91,0', /^aroundLatLng: latitude/],
    ['aroundLatLngViaIP=here', /^aroundLatLngViaIP: must be/],
    ['aroundRadius=far', /^aroundRadius: must be/],
    ['insideBoundingBox=1,2,3', /^insideBoundingBox: must be/],
    ['insidePolygon=1,2,3,4', /^insidePolygon: must be three or more points/],
    ['insidePolygon=1,2,3,4,5,x', /^insidePolygon: must be three or more points/],
    ['insidePolygon=1,2,3,4,95,6', /^insidePolygon: latitude/],
    ['getRankingInfo=perhaps', /^getRankingInfo: must be/],
    ['{"query', /JSON object/],
    ['[1]', /JSON object/],
    ['"paris"', /JSON object/],
    ['{"hitsPerPage":{"a":1}}', /^hitsPerPage: must be an integer/],
    ['{"query":"\\ud800"}', /^query: must be Unicode/],
    [`{"query":${'['.repeat(7000)}${']'.repeat(7000)}}`, /^query: must be a value, a list, or a list of lists$/],
    ['{"params":"query=%zz"}', /^query: "%zz" is not a percent escape/],
  ] as const;
  for (const [payload, pattern] of cases) {
    const { statusCode, json } = await app.post('query', payload);
    assert.equal(statusCode, 400, payload);
    assert.deepEqual(Object.keys(json()), ['message', 'status'], payload);
    assert.match(json().message, pattern, payload);
  }
  const { statusCode, json } = await app.get('/1/places/reverse');
  assert.deepEqual([statusCode, json().status], [400, 400]);
  assert.match(json().message, /aroundLatLng is required/);
});

test('the error of the rate limit is status 429, which places.js knows', async (t) => {
  const app = await aPlacesApp(t, limitsWith({}, { defaultPerMinute: 1 }));
  await app.get('/1/places/query?query=paris');
  const { statusCode, json } = await app.get('/1/places/query?query=paris');
  assert.deepEqual([statusCode, json().status], [429, 429]);
});

test('no body and no parameters make the service fail', async (t) => {
  const app = await aPlacesApp(t);
  const key = app.createKey({ perMinute: 'unlimited' });
  const names = ['query', 'params', 'type', 'countries', 'language', 'aroundLatLng', 'insidePolygon', 'hitsPerPage'];
  const objects = fc
    .dictionary(fc.constantFrom(...names), fc.oneof(fc.jsonValue(), fc.string()))
    .map((value) => JSON.stringify(value));
  const bodies = fc.oneof(objects, fc.string(), fc.webQueryParameters());
  await fc.assert(
    fc.asyncProperty(bodies, fc.constantFrom('query', 'reverse'), async (body, path) => {
      const { statusCode } = await app.request({ method: 'POST', url: `/k/${key}/1/places/${path}`, payload: body });
      assert.ok(statusCode === 200 || statusCode === 400, `${statusCode}: ${body}`);
    }),
    { numRuns: 500 },
  );
});
