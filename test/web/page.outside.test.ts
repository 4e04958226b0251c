/** The page at `/` in a real browser, served by the real service over TLS. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { servePlainHttp } from '../../packages/gazetteer/test/fetch/file-server.ts';
import { inChromium, openBrowser } from '../support/chromium.ts';
import { fileHooks } from '../support/file-hooks.ts';
import { writeVersion } from '../support/index-version.ts';
import { anMmdb } from '../support/mmdb.ts';
import { outsideProgram } from '../support/outside-programs.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  holdAnswers,
  type OpenedPage,
  openPage,
  reopenPage,
  saveScreenshot,
  seriousViolations,
  textOf,
  waitFor,
} from './opened-page.ts';

const run = promisify(execFile);
const curl = outsideProgram('curl');
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const MAX_BOX_BYTES = 100_000;
/** In Texas, near its Paris. */
const HOME = { location: { latitude: 33.6, longitude: -95.5 } };

let service: RunningService;
let browser: Browser;
/** Most tests load the page again here. */
let shared: OpenedPage;

before(async () => {
  if (inChromium.skip) return;
  const ipDatabase = join(temporaryFolder(fileHooks), 'home.mmdb');
  writeFileSync(ipDatabase, anMmdb(HOME));
  // only a proxy's client can have an address that is not local
  const args = ['--trusted-proxies', '127.0.0.1', '--page', '--threads', '1'];
  [service, browser] = await Promise.all([runService(fileHooks, { ipDatabase, args }), openBrowser(fileHooks)]);
  shared = await openPage(fileHooks, browser, service.ready.url);
});

test('arrow down and Enter select a suggestion, and the panel shows the place', inChromium, async (t) => {
  const { page, box, options, place, results } = await reopenPage(t, shared);
  await box.fill('par');
  await options.first().waitFor();
  const count = await options.count();
  assert.ok(count >= 5 && count <= 7, `${count} suggestions`);
  assert.match(await textOf(options.first()), /Paris, France, city · 2\.14M people$/);
  assert.equal(await textOf(options.first().locator('mark')), 'Par');

  await box.press('ArrowDown');
  assert.equal(await box.getAttribute('aria-activedescendant'), await options.first().getAttribute('id'));
  await box.press('End');
  assert.equal(await box.getAttribute('aria-activedescendant'), await options.last().getAttribute('id'));
  await box.press('Home');
  await box.press('Enter');
  await place.getByText('Europe/Paris').waitFor();
  await place.getByText(/Names in \d+ languages/).waitFor();
  assert.equal(await box.inputValue(), 'Paris, France');
  assert.equal(await options.count(), 0, 'the list is closed');
  assert.equal(await results.count(), 20);
  assert.equal(await results.first().locator('button').getAttribute('aria-current'), 'true');
  assert.match(await textOf(place), /2,138,551[\s\S]*48\.85341, 2\.3488[\s\S]*partial: /);
  assert.doesNotMatch(await textOf(place), /Confidence/, 'the user has chosen it');
  assert.match(await textOf(page.locator('#results-title')), /^20 of [\d,]+ places$/);
  await page.getByText('A search shows the 20 best. To see others, add a region').waitFor();
  assert.match(await textOf(page.locator('#timing')), /ms on the server/);
});

test(
  'a polite live region says how many places there are, as the heading does, and the first',
  inChromium,
  async (t) => {
    const { page, box, options } = await reopenPage(t, shared);
    const region = page.getByRole('status');
    await box.fill('springfield');
    await options.first().waitFor();
    const [, count = ''] = /^20 of (\d+) places$/.exec(await textOf(page.locator('#results-title'))) ?? [];
    await region.getByText(`Places: 7 of ${count}. First: `).waitFor({ state: 'attached' });
    await box.fill('springfield il');
    await region.getByText('Places: 1. First: Springfield, Illinois, United States.').waitFor({ state: 'attached' });
    await box.fill('48.8584, 2.2945');
    await region.getByText('Places: 7. First: Paris, France.').waitFor({ state: 'attached' });
  },
);

