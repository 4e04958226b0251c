/** Widgets with a geocoder for Photon, unchanged, in Chromium: the pages of docs/guides/compat-clients.md. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { examples } from '../package/page-examples.ts';
import { bundled, openPage } from '../package/served-page.ts';
import { inChromium } from '../support/chromium.ts';
import { toolsOf } from '../support/installed-tools.ts';
import { createKey, runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TOOLS = toolsOf('compat');
const GUIDE = readFileSync(new URL('../../docs/guides/compat-clients.md', import.meta.url), 'utf8');
const MAPLIBRE = join(TOOLS.packages, 'maplibre-gl', 'dist');
const HTML = `<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="/script.css">
<div id="map" style="width: 600px; height: 400px"></div><script type="module" src="/script.js"></script>`;
/** As people type. */
const TYPING = { delay: 60 };

/** Opens the example of the guide in a page. What it needs of `window` is defined by `added`. */
async function openExample(context: TestContext, kind: string, added: string) {
  await TOOLS.install();
  const service = await runService(context, { args: ['--threads', '1', '--compat', 'photon'] });
  const { key } = await createKey(service);
  const [example = ''] = examples(GUIDE, `js ${kind}`);
  const code = `${example}\n${added}`.replace('https://places.example.com', service.ready.url).replace('tpk_…', key);
  const script = await bundled(temporaryFolder(context), code, { nodePaths: [TOOLS.packages] });
  const workers = ['maplibre-gl-worker.mjs', 'maplibre-gl-shared.mjs'];
  const files = Object.fromEntries(workers.map((name) => [`/${name}`, readFileSync(join(MAPLIBRE, name))]));
  const { page, url } = await openPage(context, { '/': HTML, '/script.js': script, ...files });
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
  'leaflet-control-geocoder suggests places, moves the map to the chosen one, and finds the place of a point',
  inChromium,
  async (context) => {
    const { page, problems } = await openExample(context, 'leaflet', 'Object.assign(window, { map, geocoder });');
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
  const { page, problems } = await openExample(context, 'maplibre', 'window.map = map;');
  await page.locator('.maplibregl-ctrl-geocoder--input').pressSequentially('reykjav', TYPING);
  await page.locator('.suggestions li', { hasText: 'Reykjavík' }).first().click();
  await page.waitForFunction('Math.abs(map.getCenter().lat - 64.13) < 0.2 && !map.isMoving()');
  assert.deepEqual(problems, []);
});
