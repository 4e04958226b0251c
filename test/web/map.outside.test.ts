/** The map of the page, in a real browser that draws with WebGL. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, beforeEach, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { DARK, LIGHT, RADIUS_OPACITY } from '../../web/src/map/style.ts';
import { inChromium, NO_WEBGL, openBrowser } from '../support/chromium.ts';
import { waitUntil } from '../support/deadline.ts';
import { fileHooks } from '../support/file-hooks.ts';
import { drawn, HALF_BOX, type MapWindow, MIDDLE, openMapPage, type Pixel, turnGlobeTo, zoomTo } from './map-page.ts';
import { seriousViolations } from './opened-page.ts';

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
const ISLAND_BOX = [-HALF_BOX, -HALF_BOX, HALF_BOX, HALF_BOX] as const;
const ISLAND = { id: 'island', label: 'Null Island', lat: 0, lng: 0, bbox: ISLAND_BOX };

let browser: Browser;
/** Shared by the tests, because drawing the first map takes seconds without a graphics card. */
let page: Page;

before(async () => {
  if (inChromium.skip) return;
  browser = await openBrowser(fileHooks);
  page = await openMapPage(fileHooks, browser);
});
beforeEach(async () => {
  if (inChromium.skip) return;
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.evaluate(() => {
    const { map, calls } = globalThis as unknown as MapWindow;
    calls.length = 0;
    map.showHits([], undefined);
    map.showPoint(undefined, '');
    map.showRadius(undefined, undefined);
  });
});

