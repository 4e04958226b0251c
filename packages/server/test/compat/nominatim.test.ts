import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { parseCidr } from 'toponym-access/address';
import { anEngine, aPlace, withOverrides } from '../../../../test/support/an-engine.ts';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import { loadAdapters } from '../../src/compat/compat-routes.ts';
import { appEngine, LOOPBACK, limitsWith, MONTMARTRE, PARIS, PARIS_TEXAS } from '../http/an-app.ts';
import { aCompatApp } from './a-compat-app.ts';

const PARIS_ID = 2988507;
const TEXAS_ID = 4717560;
const MONTMARTRE_ID = 2992090;

const PARIS_FIELDS = {
  place_id: 77701188,
  osm_type: 'node',
  osm_id: PARIS_ID,
  category: 'place',
  type: 'city',
  place_rank: 16,
  importance: 0.6707,
  addresstype: 'city',
  name: 'Paris',
  display_name: 'Paris, Île-de-France, France',
};
const PARIS_ADDRESS = { city: 'Paris', state: 'Île-de-France', country: 'France', country_code: 'fr' };

const anEngineOf = async (...places: Parameters<typeof anEngine>) => {
  const engine = await anEngine(...places);
  return { engine: () => engine };
};

/** The numbers of the places in a JSON response. */
const idsIn = (body: string) => [JSON.parse(body)].flat().map(({ osm_id }: { osm_id: number }) => osm_id);

async function expectIds(t: TestContext, cases: readonly (readonly [string, readonly number[]])[]) {
  const app = await aCompatApp(t, ['nominatim']);
  for (const [url, expected] of cases) assert.deepEqual(idsIn((await app.get(url)).body), expected, url);
}

test('a search returns a list with the fields of Nominatim, and coordinates as texts', async (t) => {
  const app = await aCompatApp(t, ['nominatim']);
  const { statusCode, headers, body } = await app.get('/search?q=paris&limit=1&addressdetails=1');
  assert.equal(statusCode, 200);
  assert.match(String(headers['content-type']), /^application\/json/);
  const [{ boundingbox, ...place }, ...others] = JSON.parse(body);
  assert.deepEqual(others, []);
  const coordinates = { lat: '48.8534100', lon: '2.3488000' };
  assert.deepEqual(place, { ...PARIS_FIELDS, licence: 'Test data', ...coordinates, address: PARIS_ADDRESS });
  const [south, north, west, east] = boundingbox.map(Number);
  assert.ok(south < 48.85341 && north > 48.85341 && west < 2.3488 && east > 2.3488);
  for (const degrees of boundingbox) assert.match(degrees, /^-?\d+\.\d{7}$/);
});

test('format=json calls the category class', async (t) => {
  const app = await aCompatApp(t, ['nominatim']);
  const [place] = (await app.get('/search?q=paris&format=json')).json();
  assert.equal(place.class, 'place');
  assert.equal('category' in place, false);
});

test('format=geojson is a FeatureCollection with a licence, and a bbox for each place', async (t) => {
  const app = await aCompatApp(t, ['nominatim']);
  const { features, ...others } = (await app.get('/search?q=paris&limit=1&format=geojson&addressdetails=1')).json();
  assert.deepEqual(others, { type: 'FeatureCollection', licence: 'Test data' });
  const [{ bbox, ...feature }] = features;
  assert.deepEqual(feature, {
    type: 'Feature',
    properties: { ...PARIS_FIELDS, address: PARIS_ADDRESS },
    geometry: { type: 'Point', coordinates: [2.3488, 48.85341] },
  });
  const [west, south, east, north] = bbox;
  assert.ok(south < 48.85341 && north > 48.85341 && west < 2.3488 && east > 2.3488);
});

test('format=geocodejson has the place below geocoding', async (t) => {
  const app = await aCompatApp(t, ['nominatim'], await anEngineOf([PARIS, MONTMARTRE]));
  const { geocoding, features } = (await app.get('/search?q=montmartre&format=geocodejson')).json();
  assert.deepEqual(geocoding, {
    version: '0.1.0',
    attribution: 'Test data',
    licence: 'Test data',
    query: 'montmartre',
  });
  assert.deepEqual(features[0].properties.geocoding, {
    place_id: 77794346,
    osm_type: 'node',
    osm_id: MONTMARTRE_ID,
    osm_key: 'place',
    osm_value: 'suburb',
    type: 'district',
    label: 'Montmartre, Paris, Île-de-France, France',
    name: 'Montmartre',
    city: 'Paris',
    district: 'Montmartre',
    state: 'Île-de-France',
    country: 'France',
    country_code: 'fr',
  });
});

