import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchQuery } from 'toponym-engine/engine';
import { openEngine } from 'toponym-engine/open-engine';
import { anEngine, anIndex, aPlace, withOverrides } from '../../../../test/support/an-engine.ts';
import {
  ErrorSchema,
  FullRecordSchema,
  ProblemSchema,
  ResultSchema,
  type Schema,
} from '../../src/http/response/response-schemas.ts';
import { anApp, appEngine, LOOPBACK, MONTMARTRE, PARIS, PARIS_TEXAS } from './an-app.ts';
import { schemaErrors } from './response/schema-errors.ts';

const PARIS_ANSWER = {
  objectID: 'G2988507',
  name: 'Paris',
  type: 'city',
  label: 'Paris, France',
  country: 'France',
  country_code: 'fr',
  administrative: ['Île-de-France'],
  county: [],
  population: 2138551,
  importance: 0.6707,
  timezone: 'Europe/Paris',
  _geoloc: { lat: 48.85341, lng: 2.3488 },
  bbox: [2.16355, 48.73152, 2.53405, 48.9753],
};

test('query returns hits and the options used', async (t) => {
  const { post } = anApp(t);
  const response = await post('query', 'query=par&hitsPerPage=1');
  const { processingTimeMS, ...body } = response.json();
  assert.equal(response.statusCode, 200);
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(typeof processingTimeMS, 'number');
  const { confidence } = body.hits[0];
  assert.ok(confidence > 0 && confidence < 1, `confidence ${confidence}`);
  assert.deepEqual(body, {
    hits: [
      {
        ...PARIS_ANSWER,
        confidence,
        matchCode: 'partial',
        _highlightResult: { name: { value: '<em>Par</em>is', matchLevel: 'full', matchedWords: ['par'] } },
      },
    ],
    nbHits: 2,
    hitsPerPage: 1,
    query: 'par',
    params: 'query=par&hitsPerPage=1',
    dataset: { version: 'test-1', attribution: ['Test data'], places: 3 },
  });
});

test('form, JSON and URL options give the same response', async (t) => {
  const { request, post, key } = anApp(t);
  const form = await post('query', 'query=par&hitsPerPage=1&getRankingInfo=true&aroundLatLng=48.8,+2.3');
  const json = await request({
    method: 'POST',
    url: '/api/1/query',
    headers: { 'x-service-key': key, 'content-type': 'application/json' },
    payload: JSON.stringify({ query: 'par', hitsPerPage: 1, getRankingInfo: true, aroundLatLng: '48.8,2.3' }),
  });
  const url = await request({
    method: 'POST',
    url: '/api/1/query?query=par&hitsPerPage=1&getRankingInfo=1&aroundLatLng=48.8,%202.3',
    headers: { 'x-service-key': key },
  });
  const mixed = await post('query', 'hitsPerPage=1&getRankingInfo=1', {
    url: '/api/1/query?query=par&aroundLatLng=48.8%2C2.3',
  });
  const withoutTime = [form, json, url, mixed].map((response) => ({ ...response.json(), processingTimeMS: 0 }));
  assert.equal(form.statusCode, 200, form.body);
  assert.deepEqual(withoutTime, [withoutTime[0], withoutTime[0], withoutTime[0], withoutTime[0]]);
});

test('a JSON body is read as UTF-8, in any script', async (t) => {
  const { request, key } = anApp(t);
  const ask = (payload: Buffer) =>
    request({
      method: 'POST',
      url: '/api/1/query',
      headers: { 'x-service-key': key, 'content-type': 'application/json' },
      payload,
    });
  const response = await ask(Buffer.from('{"query":"São 東京 𠮷"}'));
  assert.equal(response.json().query, 'São 東京 𠮷');
  const broken = await ask(Buffer.from('{"query":"S\xe3o"}', 'latin1'));
  assert.deepEqual([broken.statusCode, broken.json().code], [400, 'invalid_body']);
});