test(
  'results of the text before are dimmed and cannot be selected while the answer is late or refused',
  inChromium,
  async (t) => {
    const { page, box, results, options, trouble } = await reopenPage(t, shared, { expected: /429/ });
    const found = page.locator('#found');
    await box.fill('lisbon');
    await options.first().waitFor();
    await box.press('Escape');
    await results.first().getByText('Lisbon').waitFor();
    assert.equal(await found.getAttribute('aria-busy'), 'false');
    const released = Promise.withResolvers<void>();
    await page.route('**/api/1/query', async (route) => {
      await released.promise;
      const body = JSON.stringify({ message: 'too many requests', status: 429, code: 'rate_limited' });
      await route.fulfill({ status: 429, headers: { 'Retry-After': '60' }, contentType: 'application/json', body });
    });
    await box.fill('tokyo');
    await page.locator('#found.stale[aria-busy=true]').waitFor();
    assert.equal(await page.locator('#results[inert]').count(), 1);
    released.resolve();
    await trouble.getByText('many searches from your address').waitFor();
    await page.locator('#found.stale[aria-busy=false]').waitFor();
    assert.equal(await options.count(), 0);
    await page.unrouteAll();
    await box.fill('');
    await page.locator('#found:not(.stale)').getByText('Try one of these').waitFor();
  },
);

test(
  'arrow down and Enter select the first suggestion even if they are pressed before it arrives',
  inChromium,
  async (t) => {
    const { page, box, options, place } = await reopenPage(t, shared);
    await box.fill('lon');
    await options.first().getByText('London').waitFor();
    const { held, release } = await holdAnswers(page);
    await box.fill('long beach');
    await held;
    assert.equal(await options.count(), 0, 'the suggestions for the text before cannot be selected');
    await box.press('ArrowDown');
    await box.press('Enter');
    release();
    await place.getByText('Long Beach, California').waitFor();
  },
);

test('the hits are in one list: that of the search box while it is open', inChromium, async (t) => {
  const { page, box, options, results } = await reopenPage(t, shared);
  await box.fill('lisb');
  await options.first().getByText('Lisbon, Portugal').waitFor();
  assert.equal(await results.first().isVisible(), false);
  await box.press('Escape');
  await results.first().getByText('Lisbon, Portugal').waitFor();
  assert.equal(await options.count(), 0);
  assert.equal(await textOf(page.locator('#results-title')), '20 of about 22 places');
  assert.match(await textOf(page.locator('#results-note')), /Also main places of the region Lisbon\.$/);
  await box.press('ArrowDown');
  await options.first().waitFor();
  assert.equal(await results.first().isVisible(), false);
});

test('a name that is spelt in another way than the text is shown', inChromium, async (t) => {
  const { results } = await reopenPage(t, shared, { path: '/?q=muenchen' });
  await results.first().getByText('also “München”').waitFor();
});

test('a suggestion for an older text cannot be selected, also after Escape', inChromium, async (t) => {
  const { page, box, options, place } = await reopenPage(t, shared);
  await box.fill('lon');
  await options.first().getByText('London').waitFor();
  const { release } = await holdAnswers(page);
  await box.fill('tokyo');
  await box.press('Escape');
  await box.click();
  assert.equal(await box.getAttribute('aria-expanded'), 'false');
  await box.press('ArrowDown');
  await box.press('Enter');
  assert.equal(await box.inputValue(), 'tokyo');
  release();
  await place.getByText('Asia/Tokyo').waitFor();
});

test('Enter that ends a composition selects nothing', inChromium, async (t) => {
  const { page, box, options, place } = await reopenPage(t, shared);
  const ime = await page.context().newCDPSession(page);
  await box.focus();
  await ime.send('Input.imeSetComposition', { text: 'とう', selectionStart: 2, selectionEnd: 2 });
  await options.first().waitFor();
  await box.press('ArrowDown');
  assert.equal(await box.getAttribute('aria-activedescendant'), null, 'the arrow belongs to the composition');
  await ime.send('Input.insertText', { text: '東京' });
  await options.first().getByText('Tokyo').waitFor();
  assert.equal(await box.inputValue(), '東京');
  assert.equal(await place.isHidden(), true);
});

