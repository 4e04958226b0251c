/** Runs a script in a page in Debian's Chromium. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { TOOLS_MANIFEST } from './tools.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];
/** The script's last line prints it. */
const END = 'the script has ended';

export interface PageRun {
  readonly program: string;
  readonly script: string;
  /** By path. */
  readonly files: Readonly<Record<string, Buffer>>;
  /** Lines to wait for after the end of the script. */
  readonly lines?: number;
}

/** Serves the files to a page with the script, and returns what the script prints. */
export async function printedInChromium(
  context: TestContext,
  { program, script, files, lines = 0 }: PageRun,
): Promise<string> {
  const { page, url } = await openPage(context, program, {
    ...files,
    '/': '<!doctype html><script type="module" src="/script.js"></script>',
    '/script.js': `${script}\nconsole.log('${END}');`,
  });
  const printed: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  page.on('pageerror', reject);
  page.on('console', (message: { text(): string; type(): string }) => {
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
  program: string,
  files: Readonly<Record<string, string | Buffer>>,
  // biome-ignore lint/suspicious/noExplicitAny: playwright is installed only when these tests run
): Promise<{ page: any; url: string }> {
  const url = await serve(context, files);
  const { chromium } = createRequire(TOOLS_MANIFEST)('playwright-core');
  const browser = await chromium.launch({ executablePath: program, args: FLAGS });
  context.after(() => browser.close());
  // services under test have self-signed certificates
  return { page: await browser.newPage({ ignoreHTTPSErrors: true }), url };
}

async function serve(context: TestContext, files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html');
    response.end(files[path] ?? '');
  });
  context.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