test("ranking information is included on request, under Algolia's names", async (t) => {
  const { post } = anApp(t);
  const { hits } = (await post('query', 'query=paris&hitsPerPage=2&aroundLatLng=48.8,2.3&getRankingInfo=true')).json();
  assert.equal(hits[0].distance, 6931);
  assert.deepEqual(hits[0]._rankingInfo, {
    stage: 'asTyped',
    nbTypos: 0,
    firstMatchedWord: 0,
    proximityDistance: 0,
    userScore: 6707,
    geoDistance: 6931,
    geoPrecision: 1,
    nbExactWords: 1,
    words: 1,
    filters: 0,
    matchedGeoLocation: { lat: 48.85341, lng: 2.3488, distance: 6931 },
    criteria: { score: 1.9556, words: 0, typo: 0, exact: 0, position: 0, name: 0, geo: 1.2849, importance: 0.6707 },
    decidedBy: 'geo',
  });
});

test('the engine gets exactly the query that the options describe', async (t) => {
  const asked: object[] = [];
  const engine = withOverrides(appEngine, {
    search: (query) => {
      asked.push(given(query));
      return appEngine.search(query);
    },
  });
  const { post } = anApp(t, { engine: () => engine });
  const form =
    'query=S%C3%A3o&type=town,Suburban+Area,town&hitsPerPage=7&aroundLatLng=-0,180&aroundRadius=5000&insideBoundingBox=-15,-178,+-20,-0&typoTolerance=0&getRankingInfo=1&language=pt_BR&countries=br,PT';
  assert.equal((await post('query', form)).statusCode, 200);
  await post('query', '');
  assert.deepEqual(asked, [
    {
      text: 'São',
      limit: 7,
      types: ['town', 'suburban area'],
      countries: ['BR', 'PT'],
      language: 'pt-BR',
      around: { lat: 0, lng: 180 },
      radiusMeters: 5000,
      box: { south: -20, west: -178, north: -15, east: 0 },
      allowsTypos: false,
      explain: true,
    },
    { text: '', limit: 20 },
  ]);
});

/** Removes options without a value. */
function given(query: SearchQuery): object {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

test('params repeats the options used', async (t) => {
  const { post } = anApp(t);
  const form =
    'query=a%26b&type=town,city&hitsPerPage=50&aroundLatLngViaIP=203.0.113.7&aroundRadius=99999999&insideBoundingBox=2e1,+4.5,10,-170&countries=FR&language=fr';
  const response = (await post('query', form)).json();
  assert.equal(
    response.params,
    'query=a%26b&type=town%2Ccity&hitsPerPage=20&aroundLatLng=48.8%2C2.3&aroundRadius=20015115&insideBoundingBox=10%2C-170%2C20%2C4.5&language=fr&countries=fr',
  );
  assert.equal(response.aroundLatLng, '48.8,2.3');
});

test("hits are limited to the key's maximum, also in reverse", async (t) => {
  const { post } = anApp(t, {}, { maxRecords: 2 });
  const query = (await post('query', 'hitsPerPage=20')).json();
  assert.equal(query.hitsPerPage, 2);
  assert.equal(query.hits.length, 2);
  assert.equal(query.nbHits, 3);
  assert.equal((await post('reverse', 'aroundLatLng=0,0')).json().hits.length, 2);
  assert.equal((await post('reverse', 'aroundLatLng=0,0&hitsPerPage=1')).json().hits.length, 1);
});

test('reverse takes its option from the URL with no body, and orders by distance', async (t) => {
  const { request, key } = anApp(t);
  for (const headers of [
    {},
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'application/json' },
    { 'content-type': 'text/plain' },
  ]) {
    const response = await request({
      method: 'POST',
      url: '/api/1/reverse?aroundLatLng=48.88,2.34',
      headers: { 'x-service-key': key, ...headers },
    });
    const { hits, params, aroundLatLng } = response.json();
    assert.deepEqual(
      hits.map((hit: { objectID: string; distance: number; bearing: number }) => [
        hit.objectID,
        hit.distance,
        hit.bearing,
      ]),
      [
        [MONTMARTRE.id, 612, 307.2],
        [PARIS.id, 3026, 167.7],
        [PARIS_TEXAS.id, 7781319, 298.7],
      ],
    );
    assert.equal(params, 'aroundLatLng=48.88%2C2.34&hitsPerPage=20');
    assert.equal(aroundLatLng, '48.88,2.34');
  }
});