test('an answer is on screen within one frame of its arrival', inChromium, async (t) => {
  const watch = `
    const text = Response.prototype.text;
    Response.prototype.text = async function () {
      const body = await text.call(this);
      // other answers are for the map
      if (body.includes('"query":"hamburg"')) requestAnimationFrame(() => {
        const options = document.querySelector('toponym-search').shadowRoot.querySelectorAll('[role=option]');
        globalThis.shownInFrame = [...options].filter((option) => option.checkVisibility()).length;
      });
      return body;
    };`;
  const { page, box } = await openPage(t, browser, service.ready.url, { before: watch });
  await box.fill('hamburg');
  await waitFor(page, 'globalThis.shownInFrame !== undefined');
  assert.equal(await page.evaluate('shownInFrame'), 7);
});

test('filters narrow the hits, and the URL, reload and back keep text, filters and place', inChromium, async (t) => {
  const { page, box, options, results, place } = await reopenPage(t, shared);
  await box.fill('munich');
  await options.first().waitFor();
  await box.press('Escape');
  await page.getByText('Filters').click();
  await page.getByRole('radio', { name: 'Deutsch' }).check();
  await results.first().getByText('München').waitFor();
  await page.getByRole('textbox', { name: 'Countries' }).fill('germ');
  await page.getByRole('textbox', { name: 'Countries' }).press('Enter');
  await page.getByRole('button', { name: 'Remove Germany' }).waitFor();
  await page.getByRole('checkbox', { name: 'city' }).check();
  await waitFor(page, "location.search === '?q=munich&type=city&countries=de&lang=de'");
  await results.first().getByRole('button').click();
  await place.getByText('Europe/Berlin').waitFor();
  assert.equal(await box.inputValue(), 'München, Deutschland');

  await page.reload();
  await place.getByText('Europe/Berlin').waitFor();
  assert.equal(await box.inputValue(), 'München, Deutschland');
  await page.goBack();
  await place.waitFor({ state: 'hidden' });
  assert.equal(await box.inputValue(), 'munich', 'what was typed');
  await page.goBack();
  await waitFor(page, "location.search === '?q=munich&countries=de&lang=de'");
  assert.equal(await textOf(page.locator('#filter-summary')), 'DE · de');
});

test('places near my IP address come first, within a radius if one is chosen', inChromium, async (t) => {
  const extraHTTPHeaders = { 'X-Forwarded-For': '8.8.8.8' };
  const { page, box, options, results } = await openPage(t, browser, service.ready.url, { extraHTTPHeaders });
  await box.fill('paris');
  await options.first().getByText('France').waitFor();
  await box.press('Escape');
  await page.getByText('Filters').click();
  await page.getByRole('radio', { name: 'my IP address' }).check();
  await results.first().getByText('Texas').waitFor();
  await page.getByRole('radio', { name: '500 km' }).check();
  await waitFor(page, "!document.querySelector('#results').textContent.includes('France')");
  assert.match(page.url(), /near=ip&radius=500000/);
});

test('if my IP address cannot be located, the page says so and shows the usual places', inChromium, async (t) => {
  const { page, results } = await reopenPage(t, shared, { path: '/?q=paris&near=ip' });
  await page.getByText('127.0.0.1 could not be located').waitFor();
  await results.first().getByText('Paris, France').waitFor();
});

test('coordinates as text show the places there, as a click on the map does', inChromium, async (t) => {
  const { page, results } = await reopenPage(t, shared, { path: '/?q=48.85%2C+2.35' });
  await page.getByRole('heading', { name: 'Nearest to 48.85, 2.35' }).waitFor();
  await results.first().getByText('Paris, France').waitFor();
  assert.equal(await textOf(page.locator('#results-note')), 'The point is in Paris, France.');
});

