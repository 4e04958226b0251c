import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAutocompleteSource } from '../src/autocomplete.ts';
import type { Hit } from '../src/client.ts';
import { createSearchClient } from '../src/instantsearch.ts';
import { createGeocoderApi } from '../src/maplibre-geocoder.ts';
import { aClient } from './fake-service.ts';

function aHit(name: string, bbox = [1, 2, 3, 4]) {
  const _highlightResult = { name: { value: `<em>${name}</em>`, matchLevel: 'full', matchedWords: [] } };
  return {
    objectID: `G-${name}`,
    name,
    label: `${name}, X`,
    type: 'town',
    bbox,
    _geoloc: { lat: 3, lng: 2 },
    _highlightResult,
  };
}

const aResult = (...names: string[]) => ({ hits: names.map((name) => aHit(name)), nbHits: names.length });

test('the source for Autocomplete delivers the hits of the newest text only', async (t) => {
  const { client, calls, advance } = aClient(t);
  const source = createAutocompleteSource(client, { hitsPerPage: 5 });
  const delivered: string[] = [];
  for (const query of ['p', 'pa']) {
    source.getItems({ query }).then((items) => delivered.push(...items.map((item) => source.templates.item({ item }))));
  }
  await advance(300);
  await calls[0]?.respond(200, aResult('Porto', 'Paris'));
  await calls[1]?.respond(200, aResult('Paris', 'Padua'));
  assert.deepEqual(delivered, ['Paris, X', 'Padua, X']);
  assert.deepEqual(calls[1]?.form, { query: 'pa', hitsPerPage: '5' });
});

test('the source for Autocomplete has no items for empty text, and makes no call', async (t) => {
  const { client, calls } = aClient(t);
  assert.deepEqual(await createAutocompleteSource(client).getItems({ query: ' ' }), []);
  assert.equal(calls.length, 0);
});

test('a failed call rejects, so that the widget can tell the user', async (t) => {
  const { client, calls } = aClient(t);
  const items = createAutocompleteSource(client).getItems({ query: 'p' });
  const rejected = assert.rejects(items, { code: 'key_unknown' });
  await calls[0]?.respond(401, { message: 'unknown', status: 401, code: 'key_unknown', requestId: 'r-1' });
  await rejected;
});

test('after 429 a widget gets the result of the retry, and the page is told meanwhile', async (t) => {
  const { client, calls, advance } = aClient(t);
  const told: string[] = [];
  const source = createAutocompleteSource(client, { onError: ({ code }, text) => told.push(`${text}: ${code}`) });
  const items = source.getItems({ query: 'p' });
  const refusal = { message: 'too many calls', status: 429, code: 'rate_limited', requestId: 'r-1' };
  await calls[0]?.respond(429, refusal, { 'retry-after': '30' });
  assert.deepEqual(told, ['p: rate_limited']);
  await advance(30_000);
  await calls[1]?.respond(200, aResult('Paris'));
  assert.deepEqual(
    (await items).map(({ name }) => name),
    ['Paris'],
  );
});

test('the client for InstantSearch answers each of several requests, and leaves out options of Algolia', async (t) => {
  const { client, calls } = aClient(t);
  const params = { query: 'par', facets: ['x'], highlightPreTag: '_' };
  const found = createSearchClient(client, { hitsPerPage: 5, countries: ['fr'] }).search([
    { indexName: 'one', params },
    { indexName: 'two', params: { ...params, hitsPerPage: 2, aroundLatLng: '1,2', aroundRadius: 'all' } },
  ]);
  assert.deepEqual(
    calls.map(({ form }) => form),
    [
      { query: 'par', hitsPerPage: '5', countries: 'fr' },
      { query: 'par', hitsPerPage: '2', countries: 'fr', aroundLatLng: '1,2' },
    ],
  );
  await calls[0]?.respond(200, aResult('Paris'));
  await calls[1]?.respond(200, aResult('Parma', 'Parla'));
  const { results } = await found;
  assert.deepEqual(
    results.map(({ index, nbHits, nbPages, hits }) => [index, nbHits, nbPages, hits.map((hit: Hit) => hit.name)]),
    [
      ['one', 1, 1, ['Paris']],
      ['two', 2, 1, ['Parma', 'Parla']],
    ],
  );
});

test('the client for InstantSearch marks matches as InstantSearch does, which escapes names itself', async (t) => {
  const { client, calls } = aClient(t);
  const found = createSearchClient(client).search([{ indexName: 'places', params: { query: 'x' } }]);
  await calls[0]?.respond(200, aResult('L&#39;A &amp;lt; B'));
  const [result] = (await found).results;
  assert.equal(result?.hits[0]?._highlightResult.name.value, "__ais-highlight__L'A &lt; B__/ais-highlight__");
});

test('the client for InstantSearch shows no hits before the user types', async (t) => {
  const { client, calls } = aClient(t);
  const { results } = await createSearchClient(client).search([{ indexName: 'places' }]);
  assert.deepEqual([results[0]?.hits, results[0]?.nbHits, calls.length], [[], 0, 0]);
});

test('the geocoder API takes the options of maplibre-gl-geocoder', async (t) => {
  const { client, calls } = aClient(t);
  const lists = { countries: ['fr', 'be'], types: ['city'], language: ['de'] } as unknown as { countries: string };
  const config = { query: 'par', limit: 3, bbox: [1, 47, 3, 49], proximity: [2.35, 48.85], ...lists };
  const found = createGeocoderApi(client).forwardGeocode(config);
  assert.deepEqual(calls[0]?.form, {
    query: 'par',
    hitsPerPage: '3',
    countries: 'fr,be',
    type: 'city',
    language: 'de',
    insideBoundingBox: '47,1,49,3',
    aroundLatLng: '48.85,2.35',
  });
  await calls[0]?.respond(200, { hits: [aHit('Paris'), aHit('Suva', [178, -19, -179, -17])], nbHits: 2 });
  const { type, features } = await found;
  assert.equal(type, 'FeatureCollection');
  assert.deepEqual(features[0], {
    type: 'Feature',
    id: 'G-Paris',
    geometry: { type: 'Point', coordinates: [2, 3] },
    properties: {},
    text: 'Paris',
    place_name: 'Paris, X',
    place_type: ['town'],
    center: [2, 3],
    bbox: [1, 2, 3, 4],
  });
  assert.deepEqual(features[1]?.bbox, [178, -19, 181, -17]);
});

test('the geocoder API finds the place that contains a point', async (t) => {
  const { client, calls } = aClient(t);
  const found = createGeocoderApi(client).reverseGeocode({ query: [10.11, 54.36], limit: 1 });
  assert.equal(calls[0]?.url, 'https://places.test/api/1/reverse');
  assert.deepEqual(calls[0]?.form, { aroundLatLng: '54.36,10.11', mode: 'containing', hitsPerPage: '1' });
  await calls[0]?.respond(200, aResult('Kiel'));
  assert.deepEqual((await found).features[0]?.text, 'Kiel');
});
