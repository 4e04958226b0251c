/** The API reference at `/docs` in a real browser, served by the real service over TLS. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import type { Browser, Locator, Page } from 'playwright-core';
import { servePlainHttp } from '../../packages/gazetteer/test/fetch/file-server.ts';
import { inChromium, openBrowser } from '../support/chromium.ts';
import { fileHooks } from '../support/file-hooks.ts';
import { writeVersion } from '../support/index-version.ts';
import { outsideProgram } from '../support/outside-programs.ts';
import { createKey, type RunningService, runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type OpenedPage, openPage, reopenPage, saveScreenshot, seriousViolations } from './opened-page.ts';

const run = promisify(execFile);
const withCurl = { skip: inChromium.skip || outsideProgram('curl').skip };

let service: RunningService;
let browser: Browser;
let shared: OpenedPage;

before(async () => {
  if (inChromium.skip) return;
  [service, browser] = await Promise.all([runService(fileHooks, { args: ['--threads', '1'] }), openBrowser(fileHooks)]);
  shared = await openPage(fileHooks, browser, service.ready.url, { path: '/docs' });
});

/** Opens an operation. */
async function openOperation(page: Page, name: string): Promise<Locator> {
  const operation = page.locator(`[id$="-${name}"].opblock`);
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Execute' }).waitFor();
  return operation;
}

/** Executes an opened operation. Returns the status and the body that the page shows. */
async function execute(operation: Locator): Promise<[status: number, body: string]> {
  const received = operation.page().waitForResponse(/\/api\/1\//);
  await operation.getByRole('button', { name: 'Execute' }).click();
  const status = (await received).status();
  const shown = operation.locator('.live-responses-table tbody');
  await shown.locator('.response-col_status', { hasText: String(status) }).waitFor();
  return [status, (await shown.locator('.highlight-code').first().textContent()) ?? ''];
}

/** Runs the curl command that the page shows for an executed operation. Returns the body of the response. */
async function runShownCurl(operation: Locator): Promise<string> {
  const command = (await operation.locator('pre.curl').textContent()) ?? '';
  return (await run('sh', ['-c', command.replace('curl ', 'curl --silent --show-error --fail-with-body ')])).stdout;
}

test(
  '/docs lists the four calls and the two health checks, with the names of their functions',
  inChromium,
  async () => {
    const { page } = shared;
    await page.locator('.opblock').nth(5).waitFor();
    const names = await page.locator('.opblock-summary-operation-id').allTextContents();
    assert.deepEqual(names, ['searchPlaces', 'getPlace', 'findPlacesAt', 'callInBatch', 'checkAlive', 'checkReady']);
    assert.deepEqual(await page.locator('.opblock-summary-path').allTextContents(), [
      ...['/api/1/query', '/api/1/id', '/api/1/reverse', '/api/1/batch'],
      ...['/healthz', '/readyz'],
    ]);
  },
);

test('the list of schemas is closed, and the reader can open it', inChromium, async () => {
  const { page } = shared;
  const schemas = page.locator('.models [data-json-schema-level="0"]');
  await page.locator('.models').getByRole('button', { name: 'Schemas' }).waitFor();
  assert.equal(await schemas.count(), 0);
  await page.locator('.models').getByRole('button', { name: 'Schemas' }).click();
  await schemas.first().waitFor();
});

test('"Execute" returns places at once, without a key of the reader', inChromium, async () => {
  const { page } = shared;
  for (const [name, part] of [
    ['searchPlaces', '"label": "Paris, France"'],
    ['getPlace', '"objectID": "G2988507"'],
    ['findPlacesAt', '"distance": '],
  ] as const) {
    const [status, body] = await execute(await openOperation(page, name));
    assert.equal(status, 200, name);
    assert.ok(body.includes(part), body.slice(0, 500));
  }
});

test('the curl commands that /docs shows work as printed', withCurl, async (t) => {
  const { page } = await reopenPage(t, shared, { path: '/docs' });
  for (const [name, part] of [
    ['searchPlaces', '"label":"Paris, France"'],
    ['getPlace', '"objectID":"G2988507"'],
    ['findPlacesAt', '"distance":'],
  ] as const) {
    const operation = await openOperation(page, name);
    await execute(operation);
    assert.ok((await runShownCurl(operation)).includes(part), name);
  }
});

test(
  'an error is one line until the reader unfolds it, and there is one font, and one for code',
  inChromium,
  async (t) => {
    const { page } = await reopenPage(t, shared, { path: '/docs' });
    const operation = await openOperation(page, 'searchPlaces');
    const error = operation.locator('.response[data-code="400"]');
    assert.equal(await error.getByText('Example Value').isVisible(), false);
    await error.getByRole('button', { name: 'Example and headers' }).click();
    await error.getByText('Example Value').waitFor();
    assert.equal(await operation.locator('.response[data-code="401"]').getByText('Example Value').isVisible(), false);
    const fonts = await page.evaluate<string[]>(
      "[...new Set([...document.querySelectorAll('body *')].map((part) => getComputedStyle(part).fontFamily))]",
    );
    assert.equal(fonts.length, 2, fonts.join('\n'));
  },
);

test('the options that the reader enters are sent, and an error is shown', inChromium, async (t) => {
  const { page } = await reopenPage(t, shared, { path: '/docs', expected: /400/ });
  const operation = await openOperation(page, 'searchPlaces');
  await operation.getByLabel('query', { exact: true }).fill('sprngfield il');
  await operation.getByLabel('aroundLatLngViaIP').fill('true');
  await operation.getByLabel('getRankingInfo').selectOption('true');
  const [status, body] = await execute(operation);
  assert.equal(status, 200);
  assert.match(body, /"label": "Springfield, Illinois, United States"[\s\S]*"_rankingInfo"[\s\S]*could not be located/);

  await operation.getByLabel('Example').first().selectOption({ label: 'A name with a typo, and a region' });
  const [refusedStatus, refusedBody] = await execute(operation);
  assert.equal(refusedStatus, 400);
  assert.match(refusedBody, /query was given twice/);
});

test('without the page at / the reader enters a key, with which curl works too', withCurl, async (t) => {
  const index = join(temporaryFolder(t), 'a.toponym');
  await writeVersion(index, 'mine', ['Paris']);
  const plain = await runService(t, { index, args: ['--no-page', '--threads', '1'] });
  const { page } = await openPage(t, browser, plain.ready.url, { path: '/docs', expected: /401/ });
  await page.getByText('enter your API key under “Authorize”').waitFor();
  const operation = await openOperation(page, 'searchPlaces');
  assert.equal((await execute(operation))[0], 401);
  await page.getByRole('button', { name: 'Authorize', exact: true }).click();
  await page.getByLabel('API key').fill(plain.key);
  await page.locator('.auth-container').getByRole('button', { name: 'Authorize' }).click();
  await page.locator('.auth-container').getByRole('button', { name: 'Close' }).click();
  assert.equal((await execute(operation))[0], 200);
  assert.match(await runShownCurl(operation), /"name":"Paris"/);
});

for (const [colorScheme, viewport] of [
  ['light', { width: 1280, height: 900 }],
  ['dark', { width: 390, height: 844 }],
] as const) {
  const name = `${colorScheme}, ${viewport.width} pixels wide`;
  test(`axe finds nothing serious in /docs, and nothing is wider than the screen: ${name}`, inChromium, async (t) => {
    const { page } = await openPage(t, browser, service.ready.url, { path: '/docs', colorScheme, viewport });
    const check = async (state: string, part?: string) => {
      await saveScreenshot(page, `docs-${colorScheme}-${viewport.width}-${state}`);
      assert.deepEqual(await seriousViolations(page, part), [], state);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width, state);
    };
    await page.locator('.opblock').first().waitFor();
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    assert.equal(background, colorScheme === 'dark' ? 'rgb(20, 22, 20)' : 'rgb(252, 252, 250)');
    const own = await page.evaluate("getComputedStyle(document.querySelector('.swagger-ui')).backgroundColor");
    assert.equal(own, 'rgba(0, 0, 0, 0)', 'Swagger UI shows the background of the page');
    await check('start');
    const operation = await openOperation(page, 'searchPlaces');
    const [parameter, description] = await Promise.all(
      ['name', 'description'].map((part) => operation.locator(`.parameters-col_${part}`).nth(1).boundingBox()),
    );
    const isAbove = (parameter?.y ?? 0) + (parameter?.height ?? 0) <= (description?.y ?? 0);
    assert.equal(isAbove, viewport.width < 640, 'on a phone the name of a parameter is above its description');
    await operation.getByLabel('hitsPerPage').fill('1'); // axe is slow with long responses
    await execute(operation);
    await page.locator('.live-responses-table').scrollIntoViewIfNeeded();
    await check('response', '.opblock.is-open');
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    await page.locator('.auth-container').waitFor();
    await check('key', '.dialog-ux');
  });
}