test('the box of a place on the antimeridian spans all longitudes, as in Nominatim', async (t) => {
  const box = { south: -17, west: 179.9, north: -16.5, east: -179.8 };
  const app = await aCompatApp(
    t,
    ['nominatim'],
    await anEngineOf([aPlace({ name: 'Taveuni', lat: -16.8, lng: 180, box })]),
  );
  const [{ boundingbox }] = (await app.get('/search?q=taveuni')).json();
  assert.deepEqual(boundingbox, ['-17.0000000', '-16.5000000', '-180.0000000', '180.0000000']);
  const { features } = (await app.get('/search?q=taveuni&format=geojson')).json();
  assert.deepEqual(features[0].bbox, [-180, -17, 180, -16.5]);
});

test('the address names each part by its kind, and the display name has each name once', async (t) => {
  const springfield = { name: 'Springfield', country: 'US', admin1: 'US.IL', admin2: 'US.IL.167' } as const;
  const places = [
    PARIS,
    MONTMARTRE,
    aPlace({ id: 'N7', ...springfield, type: 'town' }),
    aPlace({ id: 'W8', name: 'New York', type: 'hamlet', country: 'US', admin1: 'US.NY', lat: 40, lng: -75 }),
  ];
  const app = await aCompatApp(t, ['nominatim'], await anEngineOf(places));
  const shown = async (q: string) => {
    const [{ osm_type, address, display_name }] = (await app.get(`/search?q=${q}&addressdetails=1`)).json();
    return { osm_type, display_name, parts: Object.keys(address) };
  };
  assert.deepEqual(await shown('montmartre'), {
    osm_type: 'node',
    display_name: 'Montmartre, Paris, Île-de-France, France',
    parts: ['suburb', 'city', 'state', 'country', 'country_code'],
  });
  assert.deepEqual(await shown('springfield'), {
    osm_type: 'node',
    display_name: 'Springfield, Sangamon County, Illinois, United States',
    parts: ['town', 'county', 'state', 'country', 'country_code'],
  });
  assert.deepEqual(await shown('new+york'), {
    osm_type: 'way',
    display_name: 'New York, United States',
    parts: ['hamlet', 'state', 'country', 'country_code'],
  });
});

test('a search has no address, a reverse lookup has one; addressdetails changes that', async (t) => {
  const app = await aCompatApp(t, ['nominatim']);
  const hasAddress = async (url: string) => 'address' in [(await app.get(url)).json()].flat()[0];
  assert.equal(await hasAddress('/search?q=paris'), false);
  assert.equal(await hasAddress('/search?q=paris&addressdetails=0'), false);
  assert.equal(await hasAddress('/search?q=paris&addressdetails=True'), true);
  assert.equal(await hasAddress('/lookup?osm_ids=N2988507'), false);
  assert.equal(await hasAddress('/lookup?osm_ids=N2988507&addressdetails=1'), true);
  assert.equal(await hasAddress('/reverse?lat=48.85&lon=2.35'), true);
  assert.equal(await hasAddress('/reverse?lat=48.85&lon=2.35&addressdetails=0'), false);
});

test('names, population and the geometry are shown on request', async (t) => {
  const rome = aPlace({
    id: 'R41485',
    name: 'Roma',
    population: 2_800_000,
    alternateNames: ['Urbs', { value: 'Rome', kind: 'alternate', language: 'en' }],
  });
  const app = await aCompatApp(t, ['nominatim'], await anEngineOf([rome]));
  const url = '/search?q=roma&namedetails=1&extratags=1&polygon_geojson=1&accept-language=en-GB,en;q=0.5';
  const [place] = (await app.get(url)).json();
  assert.equal(place.name, 'Rome');
  assert.deepEqual(place.namedetails, { name: 'Roma', 'name:en': 'Rome', alt_name: 'Roma;Urbs' });
  assert.deepEqual(place.extratags, { population: '2800000' });
  assert.deepEqual(place.geojson, { type: 'Point', coordinates: [2, 47] });
  assert.equal(place.osm_type, 'relation');
});

