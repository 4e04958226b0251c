/** Maps as Chromium draws them, with its fonts. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { builtIndex } from '../../support/built-index.ts';
import { outsideProgram } from '../../support/outside-programs.ts';
import { runToponym } from '../../support/running-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { launchChromium } from '../../web/opened-page.ts';

const chromium = outsideProgram('chromium');
const inBrowser = { skip: chromium.skip };
let browser: Browser;

before(async () => {
  if (!chromium.skip) browser = await launchChromium(chromium.path);
});
after(async () => await browser?.close());

const folder = temporaryFolder({ after: (cleanUp?: unknown) => after(cleanUp as () => void) });

async function openMap(args: readonly string[], colorScheme: 'light' | 'dark' = 'light') {
  const file = join(folder, 'map.svg');
  const { code, stderr } = await runToponym([...args, '--svg', file, '--index', await builtIndex()]);
  assert.equal(code, 0, stderr);
  const page = await browser.newPage({ colorScheme });
  await page.goto(pathToFileURL(file).href);
  return page;
}

/** Pairs of markers and labels that overlap. */
const OVERLAPS = `(() => {
  const shapes = [...document.querySelectorAll('g[data-x] circle, g[data-x] .label')];
  const boxes = shapes.map((shape) => ({ name: shape.parentNode.textContent, box: shape.getBoundingClientRect() }));
  const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const pairs = boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => overlap(a.box, b.box)).map((b) => [a.name, b.name]));
  return { count: boxes.length, pairs };
})()`;

test('markers and labels do not overlap with the fonts of a browser', inBrowser, async () => {
  for (const args of [
    ['query', 'springfield'],
    ['query', 'san'],
    ['query', 'москва'],
    ['reverse', '54.33,10.14'],
  ]) {
    const page = await openMap(args);
    const { count, pairs } = (await page.evaluate(OVERLAPS)) as { count: number; pairs: string[][] };
    assert.ok(count > 25, `${args}: ${count} markers and labels`);
    assert.deepEqual(pairs, [], args.join(' '));
    await page.close();
  }
});

/** Titles of the markers whose points are not on land. */
const AT_SEA = `(() => {
  const land = document.querySelector('.land');
  return [...document.querySelectorAll('g[data-x]')]
    .filter((marker) => !land.isPointInFill(new DOMPoint(Number(marker.dataset.x), Number(marker.dataset.y))))
    .map((marker) => marker.querySelector('title').textContent);
})()`;

test(
  'places of landlocked countries are on land, in a region and in the world, and so is one on an island',
  inBrowser,
  async () => {
    for (const args of [
      ['query', '', '--countries', 'ch'],
      ['query', '', '--countries', 'mn'],
      ['query', '', '--countries', 'bo,zm,mn'], // a map of the world
      ['query', 'labasa', '--hits-per-page', '1'], // in Fiji, near the antimeridian
    ]) {
      const page = await openMap(args);
      assert.deepEqual(await page.evaluate(AT_SEA), [], args.join(' '));
      await page.close();
    }
  },
);

test('the colours follow the preference for light or dark', inBrowser, async () => {
  const fills = [];
  for (const scheme of ['light', 'dark'] as const) {
    const page = await openMap(['query', 'paris'], scheme);
    const read = "['.paper', '.land', '.title'].map((name) => getComputedStyle(document.querySelector(name)).fill)";
    fills.push(await page.evaluate(read));
    await page.close();
  }
  assert.deepEqual(fills, [
    ['rgb(252, 252, 250)', 'rgb(248, 246, 239)', 'rgb(27, 29, 26)'],
    ['rgb(20, 22, 20)', 'rgb(52, 58, 53)', 'rgb(233, 235, 230)'],
  ]);
});
