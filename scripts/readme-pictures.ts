/** `npm run pictures`: takes the pictures of the page in README.md, in Debian's Chromium. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inChromium, openBrowser } from '../test/support/chromium.ts';
import { runService } from '../test/support/running-service.ts';
import { openPage } from '../test/web/opened-page.ts';

const FOLDER = fileURLToPath(new URL('../docs/images', import.meta.url));
const VIEWPORT = { width: 1280, height: 760 };
/** The map flies to the hits. */
const FLIGHT_MS = 4000;

const endings: (() => unknown)[] = [];
const context = { after: (end: () => unknown) => void endings.push(end) };
try {
  const service = await runService(context);
  if (inChromium.skip !== false) throw new Error(inChromium.skip);
  const browser = await openBrowser(context);
  mkdirSync(FOLDER, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, box, options } = await openPage(context, browser, service.ready.url, {
      colorScheme,
      viewport: VIEWPORT,
      hasMap: true,
    });
    await box.pressSequentially('par');
    await options.first().waitFor();
    await box.press('ArrowDown');
    await page.locator('[data-map=drawn]').waitFor();
    await page.waitForTimeout(FLIGHT_MS);
    const path = `${FOLDER}/page-${colorScheme}.png`;
    await page.screenshot({ path });
    console.log(`Wrote ${path}`);
  }
} finally {
  for (const end of endings.reverse()) await end();
}