test('the parameter accept-language wins over the header', async (t) => {
  const names = [{ value: 'Rome', kind: 'alternate', language: 'en' } as const];
  const app = await aCompatApp(t, ['nominatim'], await anEngineOf([aPlace({ name: 'Roma', alternateNames: names })]));
  const nameOf = async (url: string, header: string) =>
    (await app.get(url, { headers: { 'accept-language': header } })).json()[0].name;
  assert.equal(await nameOf('/search?q=roma', 'en-US,en;q=0.9'), 'Rome');
  assert.equal(await nameOf('/search?q=roma', '*'), 'Roma');
  assert.equal(await nameOf('/search?q=roma&accept-language=it', 'en'), 'Roma');
  assert.equal(await nameOf('/search?q=roma&accept-language=en,it;q=0.5', 'it'), 'Rome');
  assert.equal(await nameOf('/search?q=roma&accept-language=', 'en'), 'Rome');
});

test('filters of a search: limit, countries, viewbox, kinds of places, places to leave out', async (t) => {
  await expectIds(t, [
    ['/search?q=paris', [PARIS_ID, TEXAS_ID]],
    ['/search.php?q=paris&limit=1', [PARIS_ID]],
    ['/search?q=paris&countrycodes=us', [TEXAS_ID]],
    ['/search?q=paris&countrycodes=US,%20gb', [TEXAS_ID]],
    ['/search?q=paris&viewbox=-96,33,-95,34', [TEXAS_ID, PARIS_ID]],
    ['/search?q=paris&viewbox=-95,34,-96,33&bounded=1', [TEXAS_ID]],
    ['/search?q=paris&viewbox=-96,33,-95,34&bounded=0', [TEXAS_ID, PARIS_ID]],
    ['/search?q=paris&viewbox=-96,34,-95,33&bounded=1', [TEXAS_ID]],
    ['/search?q=paris&bounded=1', [PARIS_ID, TEXAS_ID]],
    ['/search?q=paris&viewbox=-180,-90,180,90', [PARIS_ID, TEXAS_ID]],
    ['/search?q=montmartre&featureType=city', []],
    ['/search?q=montmartre&featuretype=settlement', [MONTMARTRE_ID]],
    ['/search?q=paris&featureType=country', []],
    ['/search?q=paris&featuretype=state', []],
    ['/search?q=paris&limit=1&exclude_place_ids=77701188', [TEXAS_ID]],
    ['/search?q=paris&exclude_place_ids=77701188,122656566', []],
    ['/search?q=paris&dedupe=0&email=a@example.com&polygon_svg=1&polygon_threshold=0.1&debug=0', [PARIS_ID, TEXAS_ID]],
    ['/search?q=nowhere-at-all', []],
  ]);
});

test('the middle of a viewbox is the point, across the antimeridian, too', async (t) => {
  const asked: unknown[] = [];
  const search: typeof appEngine.search = (query) => {
    asked.push(query.around);
    return appEngine.search(query);
  };
  const app = await aCompatApp(t, ['nominatim'], { engine: () => withOverrides(appEngine, { search }) });
  for (const box of ['10,50,12,52', '178,-20,-176,-10', '-40,0,40,10']) await app.get(`/search?q=x&viewbox=${box}`);
  assert.deepEqual(asked, [{ lat: 51, lng: 11 }, { lat: -15, lng: -179 }, undefined]);
});

test('structured queries: a country is a name or a code, and unknown parts are ignored', async (t) => {
  await expectIds(t, [
    ['/search?city=paris', [PARIS_ID, TEXAS_ID]],
    ['/search?city=paris&state=texas', [TEXAS_ID]],
    ['/search?town=paris&country=united+states', [TEXAS_ID]],
    ['/search?city=paris&country=US', [TEXAS_ID]],
    ['/search?village=paris&country=fr&countrycodes=', [PARIS_ID]],
    ['/search?city=paris&street=5+rue+lepic&postalcode=&country=france', [PARIS_ID]],
    ['/search?state=texas&country=us', [TEXAS_ID]],
    ['/search?country=fr&limit=1', [PARIS_ID]],
    ['/search?street=5+rue+lepic', []],
  ]);
  const london = aPlace({ name: 'London', country: 'GB', id: 'G2643743' });
  const app = await aCompatApp(t, ['nominatim'], await anEngineOf([london, PARIS_TEXAS]));
  assert.deepEqual(idsIn((await app.get('/search?city=london&country=UK')).body), [2643743]);
});

