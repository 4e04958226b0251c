/** Widgets with a geocoder for Nominatim, unchanged, in Chromium: the examples of docs/compat.md. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { examples } from '../package/page-examples.ts';
import { bundled, openPage } from '../package/served-page.ts';
import { inChromium } from '../support/chromium.ts';
import { toolsOf } from '../support/installed-tools.ts';
import { createKey, runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TOOLS = toolsOf('compat');
const DOCS = readFileSync(new URL('../../docs/compat.md', import.meta.url), 'utf8');
const HTML = `<!doctype html><meta charset="utf-8"><div id="map" style="width: 600px; height: 400px"></div>
<script type="module" src="/script.js"></script>`;

/** Opens the example in a page whose `window` has the given variables of the example. */
async function openExample(context: TestContext, kind: string, variables: string) {
  await TOOLS.install();
  const service = await runService(context, { args: ['--threads', '1', '--compat', 'nominatim,photon'] });
  const { key } = await createKey(service);
  const [example = ''] = examples(DOCS, `js ${kind}`);
  const code = `${example}\nObject.assign(window, { ${variables} });`;
  const called = code.replace('https://places.example.com', service.ready.url.replace(/\/$/, '')).replace('tpk_…', key);
  const script = await bundled(temporaryFolder(context), called, { nodePaths: [TOOLS.packages] });
  const { page, url } = await openPage(context, { '/': HTML, '/script.js': script });
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') problems.push(request.url());
  });
  await page.goto(url);
  return { page, problems };
}

test(
  'leaflet-control-geocoder lists places, moves the map to the chosen one, and finds the place of a point',
  inChromium,
  async (context) => {
    const { page, problems } = await openExample(context, 'leaflet-control-geocoder', 'map, geocoder');
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
    const { page, problems } = await openExample(context, 'leaflet-geosearch', 'map, provider');
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
