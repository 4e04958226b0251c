/** The footer of the page: which data is served and how old it is. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeVersion } from '../support/index-version.ts';
import { outsideProgram } from '../support/outside-programs.ts';
import { runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { launchChromium, openPage } from './opened-page.ts';

const chromium = outsideProgram('chromium');

test('the footer shows the date and age of the data, and how to get newer data if they are old', {
  skip: chromium.skip,
  timeout: 120_000,
}, async (context) => {
  const today = new Date().toISOString().slice(0, 10);
  const browser = await launchChromium(chromium.path);
  context.after(() => browser.close());
  for (const [version, expected] of [
    [
      'geonames-cities500-2023-03-05',
      /^2 places: GeoNames cities500 of 5 March 2023 \(\d[\d.]* years old\)\. For newer data, run npx toponym update\.$/,
    ],
    [`mine-${today}`, /^2 places: mine of \d+ \w+ \d{4} \(new\)\.$/],
  ] as const) {
    const index = join(temporaryFolder(context), 'a.toponym');
    await writeVersion(index, version, ['Alba', 'Borea']);
    const service = await runService(context, { index, args: ['--threads', '1'] });
    const { page } = await openPage(context, browser, service.ready.url);
    const note = page.locator('footer p').first();
    await note.waitFor();
    assert.match((await note.textContent()) ?? '', expected);
    if (process.env.TOPONYM_SCREENSHOTS !== undefined)
      await page.locator('footer').screenshot({ path: join(process.env.TOPONYM_SCREENSHOTS, `footer-${version}.png`) });
  }
});
