/** Widgets with a geocoder for Photon, unchanged, in Chromium: one is that of docs/guides/compat-clients.md. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inChromium } from '../../../../test/support/chromium.ts';
import { exampleOf, openExample } from './example-page.ts';

/** As people type. */
const TYPING = { delay: 60 };
/** The code of a page for Photon, with another address. */
const MAPLIBRE_PAGE = `
import MaplibreGeocoder from '@maplibre/maplibre-gl-geocoder';
import * as maplibregl from 'maplibre-gl';

const geocoderApi = {
  forwardGeocode: async ({ query, limit }) => {
    const parameters = new URLSearchParams({ q: query, limit });
    const response = await fetch(\`https://places.example.com/k/tpk_…/photon/api?\${parameters}\`);
    const { type, features } = await response.json();
    return { type, features: features.map(toCarmen) };
  },
};

function toCarmen(feature) {
  const { name, state, country } = feature.properties;
  const place_name = [name, state, country].filter(Boolean).join(', ');
  return { ...feature, text: name, place_name, place_type: ['place'], center: feature.geometry.coordinates };
}

const map = new maplibregl.Map({ container: 'map', style: { version: 8, sources: {}, layers: [] } });
map.addControl(new MaplibreGeocoder(geocoderApi, { maplibregl, showResultsWhileTyping: true }));
`;

test(
  'leaflet-control-geocoder suggests places, moves the map to the chosen one, and finds the place of a point',
  inChromium,
  async (context) => {
    const { page, problems } = await openExample(
      context,
      exampleOf('guides/compat-clients.md', 'leaflet'),
      'map, geocoder',
    );
    await page.locator('.leaflet-control-geocoder-icon').click();
    await page.locator('.leaflet-control-geocoder-form input').pressSequentially('reykjav', TYPING);
    const suggestion = page.locator('.leaflet-control-geocoder-alternatives li', { hasText: 'Reykjavík' }).first();
    assert.match((await suggestion.textContent()) ?? '', /Reykjavík, Capital Region, Iceland/);
    await suggestion.click();
    await page.waitForFunction('Math.abs(map.getCenter().lat - 64.13) < 0.2 && map.getZoom() > 8');
    const [found] = (await page.evaluate('geocoder.reverse({ lat: 48.886, lng: 2.343 }, 1)')) as {
      name: string;
      bbox: { _southWest: { lat: number }; _northEast: { lat: number } };
    }[];
    assert.equal(found?.name, 'Paris, Île-de-France, France');
    assert.ok(found.bbox._southWest.lat < 48.85 && found.bbox._northEast.lat > 48.86);
    assert.deepEqual(problems, []);
  },
);

test('maplibre-gl-geocoder suggests places, and moves the map to the chosen one', inChromium, async (context) => {
  const { page, problems } = await openExample(context, MAPLIBRE_PAGE, 'map');
  await page.locator('.maplibregl-ctrl-geocoder--input').pressSequentially('reykjav', TYPING);
  await page.locator('.suggestions li', { hasText: 'Reykjavík' }).first().click();
  await page.waitForFunction('Math.abs(map.getCenter().lat - 64.13) < 0.2 && !map.isMoving()');
  assert.deepEqual(problems, []);
});
