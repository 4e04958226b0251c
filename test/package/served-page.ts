/** Scripts bundled as users do it, in pages that Chromium opens. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { servePlainHttp } from '../../packages/gazetteer/test/fetch/file-server.ts';
import { openBrowser, STEP_MS } from '../support/chromium.ts';

/** The script's last line prints it. */
const END = 'the script has ended';

/** Bundles a module of a project. For browsers, esbuild refuses modules of Node.js. */
export async function bundled(
  project: string,
  code: string,
  { nodePaths = [] }: { readonly nodePaths?: string[] } = {},
): Promise<string> {
  const entry = join(project, 'entry.js');
  writeFileSync(entry, code);
  const { outputFiles } = await build({
    ...{ entryPoints: [entry], bundle: true, platform: 'browser', format: 'esm', write: false, logLevel: 'error' },
    ...{ absWorkingDir: project, nodePaths },
  });
  return outputFiles[0]?.text ?? '';
}

export interface PageRun {
  readonly script: string;
  /** By path. */
  readonly files?: Readonly<Record<string, Buffer>>;
  /** Lines to wait for after the end of the script. */
  readonly lines?: number;
}

/** Serves the files to a page with the script, and returns what the script prints. */
export async function printedInChromium(
  context: TestContext,
  { script, files = {}, lines = 0 }: PageRun,
): Promise<string> {
  const { page, url } = await openPage(context, {
    ...files,
    '/': '<!doctype html><script type="module" src="/script.js"></script>',
    '/script.js': `${script}\nconsole.log('${END}');`,
  });
  const printed: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  page.on('pageerror', reject);
  page.on('console', (message) => {
    if (message.type() !== 'log') return;
    printed.push(`${message.text()}\n`);
    if (printed.includes(`${END}\n`) && printed.length > lines) resolve();
  });
  await page.goto(url);
  await promise;
  return printed.filter((line) => line !== `${END}\n`).join('');
}

/** Serves the files, and opens an empty page that can go to their URL. */
export async function openPage(
  context: TestContext,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<{ page: Page; url: string }> {
  const { href: url } = await servePlainHttp(context, (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    response.setHeader('content-type', path.endsWith('js') ? 'text/javascript' : 'text/html');
    response.end(files[path] ?? '');
  });
  const browser = await openBrowser(context);
  // services under test have self-signed certificates
  const page = await browser.newPage({ ignoreHTTPSErrors: true });
  page.setDefaultTimeout(STEP_MS);
  return { page, url };
}
