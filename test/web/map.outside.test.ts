/** The map of the page, in a real browser that draws with WebGL. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, type TestContext, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { DARK, LIGHT, RADIUS_OPACITY } from '../../web/src/map/style.ts';
import { waitUntil } from '../support/deadline.ts';
import { outsideProgram } from '../support/outside-programs.ts';
import { drawn, launchChromium, type MapWindow, MIDDLE, openMapPage, turnGlobeTo } from './map-page.ts';

const MAP_STYLE = readFileSync(new URL('../../web/src/map/map.css', import.meta.url), 'utf8');
const [, ACCENT = ''] = /--map-accent: var\(--accent, (#\w{6})\)/.exec(MAP_STYLE) ?? [];
const COLORS: Readonly<Record<string, readonly number[]>> = {
  land: rgbOf(LIGHT.land),
  water: rgbOf(LIGHT.water),
  'dark land': rgbOf(DARK.land),
  label: rgbOf(LIGHT.text),
  'land in the radius': mixed(rgbOf(LIGHT.land), rgbOf(ACCENT), RADIUS_OPACITY),
};
/** Degrees of longitude of 100 pixels at the equator, at the zoom of a selected hit. */
const DEGREES_100_PIXELS = (100 * 360) / (512 * 2 ** 6);
const ISLAND = { id: 'island', label: 'Null Island', lat: 0, lng: 0 };
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const program = outsideProgram('chromium');
const options = { skip: program.skip };
let browser: Browser;
before(async () => {
  if (program.skip === false) browser = await launchChromium(program.path);
});
after(() => browser?.close());

/** The different colours in a square of pixels around the middle of the map. */
async function middleColors(page: Page, pixels: number): Promise<string[]> {
  const start = MIDDLE - Math.floor(pixels / 2);
  const clip = { x: start, y: start, width: pixels, height: pixels };
  const png = (await page.screenshot({ clip })).toString('base64');
  const data = await page.evaluate<number[]>(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png}';
    await image.decode();
    const context = new OffscreenCanvas(${pixels}, ${pixels}).getContext('2d');
    context.drawImage(image, 0, 0);
    return [...context.getImageData(0, 0, ${pixels}, ${pixels}).data];
  })()`);
  const colors = Array.from({ length: pixels ** 2 }, (_, i) => nameOf(data.slice(4 * i, 4 * i + 3)));
  return [...new Set(colors)];
}

/** Of a colour such as `#c8d8e3`. */
function rgbOf(color: string): number[] {
  return [...Buffer.from(color.slice(1), 'hex')];
}

function mixed(below: readonly number[], above: readonly number[], opacity: number): number[] {
  return below.map((n, i) => n * (1 - opacity) + (above[i] ?? 0) * opacity);
}

/** Blending can change a colour by one. */
function nameOf(rgb: readonly number[]): string {
  const known = Object.entries(COLORS).find(([, color]) => rgb.every((n, i) => Math.abs(n - (color[i] ?? 0)) <= 2));
  return known?.[0] ?? rgb.join(' ');
}

/** Waits for a colour that appears without a movement of the map. */
async function middleBecomes(page: Page, color: string): Promise<void> {
  await waitUntil(
    `the middle of the map has the colour of ${color}`,
    async () => (await middleColors(page, 1))[0] === color,
  );
}

function callsOf(page: Page, name: string): Promise<unknown[][]> {
  return page.evaluate((name) => {
    const { calls } = globalThis as unknown as MapWindow;
    return calls.filter(([called]) => called === name).map(([, ...args]) => args);
  }, name);
}

/** Shows one hit at 0,0, which moves the map there. */
async function openIsland(t: TestContext): Promise<Page> {
  const page = await openMapPage(t, browser);
  await page.evaluate((hit) => (globalThis as unknown as MapWindow).map.showHits([hit], hit.id), ISLAND);
  await drawn(page);
  return page;
}

function assertNear(actual: unknown, expected: { lat: number; lng: number }): void {
  const { lat, lng } = actual as { lat: number; lng: number };
  const isNear = Math.abs(lat - expected.lat) < 0.03 && Math.abs(lng - expected.lng) < 0.03;
  assert.ok(isNear, `${lat},${lng} is not near ${expected.lat},${expected.lng}`);
}