test('a reverse lookup returns the place that the point is in: a suburb, or at a lower zoom the city', async (t) => {
  const app = await aCompatApp(t, ['nominatim'], await anEngineOf([PARIS, MONTMARTRE]));
  const at = 'lat=48.8833&lon=2.3333';
  const shown = async (url: string) => (await app.get(url)).json();
  for (const zoom of [13, 14, 18, 21]) {
    const { osm_id, address } = await shown(`/reverse?${at}&zoom=${zoom}`);
    assert.equal(osm_id, MONTMARTRE_ID);
    assert.deepEqual(address, { suburb: 'Montmartre', ...PARIS_ADDRESS });
  }
  for (const zoom of [0, 3, 5, 8, 10, 12]) {
    assert.equal((await shown(`/reverse.php?${at}&zoom=${zoom}`)).osm_id, PARIS_ID);
  }
  assert.equal((await shown(`/reverse?${at}`)).osm_id, MONTMARTRE_ID);
  assert.equal((await shown('/reverse?lat=48.84&lon=2.3')).osm_id, PARIS_ID);
  assert.equal((await shown(`/reverse?${at}&format=geojson`)).features[0].properties.osm_id, MONTMARTRE_ID);
});

test('at a low zoom, a hamlet gives way to the nearest town', async (t) => {
  const hamlet = aPlace({ name: 'Le Hameau', type: 'hamlet', lat: 47, lng: 2, population: 40 });
  const town = aPlace({ name: 'La Ville', type: 'town', lat: 47.05, lng: 2, population: 9000 });
  const app = await aCompatApp(t, ['nominatim'], await anEngineOf([hamlet, town]));
  const nameAt = async (zoom: number) => (await app.get(`/reverse?lat=47&lon=2&zoom=${zoom}`)).json().name;
  assert.equal(await nameAt(16), 'Le Hameau');
  assert.equal(await nameAt(10), 'La Ville');
});

test('a point at sea is in no place', async (t) => {
  const reverse: typeof appEngine.reverse = (query) => ({ ...appEngine.reverse(query), pointCountry: null });
  const app = await aCompatApp(t, ['nominatim'], { engine: () => withOverrides(appEngine, { reverse }) });
  const nothing = { error: 'Unable to geocode' };
  for (const format of ['json', 'jsonv2', 'geojson', 'geocodejson']) {
    const { statusCode, body } = await app.get(`/reverse?lat=45&lon=-40&format=${format}`);
    assert.equal(statusCode, 200);
    assert.deepEqual(JSON.parse(body), nothing);
  }
  assert.equal((await app.get('/reverse?lat=48.85&lon=2.35')).json().name, 'Paris');
});

test('a lookup finds places by the numbers that results show, in the order of the numbers', async (t) => {
  const places = [PARIS, PARIS_TEXAS, aPlace({ id: 'R7', name: 'Seven' }), aPlace({ id: 'F8', name: 'Eight' })];
  const engine = await anEngineOf([...places, aPlace({ id: 'N4717560', name: 'Node' })]);
  const app = await aCompatApp(t, ['nominatim'], engine);
  const names = async (url: string) => (await app.get(url)).json().map(({ name }: { name: string }) => name);
  assert.deepEqual(await names('/lookup?osm_ids=R7,N2988507'), ['Seven', 'Paris']);
  assert.deepEqual(await names('/lookup.php?osm_ids=n8,%20N4717560,,'), ['Eight', 'Node']);
  assert.deepEqual(await names('/lookup?osm_ids=W7,R8,N1'), []);
  const { features } = (await app.get('/lookup?osm_ids=R7&format=geojson')).json();
  assert.equal(features[0].properties.name, 'Seven');
});