/** The different colours in a square of pixels around one, the middle of the map by default. */
async function colorsAround(pixels: number, { x, y }: Pixel = { x: MIDDLE, y: MIDDLE }): Promise<string[]> {
  const half = Math.floor(pixels / 2);
  const clip = { x: x - half, y: y - half, width: pixels, height: pixels };
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
async function middleBecomes(color: string): Promise<void> {
  await waitUntil(`the middle of the map has the colour of ${color}`, async () => (await colorsAround(1))[0] === color);
}

function callsOf(name: string): Promise<unknown[][]> {
  return page.evaluate((name) => {
    const { calls } = globalThis as unknown as MapWindow;
    return calls.filter(([called]) => called === name).map(([, ...args]) => args);
  }, name);
}

/** Shows one hit at 0,0, which moves the map there. */
async function showIsland(): Promise<void> {
  await page.evaluate((hit) => (globalThis as unknown as MapWindow).map.showHits([hit], hit.id), ISLAND);
  await drawn(page);
}

function assertNear(actual: unknown, expected: { lat: number; lng: number }): void {
  const { lat, lng } = actual as { lat: number; lng: number };
  const isNear = Math.abs(lat - expected.lat) < 0.03 && Math.abs(lng - expected.lng) < 0.03;
  assert.ok(isNear, `${lat},${lng} is not near ${expected.lat},${expected.lng}`);
}

/** Views of the globe, and what is at some of their points. */
const VIEWS = [
  {
    center: { lat: 25, lng: -8 },
    points: [
      { name: 'the Sahara', lat: 22, lng: 5, pixels: 9, color: 'land' },
      { name: 'the Atlantic', lat: 0, lng: -25, pixels: 31, color: 'water' },
      { name: 'the Greenland Sea, where an uncut Russia has a band', lat: 67, lng: 0, pixels: 5, color: 'water' },
    ],
  },
  {
    center: { lat: 67.6, lng: 180 },
    points: [
      { name: 'Chukotka at 180 degrees', lat: 67.6, lng: 180, pixels: 3, color: 'land' },
      { name: 'the Arctic Ocean, with the pole', lat: 85, lng: 180, pixels: 31, color: 'water' },
      { name: 'the Pacific at 180 degrees', lat: 40, lng: 180, pixels: 31, color: 'water' },
    ],
  },
  {
    center: { lat: -80, lng: 180 },
    points: [
      { name: 'the South Pole', lat: -90, lng: 0, pixels: 9, color: 'land' },
      { name: 'Antarctica', lat: -85, lng: 90, pixels: 31, color: 'land' },
      { name: 'the Ross Sea', lat: -72, lng: 180, pixels: 13, color: 'water' },
    ],
  },
];

test(
  'the globe shows land and sea where they are, without bands at the poles and at 180 degrees',
  inChromium,
  async () => {
    for (const { center, points } of VIEWS) {
      const pixels = await turnGlobeTo(page, center, points);
      for (const [i, { name, pixels: size, color }] of points.entries()) {
        assert.deepEqual(await colorsAround(size, pixels[i]), [color], name);
      }
    }
  },
);

test('a close view has finer land, which is loaded only for it, and is the closest at zoom 9', inChromium, async () => {
  const isLoaded = () =>
    page.evaluate("performance.getEntriesByType('resource').some(({ name }) => /close-world/.test(name))");
  assert.equal(await isLoaded(), false);
  await zoomTo(page, { lat: 2.529, lng: -78.391 }, 9); // Mosquera, which the globe's data has in the sea
  assert.deepEqual(await colorsAround(7), ['land']);
  assert.equal(await isLoaded(), true);
  await page.getByRole('button', { name: 'Zoom out' }).click();
  for (let step = 0; step < 3; step++) await page.getByRole('button', { name: 'Zoom in' }).click();
  await drawn(page);
  assert.equal((await callsOf('moved')).at(-1)?.[1], 9);
});

test('land that the antimeridian cuts has no gap', inChromium, async () => {
  for (const { name, lat, pixels } of [
    { name: 'Taveuni', lat: -16.892, pixels: 5 },
    { name: 'Chukotka', lat: 67.5, pixels: 41 },
  ]) {
    await zoomTo(page, { lat, lng: 180 });
    assert.deepEqual(await colorsAround(pixels), ['land'], name);
  }
});

test('the map changes to dark colours when the user does', inChromium, async () => {
  await zoomTo(page, { lat: 22, lng: 5 });
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await middleBecomes('dark land');
});

test('a large place gets a dot and its name', inChromium, async () => {
  await zoomTo(page, { lat: 18.086, lng: -15.979 }); // Nouakchott
  await middleBecomes('label');
});

test('a close view has the names of its settlements, which the page finds', inChromium, async () => {
  await zoomTo(page, { lat: 22, lng: 5 }, 8);
  await waitUntil('the name is shown', async () => (await colorsAround(9)).includes('label'));
});

test('a selected place is shown with its extent', inChromium, async () => {
  const corners = [
    { id: 'southwest', label: 'Southwest', lat: 10, lng: 20 },
    { id: 'northeast', label: 'Northeast', lat: 10.6, lng: 20.6 },
  ];
  const city = { id: 'city', label: 'City', lat: 10.3, lng: 20.3, bbox: [20, 10, 20.6, 10.6] as const };
  await page.evaluate((hits) => (globalThis as unknown as MapWindow).map.showHits(hits, 'city'), [city, ...corners]);
  await drawn(page);
  const [southwest, northeast] = await Promise.all(
    ['Southwest', 'Northeast'].map((name) => page.getByRole('button', { name }).boundingBox()),
  );
  assert.ok(southwest && northeast && southwest.x > 20 && southwest.x < 90, `${southwest?.x}`);
  assert.ok(northeast.x > 300 && northeast.x < 380 && northeast.y > 20 && northeast.y < 90, JSON.stringify(northeast));
});

test('a point is shown with the hits around it, which do not hide it', inChromium, async () => {
  const point = { lat: 10, lng: 20 };
  const hits = Array.from({ length: 10 }, (_, i) => ({ id: `${i}`, label: `Hit ${i}`, lat: 10, lng: 20 + i / 100 }));
  await page.evaluate(
    ({ point, hits }) => {
      const { map } = globalThis as unknown as MapWindow;
      map.showHits(hits, undefined, point);
      map.showPoint(point, 'The point');
    },
    { point, hits },
  );
  await drawn(page);
  const box = await page.getByRole('button', { name: 'The point' }).boundingBox();
  assert.ok(box !== null);
  const middle = [box.x + box.width / 2, box.y + box.height / 2];
  assert.equal(await page.evaluate(`document.elementFromPoint(${middle}).className.includes('map-point')`), true);
  const last = await page.getByRole('button', { name: 'Hit 9' }).boundingBox();
  assert.ok(last && Math.abs(last.x - box.x) > 50, 'the hits are apart');
});

test('a click on a marker is no click on the map', inChromium, async () => {
  await showIsland();
  await page.getByRole('button', { name: 'Null Island' }).click();
  assert.deepEqual(await callsOf('hit'), [['island']]);
  assert.deepEqual(await callsOf('click'), []);
});

test('the keyboard reaches a marker and the middle of the map', inChromium, async () => {
  await showIsland();
  await page.getByRole('region', { name: /^Map/ }).focus();
  await page.keyboard.press('Enter');
  assertNear((await callsOf('click'))[0]?.[0], { lat: 0, lng: 0 });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.deepEqual(await callsOf('hit'), [['island']]);
  assert.equal((await callsOf('click')).length, 1);
});

test('the map turns to a marker on the other side of the globe when it gets the focus', inChromium, async () => {
  const suva = { id: 'suva', label: 'Suva', lat: -18, lng: 178 };
  await page.evaluate((hits) => (globalThis as unknown as MapWindow).map.showHits(hits, undefined), [ISLAND, suva]);
  await drawn(page);
  assertNear(await page.evaluate('map.center'), ISLAND);
  await page.getByRole('button', { name: 'Null Island' }).focus();
  await page.keyboard.press('Tab');
  assertNear(await page.evaluate('map.center'), suva);
});

test('a click on the map gives the coordinates under the pointer', inChromium, async () => {
  await showIsland();
  await page.mouse.click(MIDDLE + 100, MIDDLE);
  assertNear((await callsOf('click'))[0]?.[0], { lat: 0, lng: DEGREES_100_PIXELS });
});

test('a click beside the globe does nothing', inChromium, async () => {
  await turnGlobeTo(page, { lat: 0, lng: 0 });
  await page.mouse.click(5, 5);
  await page.mouse.click(MIDDLE, MIDDLE);
  assert.equal((await callsOf('click')).length, 1);
});

test('the user can drag the preferred point, and move it with the arrow keys', inChromium, async () => {
  await showIsland();
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
  const [dragged, left, farLeft] = await callsOf('point');
  assertNear(dragged?.[0], { lat: 0, lng: DEGREES_100_PIXELS });
  assertNear(left?.[0], { lat: 0, lng: 0.9 * DEGREES_100_PIXELS });
  assertNear(farLeft?.[0], { lat: 0, lng: -0.1 * DEGREES_100_PIXELS });
  assert.deepEqual(await callsOf('moved'), []);
  assert.deepEqual(await callsOf('click'), []);
});

test('the map reports moves of the user, and not its own', inChromium, async () => {
  await showIsland();
  assert.deepEqual(await callsOf('moved'), []);
  await page.mouse.move(MIDDLE + 100, MIDDLE + 50);
  await page.mouse.down();
  await page.mouse.move(MIDDLE, MIDDLE + 50, { steps: 5 });
  await page.mouse.up();
  await drawn(page);
  assertNear((await callsOf('moved'))[0]?.[0], { lat: 0, lng: DEGREES_100_PIXELS });
});

test('places on both sides of the antimeridian are shown together', inChromium, async () => {
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

test('the map draws again, with newer data, after the browser took its WebGL context away', inChromium, async () => {
  await zoomTo(page, { lat: 22, lng: 5 });
  await page.evaluate(`
    globalThis.lose = document.querySelector('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
    lose.loseContext();`);
  await page.getByText('The browser has stopped drawing the map').waitFor();
  await page.evaluate(() => (globalThis as unknown as MapWindow).map.showRadius({ lat: 22, lng: 5 }, 500_000));
  await page.evaluate('lose.restoreContext()');
  await page.getByText('The browser has stopped drawing the map').waitFor({ state: 'detached' });
  await drawn(page);
  assert.deepEqual(await colorsAround(5), ['land in the radius']);
  assert.deepEqual(await page.evaluate('violations'), []);
});

test(
  'axe finds nothing serious, in light and dark, and the Content-Security-Policy nothing at all',
  inChromium,
  async () => {
    await showIsland();
    await page.evaluate("map.showPoint({ lat: 1, lng: 1 }, 'A point')");
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      assert.deepEqual(await seriousViolations(page), []);
    }
    assert.deepEqual(await page.evaluate('violations'), []);
  },
);

test('without WebGL, createMap throws NoWebGl', inChromium, async (t) => {
  const blind = await openMapPage(t, browser, NO_WEBGL);
  assert.equal(await blind.evaluate('hasWebGl'), false);
  assert.equal(await blind.evaluate("document.getElementById('map').childElementCount"), 0);
});

// the last test, because it ends the shared map
test('close leaves nothing behind', inChromium, async () => {
  await showIsland();
  await page.evaluate('map.close()');
  assert.equal(await page.evaluate("document.getElementById('map').childElementCount"), 0);
  assert.equal(await page.evaluate('document.adoptedStyleSheets.length'), 0);
});
