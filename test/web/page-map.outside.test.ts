/** What the page at `/` does with its map, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Request } from 'playwright-core';
import { ensurePage } from '../../web/build.js';
import { outsideProgram } from '../support/outside-programs.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { launchChromium, openPage, waitFor } from './opened-page.ts';

const MAX_BYTES = 900_000;
const chromium = outsideProgram('chromium');
const inBrowser = { skip: chromium.skip };
let service: RunningService;
let browser: Browser;
const cleanUps: (() => unknown)[] = [];

before(async () => {
  if (chromium.skip) return;
  await ensurePage();
  service = await runService({ after: (cleanUp?: unknown) => cleanUps.push(cleanUp as () => void) });
  browser = await launchChromium(chromium.path);
});
after(async () => {
  await browser?.close();
  for (const cleanUp of cleanUps) cleanUp();
});

test('the page with its map is drawn after 900 KB, compressed', inBrowser, async (t) => {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  t.after(() => context.close());
  const page = await context.newPage();
  const finished: Request[] = [];
  context.on('requestfinished', (request) => finished.push(request));
  await page.goto(service.ready.url);
  await page.locator('[data-map=drawn]').waitFor();
  const sizes = await Promise.all(
    finished.map(async (request) => {
      // Chromium does not tell the size of a worker's script
      const headers = (await request.response())?.headers() ?? {};
      return [new URL(request.url()).pathname, Number(headers['content-length'])] as const;
    }),
  );
  for (const name of [/^\/$/, /\/page-.*js$/, /\/map-.*js$/, /\/worker-.*js$/, /\/world-.*json$/]) {
    assert.ok(
      sizes.some(([path, size]) => name.test(path) && size > 1000),
      `${name} is not in ${sizes}`,
    );
  }
  const bytes = sizes.reduce((sum, [, size]) => sum + size, 0);
  t.diagnostic(`${bytes} bytes`);
  assert.ok(bytes <= MAX_BYTES, sizes.join('\n'));
});

test('the labels of the map are in the chosen language', inBrowser, async (t) => {
  const { page } = await openPage(t, browser, service.ready.url);
  await page.locator('[data-map=drawn]').waitFor();
  const asked = page.waitForRequest((request) => {
    const form = new URLSearchParams(request.postData() ?? '');
    return form.has('insideBoundingBox') && form.get('language') === 'de';
  });
  await page.getByText('Filters').click();
  await page.getByRole('radio', { name: 'Deutsch' }).check();
  await asked;
});

test('a type or a language keeps the clicked point, and a country goes back to the text', inBrowser, async (t) => {
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
