/** Opens the page at `/` in Debian's Chromium, and notes what must not happen. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { waitUntil } from '../support/deadline.ts';

const FLAGS = [
  ...['--no-sandbox', '--headless=new', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
];

export interface OpenedPage {
  readonly page: Page;
  readonly box: Locator;
  readonly options: Locator;
  readonly results: Locator;
  readonly place: Locator;
  readonly trouble: Locator;
}

export interface Opening extends BrowserContextOptions {
  /** Path and query. */
  readonly path?: string;
  /** A script that runs in the page before its own. */
  readonly before?: string;
  /** Statuses of failed requests that the test provokes. */
  readonly expected?: RegExp;
}

export function launchChromium(program: string): Promise<Browser> {
  return chromium.launch({ executablePath: program, args: FLAGS });
}

/**
 * The test fails at its end if the page had an error, violated its Content-Security-Policy, or sent a
 * request to another host.
 */
export async function openPage(
  context: TestContext,
  browser: Browser,
  url: string,
  { path = '/', before, expected, ...options }: Opening = {},
): Promise<OpenedPage> {
  const browserContext = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
  const page = await browserContext.newPage();
  page.setDefaultTimeout(45_000); // WebGL without a graphics card takes seconds
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.stack || String(error)));
  page.on('console', (message) => {
    // Chromium prints failed requests and violations of the policy as errors
    if (message.type() === 'error' && !expected?.test(message.text())) problems.push(message.text());
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    const isInPage = protocol === 'data:' || protocol === 'blob:';
    if (!isInPage && origin !== new URL(url).origin) problems.push(`a request to ${request.url()}`);
  });
  context.after(async () => {
    await browserContext.close();
    assert.deepEqual(problems, []);
  });
  if (before !== undefined) await page.addInitScript(before);
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => console.error('violates ' + event.violatedDirective))",
  );
  await page.goto(new URL(path, url).href);
  return {
    page,
    box: page.getByRole('combobox'),
    options: page.getByRole('option'),
    results: page.locator('#results > li'),
    place: page.locator('#place'),
    trouble: page.getByRole('alert'),
  };
}

/** Waits until the page satisfies the expression. */
export function waitFor(page: Page, expression: string): Promise<void> {
  // waitForFunction needs eval, which the page forbids
  return waitUntil(expression, () => page.evaluate<boolean>(expression));
}