const VIEWS = [
  { name: 'the Sahara', lat: 22, lng: 5, pixels: 9, color: 'land' },
  { name: 'the Atlantic', lat: 0, lng: -25, pixels: 41, color: 'water' },
  { name: 'Antarctica, with the pole', lat: -85, lng: 0, pixels: 31, color: 'land' },
  { name: 'the Arctic Ocean, with the pole', lat: 85, lng: 180, pixels: 41, color: 'water' },
  { name: 'Chukotka at 180 degrees', lat: 67.6, lng: 180, pixels: 3, color: 'land' },
  { name: 'the Pacific at 180 degrees', lat: 40, lng: 180, pixels: 41, color: 'water' },
  { name: 'the Greenland Sea, where an uncut Russia has a band', lat: 67, lng: 0, pixels: 9, color: 'water' },
  { name: 'the Ross Sea', lat: -72, lng: 180, pixels: 13, color: 'water' },
];

test(
  'the globe shows land and sea where they are, without bands at the poles and at 180 degrees',
  options,
  async (t) => {
    const page = await openMapPage(t, browser);
    for (const { name, lat, lng, pixels, color } of VIEWS) {
      await turnGlobeTo(page, { lat, lng });
      assert.deepEqual(await middleColors(page, pixels), [color], name);
    }
  },
);

test('land that the antimeridian cuts has no gap', options, async (t) => {
  const page = await openMapPage(t, browser);
  for (const { id, lat, pixels } of [
    { id: 'Taveuni', lat: -16.85, pixels: 7 },
    { id: 'Chukotka', lat: 67.5, pixels: 41 },
  ]) {
    await page.evaluate(
      ([id, lat]) => {
        const { map } = globalThis as unknown as MapWindow;
        map.showHits([{ id, label: id, lat, lng: 180 }], undefined);
        map.showHits([], undefined);
      },
      [id, lat] as const,
    );
    await drawn(page);
    assert.deepEqual(await middleColors(page, pixels), ['land'], id);
  }
});

test('the map changes to dark colours when the user does', options, async (t) => {
  const page = await openMapPage(t, browser);
  await turnGlobeTo(page, { lat: 22, lng: 5 });
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await middleBecomes(page, 'dark land');
});

test('a place gets a dot and its name', options, async (t) => {
  const script = "globalThis.loadLabels = async () => [{ name: 'Arlit', lat: 22, lng: 5, population: 1e7 }]";
  const page = await openMapPage(t, browser, { script });
  await turnGlobeTo(page, { lat: 22, lng: 5 });
  await middleBecomes(page, 'label');
});

test('a click on a marker is no click on the map', options, async (t) => {
  const page = await openIsland(t);
  await page.getByRole('button', { name: 'Null Island' }).click();
  assert.deepEqual(await callsOf(page, 'hit'), [['island']]);
  assert.deepEqual(await callsOf(page, 'click'), []);
});

test('the keyboard reaches a marker and the middle of the map', options, async (t) => {
  const page = await openIsland(t);
  await page.getByRole('region', { name: /^Map/ }).focus();
  await page.keyboard.press('Enter');
  assertNear((await callsOf(page, 'click'))[0]?.[0], { lat: 0, lng: 0 });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.deepEqual(await callsOf(page, 'hit'), [['island']]);
  assert.equal((await callsOf(page, 'click')).length, 1);
});

test('the map turns to a marker on the other side of the globe when it gets the focus', options, async (t) => {
  const page = await openMapPage(t, browser);
  const suva = { id: 'suva', label: 'Suva', lat: -18, lng: 178 };
  await page.evaluate((hits) => (globalThis as unknown as MapWindow).map.showHits(hits, undefined), [ISLAND, suva]);
  await drawn(page);
  assertNear(await page.evaluate('map.center'), ISLAND);
  await page.getByRole('button', { name: 'Null Island' }).focus();
  await page.keyboard.press('Tab');
  assertNear(await page.evaluate('map.center'), suva);
});

test('a click on the map gives the coordinates under the pointer', options, async (t) => {
  const page = await openIsland(t);
  await page.mouse.click(MIDDLE + 100, MIDDLE);
  assertNear((await callsOf(page, 'click'))[0]?.[0], { lat: 0, lng: DEGREES_100_PIXELS });
});

test('a click beside the globe does nothing', options, async (t) => {
  const page = await openMapPage(t, browser);
  await turnGlobeTo(page, { lat: 0, lng: 0 });
  await page.mouse.click(5, 5);
  await page.mouse.click(MIDDLE, MIDDLE);
  assert.equal((await callsOf(page, 'click')).length, 1);
});

