/** Widgets with a geocoder for Nominatim, unchanged, in Chromium: one is the example of docs/compat.md. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inChromium } from '../../../../test/support/chromium.ts';
import { exampleOf, openExample } from './example-page.ts';

const LEAFLET_CONTROL_PAGE = `
import * as L from 'leaflet';
import { Geocoder, geocoders } from 'leaflet-control-geocoder';

const geocoder = new geocoders.Nominatim({ serviceUrl: 'https://places.example.com/k/tpk_…/' });
const map = L.map('map').setView([20, 0], 2);
new Geocoder({ geocoder }).addTo(map);
`;

test(
  'leaflet-control-geocoder lists places, moves the map to the chosen one, and finds the place of a point',
  inChromium,
  async (context) => {
    const { page, problems } = await openExample(context, LEAFLET_CONTROL_PAGE, 'map, geocoder');
    await page.locator('.leaflet-control-geocoder-icon').click();
    const box = page.locator('.leaflet-control-geocoder-form input');
    await box.fill('paris');
    // the control tries to suggest places, which its geocoder for Nominatim refuses; it would drop an earlier search
    await page.locator('.leaflet-control-geocoder-throbber').waitFor();
    await box.press('Enter');
    const hits = page.locator('.leaflet-control-geocoder-alternatives li');
    await hits.first().waitFor();
    assert.equal(await hits.count(), 5);
    assert.match((await hits.first().textContent()) ?? '', /Paris.*Île-de-France France/);
    await hits.filter({ hasText: 'Texas' }).first().click();
    await page.waitForFunction('Math.abs(map.getCenter().lat - 33.66) < 0.1 && map.getZoom() > 8');
    const reverse = (zoom: number) =>
      page.evaluate(`geocoder.reverse({ lat: 51.4613, lng: -0.1156 }, map.options.crs.scale(${zoom}))
        .then(([{ name, center }]) => [name, center.lat, center.lng])`);
    assert.deepEqual(await reverse(10), ['London, Greater London, England, United Kingdom', 51.50853, -0.12574]);
    assert.deepEqual(await reverse(15), [
      'Brixton, London, Greater London, England, United Kingdom',
      51.46593,
      -0.10652,
    ]);
    assert.deepEqual(await page.evaluate('geocoder.reverse({ lat: 45, lng: -40 }, 1024)'), []);
    assert.deepEqual(problems, []);
  },
);

test(
  'leaflet-geosearch suggests places, shows the chosen one on the map, and finds the place of a point',
  inChromium,
  async (context) => {
    const { page, problems } = await openExample(context, exampleOf('compat.md', 'leaflet-geosearch'), 'map, provider');
    const box = page.locator('.leaflet-control-geosearch input, .leaflet-geosearch-bar input').first();
    await box.pressSequentially('reykjav', { delay: 60 });
    const hit = page.locator('.results > *', { hasText: 'Reykjavík' }).first();
    assert.match((await hit.textContent()) ?? '', /^Reykjavík, .*Iceland$/);
    await hit.click();
    await page.waitForFunction('Math.abs(map.getCenter().lat - 64.13) < 0.1 && map.getZoom() > 8');
    const found = await page.evaluate(`provider.search({ query: 'Paris, Texas' })
      .then(([{ x, y, label, bounds }]) => [x, y, label, bounds[0][0] < y && bounds[1][0] > y && bounds[0][1] < x])`);
    assert.deepEqual(found, [-95.55551, 33.66094, 'Paris, Lamar County, Texas, United States', true]);
    const at = await page.evaluate(`fetch(provider.endpoint({ query: { lat: 48.8584, lon: 2.2945 }, type: 1 }))
      .then((response) => response.json())
      .then((data) => provider.parse({ data }).map(({ label }) => label))`);
    assert.deepEqual(at, ['Paris, Île-de-France, France']);
    assert.deepEqual(problems, []);
  },
);
