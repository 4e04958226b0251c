/** Maps as Chromium draws them, with its fonts. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { builtIndex } from '../../support/built-index.ts';
import { inChromium, openBrowser, STEP_MS } from '../../support/chromium.ts';
import { runCommand } from '../../support/command.ts';
import { fileHooks } from '../../support/file-hooks.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let page: Page;

before(async () => {
  if (inChromium.skip) return;
  page = await (await openBrowser(fileHooks)).newPage();
  page.setDefaultTimeout(STEP_MS);
});

const folder = temporaryFolder(fileHooks);

async function showMap(args: readonly string[]): Promise<void> {
  const file = join(folder, 'map.svg');
  const { code, stderr } = await runCommand([...args, '--svg', file, '--index', await builtIndex()]);
  assert.equal(code, 0, stderr);
  await page.goto(pathToFileURL(file).href);
}

/** Pairs of markers and labels that overlap. */
const OVERLAPS = `(() => {
  const shapes = [...document.querySelectorAll('g[data-x] circle, g[data-x] .label')];
  const boxes = shapes.map((shape) => ({ name: shape.parentNode.textContent, box: shape.getBoundingClientRect() }));
  const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const pairs = boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => overlap(a.box, b.box)).map((b) => [a.name, b.name]));
  return { count: boxes.length, pairs };
})()`;

test('markers and labels do not overlap with the fonts of a browser', inChromium, async () => {
  for (const args of [
    ['query', 'springfield'],
    ['query', 'san'],
    ['query', 'москва'],
    ['reverse', '54.33,10.14', '--hits-per-page', '20'],
  ]) {
    await showMap(args);
    const { count, pairs } = (await page.evaluate(OVERLAPS)) as { count: number; pairs: string[][] };
    assert.ok(count > 25, `${args}: ${count} markers and labels`);
    assert.deepEqual(pairs, [], args.join(' '));
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
  inChromium,
  async () => {
    for (const args of [
      ['query', '', '--countries', 'ch'],
      ['query', '', '--countries', 'mn'],
      ['query', '', '--countries', 'bo,zm,mn'], // a map of the world
      ['query', 'labasa', '--hits-per-page', '1'], // in Fiji, near the antimeridian
    ]) {
      await showMap(args);
      assert.deepEqual(await page.evaluate(AT_SEA), [], args.join(' '));
    }
  },
);