test('the user can drag the preferred point, and move it with the arrow keys', options, async (t) => {
  const page = await openIsland(t);
  await page.evaluate(() => {
    const { map } = globalThis as unknown as MapWindow;
    map.showHits([], undefined);
    map.showPoint({ lat: 0, lng: 0 }, 'Prefer places near this point');
  });
  await page.mouse.move(MIDDLE, MIDDLE);
  await page.mouse.down();
  await page.mouse.move(MIDDLE + 50, MIDDLE, { steps: 5 });
  await page.mouse.move(MIDDLE + 100, MIDDLE, { steps: 5 });
  await page.mouse.up();
  await page.getByRole('button', { name: /^Prefer places near this point/ }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  const [dragged, left, farLeft] = await callsOf(page, 'point');
  assertNear(dragged?.[0], { lat: 0, lng: DEGREES_100_PIXELS });
  assertNear(left?.[0], { lat: 0, lng: 0.9 * DEGREES_100_PIXELS });
  assertNear(farLeft?.[0], { lat: 0, lng: -0.1 * DEGREES_100_PIXELS });
  assert.deepEqual(await callsOf(page, 'moved'), []);
  assert.deepEqual(await callsOf(page, 'click'), []);
});

test('the map reports moves of the user, and not its own', options, async (t) => {
  const page = await openIsland(t);
  assert.deepEqual(await callsOf(page, 'moved'), []);
  await page.mouse.move(MIDDLE + 100, MIDDLE + 50);
  await page.mouse.down();
  await page.mouse.move(MIDDLE, MIDDLE + 50, { steps: 5 });
  await page.mouse.up();
  await drawn(page);
  assertNear((await callsOf(page, 'moved'))[0]?.[0], { lat: 0, lng: DEGREES_100_PIXELS });
});

test('places on both sides of the antimeridian are shown together', options, async (t) => {
  const page = await openMapPage(t, browser);
  await page.evaluate(() => {
    const suva = { id: 'suva', label: 'Suva', lat: -18.14, lng: 178.44 };
    const neiafu = { id: 'neiafu', label: 'Neiafu', lat: -18.65, lng: -173.98 };
    (globalThis as unknown as MapWindow).map.showHits([suva, neiafu], undefined);
  });
  await drawn(page);
  const [suva, neiafu] = await Promise.all(
    ['Suva', 'Neiafu'].map((name) => page.getByRole('button', { name }).boundingBox()),
  );
  assert.ok(
    suva && neiafu && suva.x > 0 && suva.x < 100 && neiafu.x > 300 && neiafu.x < 400,
    `${suva?.x} ${neiafu?.x}`,
  );
});

test('the map draws again, with newer data, after the browser took its WebGL context away', options, async (t) => {
  const page = await openMapPage(t, browser);
  await turnGlobeTo(page, { lat: 22, lng: 5 });
  await page.evaluate(`
    globalThis.lose = document.querySelector('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
    lose.loseContext();`);
  await page.getByText('The browser has stopped drawing the map').waitFor();
  await page.evaluate(() => (globalThis as unknown as MapWindow).map.showRadius({ lat: 22, lng: 5 }, 500_000));
  await page.evaluate('lose.restoreContext()');
  await page.getByText('The browser has stopped drawing the map').waitFor({ state: 'detached' });
  await drawn(page);
  assert.deepEqual(await middleColors(page, 5), ['land in the radius']);
  assert.deepEqual(await page.evaluate('violations'), []);
});

test('close leaves nothing behind', options, async (t) => {
  const page = await openIsland(t);
  await page.evaluate('map.close()');
  assert.equal(await page.evaluate("document.getElementById('map').childElementCount"), 0);
  assert.equal(await page.evaluate('document.adoptedStyleSheets.length'), 0);
});

test(
  'axe finds nothing serious, in light and dark, and the Content-Security-Policy nothing at all',
  options,
  async (t) => {
    const page = await openIsland(t);
    await page.evaluate("map.showPoint({ lat: 1, lng: 1 }, 'A point')");
    await page.evaluate(readFileSync(AXE, 'utf8'));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const { violations } = await page.evaluate<{ violations: { id: string; impact: string }[] }>('axe.run()');
      assert.deepEqual(
        violations.filter(({ impact }) => impact === 'serious' || impact === 'critical'),
        [],
      );
    }
    assert.deepEqual(await page.evaluate('violations'), []);
  },
);

test('without WebGL, createMap throws NoWebGl', options, async (t) => {
  const blind = await launchChromium(program.path, { hasWebGl: false });
  t.after(() => blind.close());
  const page = await openMapPage(t, blind);
  assert.equal(await page.evaluate('hasWebGl'), false);
  assert.equal(await page.evaluate("document.getElementById('map').childElementCount"), 0);
});