test('a lookup has at most 20 ids, or as many as the key allows', async (t) => {
  const app = await aCompatApp(t, ['nominatim']);
  const url = (count: number) => `/lookup?osm_ids=${Array(count).fill('N2988507').join()}`;
  assert.equal((await app.get(url(20))).json().length, 20);
  assert.match((await app.get(url(21))).json().error.message, /^osm_ids: must be 20 ids or fewer, got 21/);
  const key = app.createKey({ maxRecords: 2 });
  assert.equal((await app.request(`/k/${key}${url(2)}`)).json().length, 2);
  assert.match((await app.request(`/k/${key}${url(3)}`)).json().error.message, /must be 2 ids or fewer, got 3/);
});

test('status is a text, or JSON with format=json', async (t) => {
  const dataset = { ...appEngine.dataset, version: 'geonames-2026-05-02' };
  const app = await aCompatApp(t, ['nominatim'], { engine: () => withOverrides(appEngine, { dataset }) });
  for (const url of ['/status', '/status.php?format=text']) {
    const { headers, body } = await app.get(url);
    assert.equal(body, 'OK');
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  }
  assert.deepEqual((await app.get('/status?format=json')).json(), {
    status: 0,
    message: 'OK',
    data_updated: '2026-05-02T00:00:00+00:00',
    database_version: 'geonames-2026-05-02',
  });
});

test('bad input is status 400 with an error as Nominatim has it, which names the parameter', async (t) => {
  const app = await aCompatApp(t, ['nominatim']);
  const cases = [
    ['/search', /^nothing to search for: q is required/],
    ['/search?q=%20&city=', /^nothing to search for/],
    ['/search?q=paris&city=paris', /^q: must not be given together with city/],
    ['/search?q=paris&street=x', /^q: must not be given together with street/],
    [`/search?q=${'x'.repeat(600)}`, /^q: must not be longer/],
    [`/search?city=${'x'.repeat(300)}&state=${'x'.repeat(300)}`, /^city,state: must not be longer/],
    ['/search?q=x&format=xml', /^format: must be one of jsonv2, json, geojson, geocodejson, got "xml"/],
    ['/search?q=x&format=JSON', /^format: must be one of/],
    ['/search?q=x&limit=0', /^limit: must be an integer/],
    ['/search?q=x&limit=many', /^limit: must be an integer/],
    ['/search?q=x&countrycodes=usa', /^countrycodes: must be two-letter/],
    ['/search?q=x&viewbox=1,2,3', /^viewbox: must be west,south,east,north/],
    ['/search?q=x&viewbox=1,2,3,x', /^viewbox: must be west,south,east,north .* got "1,2,3,x"$/],
    ['/search?q=x&viewbox=1,95,3,4', /^viewbox: latitude/],
    ['/search?q=x&featureType=planet', /^featureType: must be one of country, state, city, settlement, got "planet"/],
    ['/search?q=x&featuretype=toString', /^featuretype: must be one of/],
    ['/search?q=%zz', /^q: "%zz" is not a percent escape/],
    ['/search?q=%00', /^q: must not contain NUL/],
    ['/reverse', /^lat and lon are required/],
    ['/reverse?lat=1', /^lat,lon: must be/],
    ['/reverse?lat=91&lon=0', /^lat,lon: latitude/],
    ['/reverse?lat=1&lon=NaN', /^lat,lon: must be/],
    ['/reverse?lat=1&lon=1&zoom=far', /^zoom: must be a number from 0 to 18, got "far"/],
    ['/reverse?lat=1&lon=1&zoom=Infinity', /^zoom: must be a number/],
    ['/reverse?lat=1&lon=1&format=html', /^format: must be one of/],
    ['/lookup', /^osm_ids is required/],
    ['/lookup?osm_ids=,', /^osm_ids is required/],
    ['/lookup?osm_ids=240109189', /^osm_ids: must be numbers after N, W or R/],
    ['/lookup?osm_ids=X1', /^osm_ids: must be numbers after N, W or R/],
    [`/lookup?osm_ids=N${'9'.repeat(30)}`, /^osm_ids: must be numbers/],
    ['/status?format=xml', /^format: must be one of text, json, got "xml"/],
  ] as const;
  for (const [url, pattern] of cases) {
    const { statusCode, body } = await app.get(url);
    assert.equal(statusCode, 400, url);
    const { error, ...others } = JSON.parse(body);
    assert.deepEqual(others, {}, url);
    assert.equal(error.code, 400, url);
    assert.match(error.message, pattern, url);
  }
});