test(
  'only a first hit that is almost certain has a mark, in the results and the suggestions',
  inChromium,
  async (t) => {
    const { page, box, options: suggestions, results } = await reopenPage(t, shared);
    const marks = page.locator('#results .certain');
    await box.fill('paris');
    await suggestions.first().getByText('Paris, France').waitFor();
    const suggestionMarks = page.locator('toponym-search [part=certain]');
    assert.deepEqual([await marks.count(), await suggestionMarks.count()], [0, 0]);
    assert.doesNotMatch((await results.locator('button').allTextContents()).join(), /%|sure/);
    await box.fill('marseille france');
    await suggestions.first().getByText('Marseille').waitFor();
    assert.deepEqual([await marks.count(), await suggestionMarks.count()], [1, 1]);
    const options = await page.getByRole('option').allTextContents();
    assert.doesNotMatch(options.join(), /✓|certain/, 'the options are read without it');
    assert.equal(await marks.getAttribute('title'), 'Almost certainly the place meant');
  },
);

test('"why this order" shows a bar and a sentence per hit', inChromium, async (t) => {
  const { page, box, options, results } = await reopenPage(t, shared);
  await box.fill('york');
  await options.first().waitFor();
  await box.press('Escape');
  await page.getByText('Why this order').click();
  const { criteria } = (await service.call('/api/1/query', { form: { query: 'york', getRankingInfo: 'true' } })).json()
    .hits[0]._rankingInfo;
  const receipt = results.first().locator('.receipt');
  assert.match(await textOf(receipt), /\(\+\d\.\d+\)\. \d+% sure that this is the place meant\./);
  assert.equal(await textOf(receipt.locator('.score')), criteria.score.toFixed(2));
  const [gain, bar] = await Promise.all([
    receipt.locator('.gain').boundingBox(),
    receipt.locator('.bar').boundingBox(),
  ]);
  assert.ok(gain && bar && gain.width > 0 && gain.width <= bar.width + 1);
});

test('a point in the URL shows the nearest places and the place that contains the point', inChromium, async (t) => {
  const { page, results } = await reopenPage(t, shared, { path: '/?at=54.36,10.11' });
  await page.getByText('The point is in Kiel, Germany.').first().waitFor();
  assert.match(await textOf(results.first()), /Kronshagen[\s\S]*\d (?:m|km)/);
});

test('the copied curl command and Python program work as they are', {
  skip: inChromium.skip || curl.skip,
}, async (t) => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const path = `/?q=${encodeURIComponent("l'aquila")}&type=city,town&lang=de`;
  const { page, results } = await openPage(t, browser, service.ready.url, { path, permissions });
  await results.first().waitFor();
  const runCurl = async (command: string) => {
    const { stdout, stderr } = await run('sh', ['-c', command.replace('curl ', `curl -s -w '%{stderr}%{http_code}' `)]);
    assert.equal(stderr, '200', command);
    return JSON.parse(stdout);
  };
  const copied = async (language: string) => {
    await page.getByRole('tab', { name: language }).click();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    return page.evaluate('navigator.clipboard.readText()') as Promise<string>;
  };
  const command = await copied('curl');
  const [hit] = (await runCurl(command)).hits;
  assert.deepEqual([hit.name, hit.label], ['L’Aquila', 'L’Aquila, Italien'], command);
  for (const [text, label] of [
    ['São Tomé & 5%', 'São Tomé, São Tomé & Príncipe'],
    ['new york', 'New York City, New York, United States'],
  ] as const) {
    await page.goto(new URL(`/?q=${encodeURIComponent(text)}`, service.ready.url).href);
    await results.first().waitFor();
    assert.equal((await runCurl(await copied('curl'))).hits[0]?.label, label);
  }
  await page.goto(new URL(path, service.ready.url).href);
  await results.first().waitFor();
  const python = outsideProgram('python3');
  if (python.skip) return;
  assert.match((await run(python.path, ['-c', await copied('Python')])).stdout, /^L’Aquila, Italien\n/);
});

