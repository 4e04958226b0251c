/** A page with only the map, in Debian's Chromium, under the Content-Security-Policy of the real page. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CONTENT_SECURITY_POLICY } from 'toponym-server/http/service-routes';
import { servePlainHttp } from '../../packages/gazetteer/test/fetch/file-server.ts';
import { ensurePage, PAGE_FOLDER } from '../../web/build.js';
import type { LatLng, PlaceMap } from '../../web/src/map/place-map.ts';
import { STEP_MS } from '../support/chromium.ts';

/** What the page's script keeps for tests. */
export interface MapWindow {
  readonly map: PlaceMap;
  /** False if createMap threw NoWebGl. */
  readonly hasWebGl: boolean;
  /** Calls of the map to its page, as `[name, ...arguments]`. */
  readonly calls: unknown[][];
  readonly violations: string[];
}

export interface Pixel {
  readonly x: number;
  readonly y: number;
}

/** Column and row of the pixel in the middle of the map. */
export const MIDDLE = 200;

const HTML = `<!doctype html><html lang="en"><title>Map</title><link rel="stylesheet" href="/page.css">
<main><h1>Map</h1><div id="map"></div></main><script type="module" src="/page.js"></script></html>`;
const CSS =
  'h1{display:none}body{margin:0;background:#fff}@media(prefers-color-scheme:dark){body{background:#10161c}}#map{height:100vh}';

/** Opens the page, and runs the script before the page's own. */
export async function openMapPage(hooks: Pick<TestContext, 'after'>, browser: Browser, script?: string): Promise<Page> {
  await ensurePage();
  const url = await serveMap(hooks);
  const viewport = { width: 2 * MIDDLE, height: 2 * MIDDLE };
  const page = await browser.newPage({ reducedMotion: 'reduce', viewport });
  hooks.after(() => page.close());
  page.setDefaultTimeout(STEP_MS);
  if (script !== undefined) await page.addInitScript(script);
  await page.goto(url);
  await page.waitForFunction('globalThis.calls !== undefined');
  return page;
}

export async function drawn(page: Page): Promise<void> {
  await page.locator('[data-map="drawn"]').waitFor();
}

/**
 * Centres the globe on a point, at the zoom at which all of it is visible. Returns where other points
 * are on the screen.
 */
export async function turnGlobeTo(page: Page, center: LatLng, others: readonly LatLng[] = []): Promise<Pixel[]> {
  const pixels = await page.evaluate(
    (points) => {
      const { map } = globalThis as unknown as MapWindow;
      const [{ lat, lng } = { lat: 0, lng: 0 }] = points;
      // hits all around the earth do not fit, so the map shows the globe around the first one
      const around = [120, 240].map((turn) => ({ lat, lng: ((lng + turn + 180) % 360) - 180 }));
      const hits = [...points, ...around].map((point, i) => ({ id: String(i), label: `marker ${i}`, ...point }));
      map.showHits(hits, undefined);
      const pixels = points.map((_, i) => {
        const { x, y, width, height } = marker(`marker ${i}`).getBoundingClientRect();
        return { x: Math.floor(x + width / 2), y: Math.floor(y + height / 2) };
      });
      map.showHits([], undefined);
      return pixels;

      function marker(label: string): { getBoundingClientRect(): Record<'x' | 'y' | 'width' | 'height', number> } {
        // biome-ignore lint/suspicious/noExplicitAny: tests have no types of the DOM
        return (globalThis as any).document.querySelector(`[aria-label="${label}"]`);
      }
    },
    [center, ...others],
  );
  await drawn(page);
  return pixels.slice(1);
}

/** Half the degrees of the box that fills the map at zoom 6, without the space around it. */
export const HALF_BOX = (0.5 * (2 * MIDDLE - 112) * 360) / (512 * 2 ** 6);

/** Centres the map on a point, at zoom 6 by default. */
export async function zoomTo(page: Page, { lat, lng }: LatLng, zoom = 6): Promise<void> {
  // the map enlarges what is far from the equator
  const half = (HALF_BOX * Math.cos((lat * Math.PI) / 180)) / 2 ** (zoom - 6);
  await page.evaluate(
    (hit) => {
      const { map } = globalThis as unknown as MapWindow;
      map.showHits([hit], hit.id);
      map.showHits([], undefined);
    },
    { id: 'zoomed', label: '', lat, lng, bbox: [lng, lat - half, lng, lat + half] as const },
  );
  await drawn(page);
}

async function serveMap(hooks: Pick<TestContext, 'after'>): Promise<string> {
  const names = readdirSync(PAGE_FOLDER)
    .filter((name) => name.endsWith('.gz'))
    .map((name) => name.slice(0, -'.gz'.length));
  const nameOf = (pattern: RegExp) => names.find((name) => pattern.test(name));
  const script = `
    import { createMap, NoWebGl } from '/${nameOf(/^map-.*\.js$/)}';
    const calls = [];
    window.violations = [];
    window.hasWebGl = true;
    document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));
    const record = (name) => (...args) => calls.push([name, ...args]);
    try {
      window.map = createMap(document.getElementById('map'), {
        workerUrl: '/${nameOf(/^worker-.*\.js$/)}',
        worldUrl: '/${nameOf(/^world-.*\.json$/)}',
        closeWorldUrl: '/${nameOf(/^close-world-.*\.json$/)}',
        labelsUrl: '/${nameOf(/^labels-.*\.json$/)}',
        findSettlements: async () => ({ places: [{ name: 'Sand', population: 5e6, lat: 22, lng: 5 }], areAll: true }),
        onClick: record('click'), onHitClick: record('hit'), onPointMoved: record('point'), onFailed: record('failed'), onMoved: record('moved'),
      });
    } catch (error) {
      window.hasWebGl = !(error instanceof NoWebGl);
    }
    window.calls = calls;`;
  const types: Readonly<Record<string, string>> = { js: 'text/javascript', json: 'application/json', css: 'text/css' };
  const url = await servePlainHttp(hooks, ({ url = '/' }, response) => {
    const own = { '/': HTML, '/page.js': script, '/page.css': CSS }[url];
    response.setHeader('content-type', types[url.split('.').at(-1) ?? ''] ?? 'text/html');
    response.setHeader('content-security-policy', CONTENT_SECURITY_POLICY);
    if (own === undefined && !names.includes(url.slice(1))) response.statusCode = 404;
    const isFile = own === undefined && response.statusCode === 200;
    if (isFile) response.setHeader('content-encoding', 'gzip');
    response.end(isFile ? readFileSync(join(PAGE_FOLDER, `${url.slice(1)}.gz`)) : own);
  });
  return url.href;
}
