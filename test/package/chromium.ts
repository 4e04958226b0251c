/** Runs a script in a page in Debian's Chromium. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { TOOLS_MANIFEST } from './tools.ts';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'];
/** The script's last line prints it. */
const END = 'the script has ended';

/** Serves the files to a page with the script, and returns what the script prints. */
export async function printedInChromium(
  context: TestContext,
  { program, script, files }: { program: string; script: string; files: Readonly<Record<string, Buffer>> },
): Promise<string> {
  const url = await serve(context, {
    ...files,
    '/': '<!doctype html><script type="module" src="/script.js"></script>',
    '/script.js': `${script}\nconsole.log('${END}');`,
  });
  const { chromium } = createRequire(TOOLS_MANIFEST)('playwright-core');
  const browser = await chromium.launch({ executablePath: program, args: FLAGS });
  context.after(() => browser.close());
  const page = await browser.newPage();
  const printed: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  page.on('pageerror', reject);
  page.on('console', (message: { text(): string }) => {
    if (message.text() === END) resolve();
    else printed.push(`${message.text()}\n`);
  });
  await page.goto(url);
  await promise;
  return printed.join('');
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