test('reverse with mode=containing returns the settlement first, and says which hits are inside', async (t) => {
  const { post } = anApp(t);
  const { hits, pointCountry, params } = (await post('reverse', 'aroundLatLng=48.88,2.34&mode=containing')).json();
  assert.deepEqual(
    hits.map((hit: { objectID: string; inside: boolean }) => [hit.objectID, hit.inside]),
    [
      [PARIS.id, true],
      [MONTMARTRE.id, true],
      [PARIS_TEXAS.id, false],
    ],
  );
  assert.equal(pointCountry, null); // this engine has no borders
  assert.equal(params, 'aroundLatLng=48.88%2C2.34&mode=containing&hitsPerPage=20');
});

test('pointCountry is a code in lower case', async (t) => {
  const loadBorders = () => ({ countryAt: () => 'FR', isNear: () => true, countriesWithinError: () => [] });
  const engine = openEngine(await anIndex([PARIS, PARIS_TEXAS]), { loadBorders });
  const { post } = anApp(t, { engine: () => engine });
  const { hits, pointCountry } = (await post('reverse', 'aroundLatLng=33.7,-95.5&mode=containing')).json();
  assert.deepEqual([pointCountry, hits.length, hits[0].objectID], ['fr', 1, PARIS.id]);
});

test('mode=nearest is the default, and has neither inside nor pointCountry', async (t) => {
  const { post } = anApp(t);
  const byDefault = (await post('reverse', 'aroundLatLng=48.88,2.34')).json();
  const { hits, pointCountry } = (await post('reverse', 'aroundLatLng=48.88,2.34&mode=nearest')).json();
  assert.deepEqual(hits, byDefault.hits);
  assert.deepEqual([pointCountry, hits[0].inside], [undefined, undefined]);
});

test('id returns the record with all its names', async (t) => {
  const { post } = anApp(t);
  assert.deepEqual((await post('id', 'objectID=G2988507')).json(), { ...PARIS_ANSWER, names: { und: ['Paris'] } });
});

test('a retired id returns its successor', async (t) => {
  const paris = appEngine.get(PARIS.id);
  assert.ok(paris);
  const engine = withOverrides(appEngine, { get: () => ({ ...paris, supersededBy: PARIS.id }) });
  const { post } = anApp(t, { engine: () => engine });
  assert.equal((await post('id', 'objectID=G1')).json().supersededBy, 'G2988507');
});

test('a search runs without a point if the address cannot be located, and says so', async (t) => {
  const { post } = anApp(t);
  const response = (await post('query', 'query=par&aroundLatLngViaIP=true')).json();
  assert.equal(
    response.message,
    'aroundLatLngViaIP: 127.0.0.1 could not be located, so the search ran without a point',
  );
  assert.equal('aroundLatLng' in response, false);
  assert.equal(response.hits.length, 2);
});

test('an address that cannot be located gives no point to measure a radius from, and no cached response', async (t) => {
  let point: { lat: number; lng: number } | undefined;
  const { post } = anApp(t, { locate: () => point });
  for (let i = 0; i < 3; i++) {
    const response = (await post('query', 'query=par&aroundLatLngViaIP=true')).json();
    assert.equal('aroundLatLng' in response, false);
    const restricted = await post('query', 'query=par&aroundLatLngViaIP=true&aroundRadius=5000');
    assert.equal(restricted.statusCode, 400);
    assert.equal(
      restricted.json().message,
      'aroundLatLngViaIP: 127.0.0.1 could not be located, so aroundRadius has no point; give aroundLatLng',
    );
  }
  point = { lat: 48.8, lng: 2.3 };
  assert.equal((await post('query', 'query=par&aroundLatLngViaIP=true')).json().aroundLatLng, '48.8,2.3');
  assert.equal((await post('query', 'query=par&aroundLatLngViaIP=true&aroundRadius=5000')).statusCode, 200);
});

