/**
 * Debian's Chromium, which draws with WebGL on any machine and reaches no host but this one. `npm run
 * test:all` starts one for all test processes; a file that runs without it starts its own. Each test
 * opens its own browser context.
 */
import type { TestContext } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { outsideProgram } from './outside-programs.ts';

/** Environment variable with the address of the shared Chromium. */
const ENDPOINT = 'TOPONYM_TEST_CHROMIUM';
const program = outsideProgram('chromium');
const LAUNCH = {
  executablePath: program.path,
  args: [
    ...['--no-sandbox', '--headless=new', '--enable-unsafe-swiftshader'],
    ...['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  ],
};
/** Time for one step of a page: WebGL without a graphics card is slow. */
export const STEP_MS = 120_000;
/**
 * What Chromium prints if the service refuses a call because its machine is too busy. The page and the
 * element call again by themselves.
 */
export const BUSY = /status of 503/;
/** Makes a page believe that the browser has no WebGL. */
export const NO_WEBGL = `HTMLCanvasElement.prototype.getContext = new Proxy(HTMLCanvasElement.prototype.getContext, {
  apply: (target, canvas, args) => (/webgl/.test(args[0]) ? null : Reflect.apply(target, canvas, args)),
});`;

/** Options of the tests that use Chromium. */
export const inChromium = { skip: program.skip };

/** Starts a Chromium for this process and its children, if it is installed. Returns what ends it. */
export async function shareChromium(): Promise<() => Promise<void>> {
  if (program.skip !== false) return async () => {};
  const server = await chromium.launchServer({ ...LAUNCH, host: '127.0.0.1' });
  process.env[ENDPOINT] = server.wsEndpoint();
  return () => server.close();
}

/** Connects to the shared Chromium, or starts one. Closes what was opened in it when the tests end. */
export async function openBrowser(hooks: Pick<TestContext, 'after'>): Promise<Browser> {
  const endpoint = process.env[ENDPOINT];
  const browser = await (endpoint === undefined ? chromium.launch(LAUNCH) : chromium.connect(endpoint));
  hooks.after(() => browser.close());
  return browser;
}