test('offline, the page says so, keeps the text, and goes on when the connection is back', inChromium, async (t) => {
  const expected = /ERR_INTERNET_DISCONNECTED/;
  const { page, box, options, trouble } = await reopenPage(t, shared, { expected });
  await page.locator('#map-note').waitFor(); // the map's files have been loaded
  await page.context().setOffline(true);
  await box.fill('lisbon');
  await trouble.getByText('You are offline.').waitFor();
  assert.equal(await box.inputValue(), 'lisbon');
  await page.context().setOffline(false);
  await options.first().getByText('Lisbon').waitFor();
  assert.equal(await trouble.isHidden(), true);
});

test('after 429 the page counts down and then answers by itself', inChromium, async (t) => {
  const { page, box, options, trouble } = await reopenPage(t, shared, { expected: /429/ });
  let refusals = 0;
  await page.route('**/api/1/query', (route) => {
    const isTyped = route.request().postData()?.includes('query=lisbon');
    if (isTyped) refusals += 1;
    if (!isTyped || refusals > 1) return route.fallback();
    const body = JSON.stringify({ message: 'too many requests', status: 429, code: 'rate_limited' });
    return route.fulfill({ status: 429, headers: { 'Retry-After': '2' }, contentType: 'application/json', body });
  });
  await box.fill('lisbon');
  await trouble.getByText(/in 2 sec\./).waitFor();
  await trouble.getByText(/in 1 sec\./).waitFor();
  await options.first().getByText('Lisbon').waitFor();
  assert.equal(await trouble.isHidden(), true);
});

test('if the key is refused, the page offers to reload, and the text survives', inChromium, async (t) => {
  const { page, box, options, trouble } = await reopenPage(t, shared, { expected: /401/ });
  await page.route('**/api/1/query', (route) => {
    const body = JSON.stringify({ message: 'the key is unknown', status: 401, code: 'key_unknown' });
    return route.fulfill({ status: 401, contentType: 'application/json', body });
  });
  await box.fill('lisbon');
  await trouble.getByText('needs a new key').waitFor();
  await page.unrouteAll();
  await trouble.getByRole('button', { name: 'Reload the page' }).click();
  await page.waitForLoadState();
  assert.equal(await box.inputValue(), 'lisbon');
  await page.locator('#results').getByText('Lisbon').first().waitFor();
  await box.press('ArrowDown');
  assert.match(await textOf(options.first()), /Lisbon/);
});

