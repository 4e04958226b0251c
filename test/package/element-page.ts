/**
 * Pages with the element `<toponym-search>` from the packed package. They have another origin than the service, and a
 * strict Content-Security-Policy.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { servePlainHttp } from '../../packages/gazetteer/test/fetch/file-server.ts';
import { BUSY, STEP_MS } from '../support/chromium.ts';
import { createKey, type RunningService, runService } from '../support/running-service.ts';
import { projectWithToponym } from './packed-package.ts';
import { bundled } from './served-page.ts';

type Hooks = Pick<TestContext, 'after'>;

export interface ElementSite {
  readonly url: string;
  readonly service: RunningService;
  readonly key: string;
  /** A project that has installed the package. */
  readonly project: string;
  /** Body of the page at `/`. */
  body: string;
  /** Content of `/script.js`. */
  script: string;
  /** The bundle that defines the element. */
  readonly bundle: string;
}

export interface ElementPage {
  readonly page: Page;
  readonly box: Locator;
  readonly options: Locator;
  readonly alert: Locator;
  /** What the page printed. */
  readonly printed: string[];
}

export interface Opening extends BrowserContextOptions {
  readonly body: string;
  /** The site's bundle by default. */
  readonly script?: string;
  /** Errors that the test provokes. */
  readonly expected?: RegExp;
}

export async function serveElementSite(hooks: Hooks): Promise<ElementSite> {
  const project = await projectWithToponym(hooks);
  const service = await runService(hooks, { args: ['--threads', '1'] });
  const policy = `default-src 'none'; script-src 'self'; img-src 'self'; connect-src ${service.ready.url}; form-action 'self'`;
  const client = join(project, 'node_modules', 'toponym', 'dist', 'client');
  const { origin: url } = await servePlainHttp(hooks, (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html');
    response.setHeader('content-security-policy', policy);
    if (path === '/script.js') response.end(site.script);
    else if (path.startsWith('/client/')) response.end(readFileSync(join(client, path.slice('/client/'.length))));
    else response.end(path === '/' ? site.body : `<!doctype html><title>${path}</title>`);
  });
  const { key } = await createKey(service, ['--origin', url]);
  const bundle = await bundled(project, "import 'toponym/client/search-element';");
  const site: ElementSite = { url, service, key, project, body: '', script: '', bundle };
  return site;
}

/** The test fails at its end if the page had an error, or violated its policy. */
export async function openElementPage(
  t: TestContext,
  { browser, site }: { readonly browser: Browser; readonly site: ElementSite },
  { body, script, expected, ...options }: Opening,
): Promise<ElementPage> {
  // services under test have self-signed certificates
  const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MS);
  const problems: string[] = [];
  const printed: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'log') printed.push(message.text());
    else if (!expected?.test(message.text()) && !BUSY.test(message.text())) problems.push(message.text());
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(problems, []);
  });
  site.script = script ?? site.bundle;
  site.body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark"><title>A page of someone else</title>
    <script type="module" src="/script.js"></script><main><h1>A page</h1>${body}</main></html>`
    .replaceAll('https://places.example.com', site.service.ready.url)
    .replaceAll('tpk_…', site.key);
  await page.goto(site.url);
  return {
    page,
    printed,
    box: page.getByRole('combobox'),
    options: page.getByRole('option'),
    alert: page.getByRole('alert'),
  };
}
