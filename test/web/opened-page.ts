/** Opens a page of the service in Debian's Chromium, and notes what must not happen. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, Locator, Page, Request } from 'playwright-core';
import { BUSY, NO_WEBGL, STEP_MS } from '../support/chromium.ts';
import { waitUntil } from '../support/deadline.ts';

export interface OpenedPage {
  readonly page: Page;
  readonly box: Locator;
  readonly options: Locator;
  readonly results: Locator;
  readonly place: Locator;
  readonly trouble: Locator;
  /** What the page did and must not do. */
  readonly problems: string[];
  /** Statuses of failed requests that the test provokes. */
  expected?: RegExp | undefined;
}

export interface Opening extends BrowserContextOptions {
  /** Path and query. */
  readonly path?: string;
  /** Whether the browser has WebGL, so that the page draws its map. That takes seconds. */
  readonly hasMap?: boolean;
  /** A script that runs in the page before its own. */
  readonly before?: string;
  readonly onRequestFinished?: (request: Request) => void;
  /** Statuses of failed requests that the test provokes. */
  readonly expected?: RegExp;
}

/**
 * The test fails at its end if the page had an error, violated its Content-Security-Policy, or sent a
 * request to another host.
 */
export async function openPage(
  context: Pick<TestContext, 'after'>,
  browser: Browser,
  url: string,
  { path = '/', hasMap = false, before, onRequestFinished, expected, ...options }: Opening = {},
): Promise<OpenedPage> {
  const browserContext = await browser.newContext({ ignoreHTTPSErrors: true, reducedMotion: 'reduce', ...options });
  const page = await browserContext.newPage();
  page.setDefaultTimeout(STEP_MS);
  const problems: string[] = [];
  const opened: OpenedPage = {
    ...{ page, problems, expected },
    box: page.getByRole('combobox'),
    options: page.getByRole('option'),
    results: page.locator('#results > li'),
    place: page.locator('#place'),
    trouble: page.getByRole('alert'),
  };
  page.on('pageerror', (error) => problems.push(error.stack || String(error)));
  page.on('console', (message) => {
    // Chromium prints failed requests and violations of the policy as errors
    const text = message.text();
    if (message.type() === 'error' && !opened.expected?.test(text) && !BUSY.test(text)) problems.push(text);
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    const isInPage = protocol === 'data:' || protocol === 'blob:';
    if (!isInPage && origin !== new URL(url).origin) problems.push(`a request to ${request.url()}`);
  });
  if (onRequestFinished !== undefined) browserContext.on('requestfinished', onRequestFinished);
  context.after(async () => {
    await browserContext.close();
    assert.deepEqual(problems, []);
  });
  if (!hasMap) await page.addInitScript(NO_WEBGL);
  if (before !== undefined) await page.addInitScript(before);
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => console.error('violates ' + event.violatedDirective))",
  );
  await page.goto(new URL(path, url).href);
  return opened;
}

/** Loads the page again where one is open, which takes less time than to open one. */
export async function reopenPage(
  context: Pick<TestContext, 'after'>,
  opened: OpenedPage,
  { path = '/', expected }: Pick<Opening, 'path' | 'expected'> = {},
): Promise<OpenedPage> {
  const { page, problems } = opened;
  opened.expected = expected;
  context.after(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().setOffline(false);
    assert.deepEqual(problems.splice(0), []);
  });
  await page.goto(new URL(path, page.url()).href);
  return opened;
}

/** Holds back the answers to searches whose form matches. `held` resolves when there is one. */
export async function holdAnswers(
  page: Page,
  form = /^/,
): Promise<{ readonly held: Promise<void>; readonly release: () => void }> {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route('**/api/1/query', async (route) => {
    if (!form.test(route.request().postData() ?? '')) return route.fallback();
    const response = await route.fetch();
    held.resolve();
    await released.promise;
    await route.fulfill({ response }).catch(() => {}); // the page has given up the call
  });
  return { held: held.promise, release: released.resolve };
}

/** With the text for screen readers. */
export async function textOf(locator: Locator): Promise<string> {
  return (await locator.textContent()) ?? '';
}

/** Waits until the page satisfies the expression. */
export function waitFor(page: Page, expression: string): Promise<void> {
  // waitForFunction needs eval, which the page forbids
  return waitUntil(expression, () => page.evaluate<boolean>(expression));
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds, other than trifles, in a part of the page: each rule with the elements that violate it. */
export async function seriousViolations(page: Page, part = 'html'): Promise<string[][]> {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  // details of other results take most of the time
  const run = `axe.run(${JSON.stringify(part)}, { resultTypes: ['violations'] })`;
  const { violations } = (await page.evaluate(run)) as { violations: Violation[] };
  const serious = violations.filter(({ impact }) => impact !== 'minor');
  return serious.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
}

/** Into the folder that TOPONYM_SCREENSHOTS names, once `awaited` is visible; nowhere without it. */
export async function saveScreenshot(page: Page, name: string, awaited = 'body'): Promise<void> {
  const folder = process.env.TOPONYM_SCREENSHOTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.locator(awaited).waitFor();
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
