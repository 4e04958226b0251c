/** A page with only the map, in Debian's Chromium, under the Content-Security-Policy of the real page. */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { CONTENT_SECURITY_POLICY } from '../../src/http/page/page-routes.ts';
import { ensurePage, PAGE_FOLDER } from '../../web/build.js';
import type { LatLng, MapOptions, PlaceMap } from '../../web/src/map/place-map.ts';

/** What the page's script keeps for tests. */
export interface MapWindow {
  readonly map: PlaceMap;
  /** False if createMap threw NoWebGl. */
  readonly hasWebGl: boolean;
  /** Calls of the map to its page, as `[name, ...arguments]`. */
  readonly calls: unknown[][];
  /** Answers the map's calls for labels. */
  loadLabels: MapOptions['loadLabels'];
  readonly violations: string[];
}

/** The pixel in the middle of the map. */
export const MIDDLE = 200;

const WEBGL_FLAGS = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const NO_WEBGL_FLAGS = ['--disable-gpu', '--disable-software-rasterizer'];
const FLAGS = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const HTML = `<!doctype html><html lang="en"><title>Map</title><link rel="stylesheet" href="/page.css">
<main><h1>Map</h1><div id="map"></div></main><script type="module" src="/page.js"></script></html>`;
const CSS =
  'h1{display:none}body{margin:0;background:#fff}@media(prefers-color-scheme:dark){body{background:#10161c}}#map{height:100vh}';

export function launchChromium(program: string, { hasWebGl = true } = {}): Promise<Browser> {
  return chromium.launch({ executablePath: program, args: [...FLAGS, ...(hasWebGl ? WEBGL_FLAGS : NO_WEBGL_FLAGS)] });
}

/** Opens the page, and runs the script before the page's own. */
export async function openMapPage(
  t: TestContext,
  browser: Browser,
  { script = '', ...options }: { script?: string } & BrowserContextOptions = {},
): Promise<Page> {
  await ensurePage();
  const url = await serve(t);
  const page = await browser.newPage({
    reducedMotion: 'reduce',
    viewport: { width: 2 * MIDDLE, height: 2 * MIDDLE },
    ...options,
  });
  t.after(() => page.close());
  await page.addInitScript(script);
  await page.goto(url);
  await page.waitForFunction('globalThis.calls !== undefined');
  return page;
}

export async function drawn(page: Page): Promise<void> {
  await page.locator('[data-map="drawn"]').waitFor();
}

/** Centres the globe on a point, at the zoom at which all of it is visible. */
export async function turnGlobeTo(page: Page, { lat, lng }: LatLng): Promise<void> {
  await page.evaluate(
    ([lat, lng]) => {
      const { map } = globalThis as unknown as MapWindow;
      // hits all around the earth do not fit, so the map shows the globe around the first one
      const hits = [0, 120, 240].map((turn) => ({
        id: String(turn),
        label: '',
        lat,
        lng: ((lng + turn + 180) % 360) - 180,
      }));
      map.showHits(hits, undefined);
      map.showHits([], undefined);
    },
    [lat, lng] as const,
  );
  await drawn(page);
}

async function serve(t: TestContext): Promise<string> {
  const names = readdirSync(PAGE_FOLDER);
  const nameOf = (pattern: RegExp) => names.find((name) => pattern.test(name));
  const script = `
    import { createMap, NoWebGl } from '/${nameOf(/^map-.*\.js$/)}';
    const calls = [];
    window.violations = [];
    window.hasWebGl = true;
    document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));
    window.loadLabels ??= async () => [];
    const record = (name) => (...args) => calls.push([name, ...args]);
    try {
      window.map = createMap(document.getElementById('map'), {
        workerUrl: '/${nameOf(/^worker-.*\.js$/)}',
        worldUrl: '/${nameOf(/^world-.*\.json$/)}',
        onClick: record('click'), onHitClick: record('hit'), onPointMoved: record('point'), onFailed: record('failed'), onMoved: record('moved'),
        loadLabels: (...args) => window.loadLabels(...args),
      });
    } catch (error) {
      window.hasWebGl = !(error instanceof NoWebGl);
    }
    window.calls = calls;`;
  const types: Readonly<Record<string, string>> = { js: 'text/javascript', json: 'application/json', css: 'text/css' };
  const server = createServer(({ url = '/' }, response) => {
    const own = { '/': HTML, '/page.js': script, '/page.css': CSS }[url];
    response.setHeader('content-type', types[url.split('.').at(-1) ?? ''] ?? 'text/html');
    response.setHeader('content-security-policy', CONTENT_SECURITY_POLICY);
    if (own === undefined && !names.includes(url.slice(1))) response.statusCode = 404;
    response.end(own ?? (response.statusCode === 404 ? '' : readFileSync(join(PAGE_FOLDER, url.slice(1)))));
  });
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