test("aroundLatLngViaIP=true is the caller's own address, seen through trusted proxies", async (t) => {
  const { post } = anApp(t, { trustedProxies: [LOOPBACK] });
  const response = (
    await post('query', 'aroundLatLngViaIP=true', { headers: { 'x-forwarded-for': '203.0.113.7' } })
  ).json();
  assert.equal(response.aroundLatLng, '48.8,2.3');
});

test('names are HTML-escaped in highlights, inside and outside the marks', async (t) => {
  const engine = await anEngine([aPlace({ id: 'G1', name: `L'Aquila & "<b>"` })]);
  const { post } = anApp(t, { engine: () => engine });
  const { hits } = (await post('query', "query=l'aq")).json();
  assert.equal(hits[0].name, `L'Aquila & "<b>"`);
  assert.equal(hits[0]._highlightResult.name.value, '<em>L&#39;Aq</em>uila &amp; &quot;&lt;b&gt;&quot;');
});

test('only a search that was cut short says so', async (t) => {
  let isExhaustive = false;
  const engine = withOverrides(appEngine, {
    search: () => ({ hits: [], total: 0, isTotalExact: isExhaustive, isExhaustive }),
  });
  const { post } = anApp(t, { engine: () => engine, cacheBytes: 0 });
  const cut = (await post('query', 'query=a')).json();
  assert.deepEqual([cut.exhaustive, cut.exhaustiveNbHits], [false, false]);
  isExhaustive = true;
  const whole = (await post('query', 'query=b')).json();
  assert.equal('exhaustive' in whole, false);
  assert.equal('exhaustiveNbHits' in whole, false);
});

test('the response says if its total is an estimate and if its query was changed', async (t) => {
  const degraded = { query: 'paris', dropped: ['xyz'], corrected: [], expanded: [] };
  const engine = withOverrides(appEngine, {
    search: () => ({ hits: [], total: 1000, isTotalExact: false, isExhaustive: true, degraded }),
  });
  const { post } = anApp(t, { engine: () => engine });
  const response = (await post('query', 'query=paris+xyz')).json();
  assert.equal(response.exhaustiveNbHits, false);
  assert.deepEqual(response.degradedQuery, degraded);
});

test('new data is served without a restart', async (t) => {
  let engine = await anEngine([PARIS]);
  const { post } = anApp(t, { engine: () => engine });
  assert.equal((await post('id', 'objectID=G4717560')).statusCode, 404);
  engine = await anEngine([PARIS_TEXAS]);
  assert.equal((await post('id', 'objectID=G4717560')).statusCode, 200);
});

test('real responses match the schemas of the OpenAPI document, without other fields', async (t) => {
  const { request, post } = anApp(t);
  const cases: [Schema, unknown][] = [
    [ResultSchema, (await post('query', 'query=par&getRankingInfo=1&aroundLatLng=1,1')).json()],
    [ResultSchema, (await post('query', 'aroundLatLngViaIP=true')).json()],
    [ResultSchema, (await post('reverse', 'aroundLatLng=1,1')).json()],
    [ResultSchema, (await post('reverse', 'aroundLatLng=1,1&mode=containing')).json()],
    [FullRecordSchema, (await post('id', 'objectID=G2988507')).json()],
    [ErrorSchema, (await post('id', '')).json()],
    [ProblemSchema, (await post('id', '', { headers: { accept: 'application/problem+json' } })).json()],
    [ErrorSchema, (await request('/nothing')).json()],
  ];
  for (const [schema, response] of cases) {
    assert.deepEqual(schemaErrors(schema, response), [], JSON.stringify(response));
  }
});
