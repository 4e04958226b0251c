/** What the page at `/` does with its map, in a real browser that draws with WebGL. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser, Request } from 'playwright-core';
import { inChromium, openBrowser, STEP_MS } from '../support/chromium.ts';
import { fileHooks } from '../support/file-hooks.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { type OpenedPage, openPage, seriousViolations, textOf, waitFor } from './opened-page.ts';

const MAX_BYTES = 900_000;
const VIEWPORT = { width: 1000, height: 600 };
let service: RunningService;
let browser: Browser;
/** Shared by the tests, because drawing the first map takes seconds without a graphics card. */
let opened: OpenedPage;
const finished: Request[] = [];

before(async () => {
  if (inChromium.skip) return;
  [service, browser] = await Promise.all([runService(fileHooks, { args: ['--threads', '1'] }), openBrowser(fileHooks)]);
  const onRequestFinished = (request: Request) => finished.push(request);
  opened = await openPage(fileHooks, browser, service.ready.url, {
    hasMap: true,
    viewport: VIEWPORT,
    onRequestFinished,
  });
  await drawn();
});

async function drawn(): Promise<void> {
  await opened.page.locator('[data-map=drawn]').waitFor();
}

/** Shows another state of the page, as going back to it does. */
async function show(path: string): Promise<void> {
  await opened.page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'));`,
  );
}

test('the page with its map is drawn after 900 KB, compressed', inChromium, async (t) => {
  const sizes = await Promise.all(
    finished.map(async (request) => {
      // Chromium does not tell the size of a worker's script
      const headers = (await request.response())?.headers() ?? {};
      return [new URL(request.url()).pathname, Number(headers['content-length'])] as const;
    }),
  );
  for (const name of [/^\/$/, /\/page-.*js$/, /\/map-.*js$/, /\/worker-.*js$/, /\/world-.*json$/, /\/labels-.*json$/]) {
    assert.ok(
      sizes.some(([path, size]) => name.test(path) && size > 1000),
      `${name} is not in ${sizes}`,
    );
  }
  const bytes = sizes.reduce((sum, [, size]) => sum + size, 0);
  t.diagnostic(`${bytes} bytes`);
  assert.ok(bytes <= MAX_BYTES, sizes.join('\n'));
});

test('the labels of the map cost no calls, and neither does another language', inChromium, async () => {
  const { page } = opened;
  await page.getByText('Filters').click();
  await page.getByRole('radio', { name: 'Deutsch' }).check();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await drawn();
  assert.deepEqual(
    finished.filter((request) => request.url().includes('/api/')).map((request) => request.postData()),
    [],
  );
});

test('a click on the map finds the nearest places and the place that contains the point', inChromium, async () => {
  const { page, box, results, place } = opened;
  await show('/?q=kiel&place=G2891122');
  await place.getByText('Europe/Berlin').waitFor();
  await drawn();
  await page.locator('#map canvas').click({ position: { x: 300, y: 100 } });
  await page.getByRole('heading', { name: /^Nearest to / }).waitFor();
  await page
    .getByText(/^The point is in /)
    .first()
    .waitFor();
  assert.equal(await results.count(), 10);
  assert.match(await textOf(page.locator('#snippet')), /\/api\/1\/reverse/);
  assert.equal(await place.isHidden(), true);
  const point = (await textOf(page.locator('#results-title'))).replace('Nearest to ', '');
  assert.equal(await box.inputValue(), point);
  assert.deepEqual(await seriousViolations(page), []);
  await results.first().getByRole('button').click();
  await place.getByText('Europe/Berlin').waitFor();
  assert.equal(await box.inputValue(), await textOf(results.first().locator('.hit-label')));
  await page.goBack();
  assert.equal(await box.inputValue(), point);
  await page.goBack();
  await place.getByText('Europe/Berlin').waitFor();
  assert.equal(await box.inputValue(), 'Kiel, Germany');
});