test('generated requests get a result or an error of Nominatim', async (t) => {
  const app = await aCompatApp(t, ['nominatim'], limitsWith({}, { defaultPerMinute: 1000 }));
  const random = seededRandom(5);
  const pick = <T>(values: readonly T[]) => values[random(values.length)]!;
  const names = 'q city state country postalcode street format limit addressdetails countrycodes viewbox bounded';
  const others = 'accept-language namedetails extratags featureType exclude_place_ids lat lon zoom osm_ids __proto__';
  const values = `paris us UK 0 -1 1e309 NaN 48.85 2.35 91 -96,33,-95,34 170,-20,-170,20 1,2,3 N2988507 R1,X2 city country
    json jsonv2 geojson geocodejson text xml en-US,en;q=0.5 * ;;, constructor %00 %zz %ED%A0%80 %E6%9D%B1`;
  const statuses = new Set<number>();
  for (let i = 0; i < 600; i++) {
    const pairs = Array.from(
      { length: random(6) },
      () => `${pick(`${names} ${others}`.split(' '))}=${pick(values.split(/\s+/))}`,
    );
    const url = `/${pick(['search', 'reverse', 'lookup', 'status'])}?${pairs.join('&')}`;
    const { statusCode, body } = await app.get(url);
    statuses.add(statusCode);
    assert.ok(statusCode === 200 || statusCode === 400, `${url}: ${statusCode}`);
    if (statusCode === 400) assert.deepEqual(Object.keys(JSON.parse(body).error), ['code', 'message'], url);
    else if (body !== 'OK') JSON.parse(body);
  }
  assert.equal(statuses.size, 2);
});

test('errors about keys, addresses and limits have the same shape', async (t) => {
  const create = await loadAdapters(['nominatim']);
  const app = await aCompatApp(t, ['nominatim'], {
    ...limitsWith({}, { defaultPerMinute: 3 }),
    findCompatRoutes: (calls) =>
      create(calls, { allowedCallers: [parseCidr('127.0.0.0/8')!], isOpen: false, allowedHosts: [] }),
    trustedProxies: [LOOPBACK],
  });
  const errorOf = async (url: string, remoteAddress?: string) => {
    const response = await app.request({ url, remoteAddress });
    const { error, ...others } = response.json();
    assert.deepEqual(others, {});
    assert.equal(error.code, response.statusCode);
    return `${error.code} ${error.message}`;
  };
  const url = `/search?q=paris&key=${app.key}`;
  assert.match(
    await errorOf('/search?q=paris'),
    /^401 an API key is required: as the parameter key of the URL, before the path/,
  );
  assert.match(await errorOf('/search?q=paris&key=x'), /^401 .*unknown/);
  assert.match(
    await errorOf(url, '203.0.113.9'),
    /^403 this port answers those of --compat-from, by default private addresses, and you are 203/,
  );
  assert.equal((await app.request(url)).statusCode, 200);
  assert.match(await errorOf(url), /^429 .*more than 3 calls/);
});

test('with Photon, too, the parameters of Nominatim decide whose path is meant', async (t) => {
  const app = await aCompatApp(t, ['photon', 'nominatim']);
  const isNominatim = async (url: string) => {
    const { headers, body } = await app.get(url);
    return String(headers['content-type']).startsWith('text/') || !/"features"|import_date|"Ok"/.test(body);
  };
  const at = 'lat=48.85&lon=2.35';
  const own = ['format=json', 'zoom=10', 'addressdetails=1', 'accept-language=de', 'namedetails=1', 'extratags=1'];
  for (const parameter of own) assert.equal(await isNominatim(`/reverse?${at}&${parameter}`), true, parameter);
  for (const url of [`/reverse?${at}`, `/reverse?${at}&limit=2&radius=3&lang=de`, '/status', `/photon/reverse?${at}`]) {
    assert.equal(await isNominatim(url), false, url);
  }
  for (const url of ['/status?format=json', `/nominatim/reverse?${at}`, '/nominatim/status', '/search?q=paris']) {
    assert.equal(await isNominatim(url), true, url);
  }
  assert.equal(await isNominatim('/photon/reverse?lat=48.85&lon=2.35&zoom=3'), false);
});
