/** The addresses and settings of docs/guides/compat-clients.md, called as the programs named there do. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ADAPTER_NAMES } from '../../src/compat/compat-settings.ts';
import { aCompatApp, type CompatApp } from './a-compat-app.ts';

const GUIDE = readFileSync(new URL('../../../../docs/guides/compat-clients.md', import.meta.url), 'utf8');
const POINT = 'lat=48.853000&lon=2.350000';

/** The value of a setting of the guide. */
function setting(pattern: RegExp): string {
  const [, value] = pattern.exec(GUIDE) ?? assert.fail(`the guide has no ${pattern}`);
  return value!.replace('http://192.168.1.2:2322', '');
}

async function cityOf({ request, key }: CompatApp, url: string, headers: Record<string, string> = {}): Promise<string> {
  const { statusCode, body } = await request({ url: url.replace('tpk_…', key), headers });
  assert.equal(statusCode, 200, `${url}: ${body}`);
  return JSON.parse(body).features[0].properties.city;
}

test('Dawarich sends its key in the header X-Api-Key', async (t) => {
  const app = await aCompatApp(t, ADAPTER_NAMES);
  assert.equal(setting(/^ {2}PHOTON_API_HOST: (.*)$/m), '192.168.1.2:2322');
  // as version 1.8 of Ruby's geocoder does
  assert.equal(
    await cityOf(app, `/reverse?lang=en&limit=10&${POINT}&distance_sort=true`, { 'x-api-key': app.key }),
    'Paris',
  );
});

test('Traccar adds parameters to geocoder.url', async (t) => {
  const app = await aCompatApp(t, ADAPTER_NAMES);
  const url = setting(/'geocoder\.url'>(.*)</);
  assert.equal(await cityOf(app, `${url}?${POINT}&key=${setting(/'geocoder\.key'>(.*)</)}&lang=en`), 'Paris');
});

test('older versions of Traccar ask Nominatim, and read the town, state and country', async (t) => {
  const app = await aCompatApp(t, ADAPTER_NAMES);
  const url = setting(/`(http:\S+nominatim\/reverse)`/);
  const { body } = await app.get(`${url}?format=json&${POINT}&zoom=18&addressdetails=1`);
  const { display_name, address } = JSON.parse(body);
  assert.equal(display_name, 'Paris, Île-de-France, France');
  assert.deepEqual(address, { city: 'Paris', state: 'Île-de-France', country: 'France', country_code: 'fr' });
});

test('QGIS replaces the query of its endpoint, and reads names and coordinates as texts', async (t) => {
  const { request, key } = await aCompatApp(t, ADAPTER_NAMES);
  const url = setting(/QgsNominatimGeocoder\('', '(.*)'\)/).replace('tpk_…', key);
  const { statusCode, body } = await request(`${url}?format=json&addressdetails=1&viewbox=-96,33,-95,34&q=paris`);
  assert.equal(statusCode, 200, body);
  const [first] = JSON.parse(body);
  assert.match(first.lat, /^33\.66/);
  assert.match(first.display_name, /^Paris, Texas/);
  assert.equal(first.boundingbox.length, 4);
});

test('Home Assistant fills in the coordinates', async (t) => {
  const app = await aCompatApp(t, ADAPTER_NAMES);
  const template = setting(/resource_template: "(.*)"/);
  const url = template.replace(/\{\{.*?'latitude'.*?\}\}/, '48.853').replace(/\{\{.*?'longitude'.*?\}\}/, '2.35');
  assert.doesNotMatch(url, /[{}]/);
  assert.equal(await cityOf(app, url, { 'x-api-key': app.key }), 'Paris');
});

test('the formula for LibreOffice takes the coordinates out of the response', async (t) => {
  const app = await aCompatApp(t, ADAPTER_NAMES);
  const [, url = '', pattern = ''] = /WEBSERVICE\("(.*)" & ENCODEURL\(A1\)\); "(.*)"; "\$1"/.exec(GUIDE) ?? [];
  const { body } = await app.request(`${url.replace('http://192.168.1.2:2322', '').replace('tpk_…', app.key)}paris`);
  assert.equal(body.replace(new RegExp(pattern), '$1'), '2.3488,48.85341');
});