test(
  'at 1280x800 the request for a selected place is in view, with its button and first line',
  inChromium,
  async () => {
    const { page, place } = opened;
    await page.setViewportSize({ width: 1280, height: 800 });
    await show('/?q=lisbon&place=G2267057');
    await place.getByText(/Names in \d+ languages/).waitFor();
    const code = await page.locator('#snippet').boundingBox();
    assert.ok(code !== null && code.y + 2 * 20 < 800, `the code starts at ${code?.y}`);
    assert.equal(await page.evaluate('scrollY'), 0);
    await page.setViewportSize(VIEWPORT);
  },
);

test('a marker selects its place, and the preferred point can be moved on the map', inChromium, async () => {
  const { page, box, place, results } = opened;
  await show('/?q=paris&near=33.6,-95.5&radius=25000');
  await page.locator('.map-hit[aria-label="Paris, Texas, United States"]').dispatchEvent('click');
  await place.getByText('America/Chicago').waitFor();
  assert.equal(await box.inputValue(), 'Paris, Texas, United States');
  const point = page.getByRole('button', { name: /^Prefer places near this point/ });
  for (let step = 0; step < 8; step++) await point.press('Shift+ArrowUp'); // the map is as close as a town
  await waitFor(page, "!location.search.includes('near=33.6,-95.5')");
  await page.getByText('No place found').first().waitFor();
  assert.equal(await results.count(), 0, 'the radius moved with the point');
  assert.match(await textOf(page.locator('#snippet')), /aroundRadius=25000/);
});

test(
  'steps of the preferred point are one entry of the history, and a clicked point has its own name',
  inChromium,
  async () => {
    const { page } = opened;
    await show('/?q=paris&near=33.6,-95.5');
    await page.locator('.map-hit[aria-label="Paris, France"]').waitFor({ state: 'attached' });
    await drawn();
    const entries = await page.evaluate<number>('history.length');
    const preferred = page.getByRole('button', { name: /^Prefer places near this point/ });
    for (let step = 0; step < 3; step++) await preferred.press('ArrowUp');
    await waitFor(page, "!location.search.includes('near=33.6,-95.5')");
    assert.equal(await page.evaluate('history.length'), entries + 1);
    await page.locator('#map canvas').click({ position: { x: 300, y: 100 } });
    await page.getByRole('button', { name: /^Nearest places to this point/ }).waitFor();
    assert.equal(await preferred.count(), 0);
    await page.goBack();
    await page.goBack();
    await waitFor(page, `location.search === '?q=paris&near=33.6,-95.5'`);
    await preferred.waitFor();
  },
);

test('a map whose worker cannot be loaded becomes a note, and the page works as a list', inChromium, async (t) => {
  const browserContext = await browser.newContext({ ignoreHTTPSErrors: true });
  t.after(() => browserContext.close());
  const page = await browserContext.newPage();
  page.setDefaultTimeout(STEP_MS);
  await page.route('**/page/worker-*.js', (route) => route.abort());
  await page.goto(service.ready.url);
  await page.getByText('The map cannot be loaded. Everything else works').waitFor();
  assert.equal(await page.locator('#map').isHidden(), true);
  await page.getByRole('combobox').fill('lisbon');
  await page.getByRole('option').first().click();
  await page.locator('#place').getByText('Europe/Lisbon').waitFor();
  await page.getByText('Filters').click();
  assert.equal(await page.getByRole('radio', { name: "the map's centre" }).count(), 0);
});

test('a type or a language keeps the clicked point, and a country goes back to the text', inChromium, async (t) => {
  const path = '/?q=kiel&at=54.36,10.11';
  const { page, results } = await openPage(t, browser, service.ready.url, { path });
  await page.getByRole('heading', { name: /^Nearest to / }).waitFor();
  await page.getByText('Filters').click();
  await page.getByRole('radio', { name: 'Deutsch' }).check();
  await page.getByText('The point is in Kiel, Deutschland.').first().waitFor();
  await page.getByRole('checkbox', { name: 'city' }).check();
  await waitFor(page, "location.search === '?q=kiel&type=city&lang=de&at=54.36,10.11'");
  await page.getByRole('textbox', { name: 'Countries' }).fill('germ');
  await page.getByRole('textbox', { name: 'Countries' }).press('Enter');
  await results.first().getByText('Kiel, Deutschland').waitFor();
  assert.doesNotMatch(page.url(), /at=/);
});
