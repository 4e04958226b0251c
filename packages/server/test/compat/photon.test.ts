import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withOverrides } from '../../../../test/support/an-engine.ts';
import { appEngine } from '../http/an-app.ts';
import { aCompatApp } from './a-compat-app.ts';

test('a search returns GeoJSON with the properties of Photon', async (t) => {
  const app = await aCompatApp(t, ['photon']);
  const { statusCode, body } = await app.get('/api?q=paris&limit=1');
  assert.equal(statusCode, 200);
  const { type, features } = JSON.parse(body);
  assert.equal(type, 'FeatureCollection');
  assert.equal(features.length, 1);
  const [{ geometry, properties }] = features;
  assert.deepEqual(geometry, { type: 'Point', coordinates: [2.3488, 48.85341] });
  const { extent, ...others } = properties;
  assert.deepEqual(others, {
    osm_type: 'N',
    osm_id: 2988507,
    osm_key: 'place',
    osm_value: 'city',
    type: 'city',
    name: 'Paris',
    city: 'Paris',
    state: 'Île-de-France',
    country: 'France',
    countrycode: 'FR',
  });
  const [west, north, east, south] = extent;
  assert.ok(west < 2.3488 && east > 2.3488 && south < 48.85341 && north > 48.85341);
});

const names = (body: string) =>
  JSON.parse(body).features.map(({ properties }: { properties: { osm_id: number } }) => properties.osm_id);

test('filters: countries, box, layers and tags', async (t) => {
  const app = await aCompatApp(t, ['photon']);
  const cases: readonly (readonly [string, readonly number[]])[] = [
    ['q=paris', [2988507, 4717560]],
    ['q=paris&lat=33.6&lon=-95.5', [4717560, 2988507]],
    ['q=paris&lat=33.6&lon=-95.5&zoom=5', [4717560, 2988507]],
    ['q=paris&lat=33.6&lon=-95.5&zoom=4', [2988507, 4717560]],
    ['q=paris&countrycode=us', [4717560]],
    ['q=paris&bbox=-96,33,-95,34', [4717560]],
    ['q=montmartre&layer=district', [2992090]],
    ['q=montmartre&layer=city', []],
    ['q=paris&layer=country', []],
    ['q=paris&osm_tag=place:town', [4717560]],
    ['q=paris&osm_tag=!place:town', [2988507]],
    ['q=paris&osm_tag=:city', [2988507]],
    ['q=paris&osm_tag=place', [2988507, 4717560]],
    ['q=paris&osm_tag=tourism', []],
    ['q=paris&osm_tag=place:!town', [2988507]],
    ['q=paris&osm_tag=:!town', [2988507]],
    ['q=paris&osm_tag=!:town', [2988507]],
    ['q=paris&osm_tag=!place', []],
    ['q=paris&osm_tag=tourism:!museum', []],
    ['q=paris&osm_tag=a%0A:%0Ab', []],
    ['q=paris&osm_tag=!tourism:museum', [2988507, 4717560]],
  ];
  for (const [query, expected] of cases) {
    assert.deepEqual(names((await app.get(`/api?${query}`)).body), expected, query);
  }
});

test('a reverse lookup returns the place that the point is in; a radius leaves out others', async (t) => {
  const app = await aCompatApp(t, ['photon']);
  assert.deepEqual(names((await app.get('/reverse?lat=48.84&lon=2.3')).body), [2988507]);
  assert.deepEqual(names((await app.get('/reverse?lat=33.66&lon=-95.55&limit=20&radius=50')).body), [4717560]);
  assert.deepEqual(names((await app.get('/reverse?lat=33.66&lon=-95.55&limit=20')).body), [4717560, 2992090, 2988507]);
});

test('a point at sea is in no place', async (t) => {
  const reverse: typeof appEngine.reverse = (query) => ({ ...appEngine.reverse(query), pointCountry: null });
  const app = await aCompatApp(t, ['places', 'photon'], { engine: () => withOverrides(appEngine, { reverse }) });
  assert.deepEqual(names((await app.get('/reverse?lat=-35&lon=-120')).body), []);
  const { hits, nbHits } = (await app.get('/1/places/reverse?aroundLatLng=-35,-120')).json();
  assert.deepEqual({ hits, nbHits }, { hits: [], nbHits: 0 });
});

test('bad input is status 400 with a message that names the parameter', async (t) => {
  const app = await aCompatApp(t, ['photon']);
  const cases = [
    ['/api', /'q'/],
    ['/api?q=', /'q'/],
    [`/api?q=${'x'.repeat(600)}`, /^q: must not be longer/],
    ['/api?q=x&limit=0', /^limit: must be an integer/],
    ['/api?q=x&lat=91&lon=0', /^lat,lon: latitude/],
    ['/api?q=x&lat=1', /^lat,lon: must be/],
    ['/api?q=x&zoom=near', /^zoom: must be a number/],
    ['/api?q=x&bbox=1,2,3', /^bbox: must be west/],
    ['/api?q=x&bbox=1,2,3,x', /^bbox: must be west,south,east,north .* got "1,2,3,x"$/],
    ['/api?q=x&layer=planet', /^layer: must be some of house, .*, got "planet"/],
    ['/api?q=x&countrycode=usa', /^countrycode: /],
    ['/api?q=%zz', /^q: "%zz" is not a percent escape/],
    ['/reverse', /lat and lon are required/],
    ['/reverse?lat=1&lon=1&radius=-2', /^radius: /],
  ] as const;
  for (const [url, pattern] of cases) {
    const { statusCode, body } = await app.get(url);
    assert.equal(statusCode, 400, url);
    assert.deepEqual(Object.keys(JSON.parse(body)), ['message'], url);
    assert.match(JSON.parse(body).message, pattern, url);
  }
});

test('status tells the version of the data', async (t) => {
  const app = await aCompatApp(t, ['photon']);
  assert.equal(JSON.parse((await app.get('/status')).body).status, 'Ok');
});