test('the HTML that /docs prints puts a working search field on a page of another origin', inChromium, async (t) => {
  const { page: docs } = shared;
  const snippet = (await docs.locator('#element-snippet').textContent()) ?? '';
  const pinned = (await docs.locator('#pinned-snippet').textContent()) ?? '';
  let html = '';
  const site = await servePlainHttp(t, (_, response) => response.setHeader('content-type', 'text/html').end(html));
  const { key } = await createKey(service, ['--origin', site.origin]);
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  t.after(() => context.close());
  const page = await context.newPage();
  const search = async (content: string) => {
    html = `<!doctype html><title>Another site</title>${content}`;
    await page.goto(site.origin);
    await page.getByRole('combobox').fill('par');
  };
  const withKey = snippet.replace('tpk_…', key);
  const [script = '', field = ''] = withKey.split('\n');
  for (const content of [withKey, pinned + field, script + field.replace('api-key', 'key')]) {
    await search(content);
    await page.getByRole('option', { name: /^Paris, France/ }).waitFor();
  }
  const printed = page.waitForEvent('console', (message) => message.text().startsWith('toponym-search: '));
  await search(script + field.replace(/ api-key="[^"]*"/, ''));
  await page.getByText('The search is not available now.').waitFor();
  assert.equal((await printed).text(), 'toponym-search: the attribute api-key is missing');
});