test('behind a proxy that rewrites Host, the page says what the proxy must do', inChromium, async (t) => {
  const index = join(temporaryFolder(t), 'a.toponym');
  await writeVersion(index, 'mine', ['Lisbon']);
  const { ready } = await runService(t, { index, args: ['--behind-proxy', '--page', '--threads', '1'] });
  const url = await servePlainHttp(t, (incoming, response) => {
    const { url: path, method } = incoming;
    const { host: _, ...headers } = incoming.headers; // so the request gets the service's own
    const call = request(new URL(path ?? '/', ready.url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    call.on('error', () => response.destroy());
    incoming.pipe(call);
  });
  const { box, trouble } = await openPage(t, browser, url.href, { expected: /403/ });
  await box.fill('lisbon');
  await trouble.getByText('must pass the Host header on').waitFor();
  assert.doesNotMatch(await textOf(trouble), /restarted/);
});

test('the page says how long its key works', inChromium, async (t) => {
  const { page } = await reopenPage(t, shared);
  await page.getByText('works until the service restarts').waitFor();
  await page.getByText('npx toponym keys create').waitFor();
});

test('without WebGL the page says so and works as a list', inChromium, async (t) => {
  const opened = await reopenPage(t, shared);
  await opened.page.getByText('Your browser cannot draw the map').waitFor();
  await opened.box.fill('lisbon');
  await opened.options.first().click();
  await opened.place.getByText('Europe/Lisbon').waitFor();
});

test('a selected place leaves one scroll bar, that of the page', inChromium, async (t) => {
  const viewport = { width: 1280, height: 500 };
  const { page, place } = await openPage(t, browser, service.ready.url, { path: '/?q=paris&place=G2988507', viewport });
  await place.getByText('Europe/Paris').waitFor();
  const scrolling = `[...document.querySelectorAll('main, main div, main section')].filter((part) =>
    part.scrollHeight > part.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(part).overflowY)).length`;
  assert.equal(await page.evaluate(scrolling), 0);
  await page.getByText('npx toponym keys create').scrollIntoViewIfNeeded();
  assert.ok((await page.evaluate<number>('scrollY')) > 0, 'the page itself scrolls');
});

test('on a phone nothing is wider than the screen, and a tap selects', inChromium, async (t) => {
  const { page, box, options, place } = await openPage(t, browser, service.ready.url, PHONE);
  await box.fill('llanfairpwll');
  await options.first().tap();
  await place.getByText('Europe/London').waitFor();
  await page.getByText('Filters').tap();
  await page.getByText('Why this order').tap();
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE.viewport.width);
});

test('the footer shows the date and age of the data, and how to get newer data if it is old', inChromium, async (t) => {
  const today = new Date().toISOString().slice(0, 10);
  for (const [version, expected] of [
    [
      'geonames-cities500-2023-03-05-cities1000-2026-09',
      /^2 places: GeoNames places of September 2026 \(.*\), populations and other names of 5 March 2023 \(\d[\d.]* years old\)\. For newer data, run npx toponym update\.$/,
    ],
    [`mine-${today}`, /^2 places: mine of \d+ \w+ \d{4} \(new\)\.$/],
  ] as const) {
    const index = join(temporaryFolder(t), 'a.toponym');
    await writeVersion(index, version, ['Alba', 'Borea']);
    const { ready } = await runService(t, { index, args: ['--threads', '1'] });
    const { page } = await openPage(t, browser, ready.url);
    const note = page.locator('footer p').first();
    await note.waitFor();
    assert.match(await textOf(note), expected);
  }
});

test('the search box works after 100 KB, compressed', inChromium, async (t) => {
  const { request } = await browser.newContext({ ignoreHTTPSErrors: true });
  const sizeOf = async (path: string): Promise<number> => {
    const response = await request.get(new URL(path, service.ready.url).href);
    assert.equal(response.headers()['content-encoding'], 'gzip', path);
    const text = await response.text();
    const names = path === '/' ? /(?:href|src)="(\/page\/[^"]+\.(?:css|js))"/g : /\bimport(?:[^("]*?from)?"(\.[^"]+)"/g;
    const paths = [...text.matchAll(names)].map(
      ([, name = '']) => new URL(name, new URL(path, service.ready.url)).pathname,
    );
    const sizes = await Promise.all(paths.map(sizeOf));
    return sizes.reduce((sum, size) => sum + size, Number(response.headers()['content-length']));
  };
  const bytes = await sizeOf('/');
  t.diagnostic(`${bytes} bytes`);
  assert.ok(bytes > 5_000 && bytes <= MAX_BOX_BYTES, `${bytes} bytes`);
});

test('the pages have an icon of their own', inChromium, async () => {
  const { request } = await browser.newContext({ ignoreHTTPSErrors: true });
  for (const path of ['/', '/docs']) {
    const html = await (await request.get(new URL(path, service.ready.url).href)).text();
    const [, href = ''] = /<link rel="icon"[^>]* href="([^"]+)"/.exec(html) ?? [];
    const response = await request.get(new URL(href, service.ready.url).href);
    assert.deepEqual([response.status(), response.headers()['content-type']], [200, 'image/svg+xml']);
  }
});

test('axe finds nothing serious, on the desktop and a phone, in light and dark colours', inChromium, async (t) => {
  const { page, box, options, place } = await openPage(t, browser, service.ready.url);
  const check = async (state: string, part?: string) => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const name = `${colorScheme}-${viewport.width}-${state}`;
        await saveScreenshot(page, `page-${name}`);
        assert.deepEqual(await seriousViolations(page, part), [], name);
      }
    }
  };
  await check('start');
  await box.fill('par');
  await options.first().waitFor();
  await box.press('ArrowDown');
  await check('suggestions', 'toponym-search');
  await box.press('Enter');
  await place.getByText(/Names in/).click();
  await page.getByText('Filters').click();
  await page.getByText('Why this order').click();
  await check('place');
});
