import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorldShapes } from '../../../src/cli/map/base-map.ts';
import { hitMap } from '../../../src/cli/map/hit-map.ts';
import { aHit, aResponse } from './a-response.ts';

const NOTHING: WorldShapes['lakes'] = { type: 'GeometryCollection', geometries: [] };

/** Two islands that meet at the antimeridian, as the page's data has them: cut there. */
const ISLANDS: WorldShapes = {
  land: {
    type: 'MultiPolygon',
    coordinates: [[box(178, 180)], [box(-180, -178)]],
  },
  ...{ lakes: NOTHING, borders: NOTHING, rivers: NOTHING },
};

/** A ring between two longitudes, clockwise. */
function box(west: number, east: number): number[][] {
  return [
    [west, -19],
    [west, -16],
    [east, -16],
    [east, -19],
    [west, -19],
  ];
}

function markersOf(svg: string): number[][] {
  return [...svg.matchAll(/data-x="([-\d.]+)" data-y="([-\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

test('markers are at their places: symmetrical hits around the centre of a region', () => {
  const svg = hitMap(
    aResponse([aHit('East', 0, 5), aHit('West', 0, -5), aHit('North', 3, 0), aHit('South', -3, 0)]),
    undefined,
  );
  const [south, north, west, east] = markersOf(svg); // the best hit is drawn last
  assert.deepEqual([west?.[1], east?.[1], north?.[0], south?.[0]], [260, 260, 456, 456], 'the middle of 912 x 520');
  assert.equal((west?.[0] ?? 0) + (east?.[0] ?? 0), 912);
  assert.ok((north?.[1] ?? 0) < 260 && (south?.[1] ?? 0) > 260, 'north is up');
});

test('land across the antimeridian is drawn in one piece around hits on both sides', () => {
  const svg = hitMap(aResponse([aHit('A', -17.5, 179), aHit('B', -17.5, -179)]), ISLANDS);
  const [, path = ''] = /<path class="land" d="([^"]+)"/.exec(svg) ?? [];
  const starts = [...path.matchAll(/M([-\d.]+)[ -]/g)].map(([, x]) => Number(x));
  assert.equal(starts.length, 2, path);
  const markers = markersOf(svg).map(([x = 0]) => x);
  assert.ok(Math.max(...markers) - Math.min(...markers) < 912, 'both markers are in the frame');
  assert.ok(
    starts.every((x) => x > -100 && x < 1000),
    `both islands are in or near the frame: ${starts}`,
  );
});

test('the graticule reaches across the frame, also at the antimeridian and at a pole', () => {
  for (const [lat, lng] of [
    [54, 10],
    [-17.5, 179.9],
    [89.9, 0],
  ] as const) {
    const [, path = ''] =
      /<path class="graticule" d="([^"]+)"/.exec(hitMap(aResponse([aHit('A', lat, lng)]), undefined)) ?? [];
    const starts = [...path.matchAll(/M([-\d.]+) /g)].map(([, x]) => Number(x));
    assert.ok(Math.min(...starts) < 150 && Math.max(...starts) > 750, `${lat},${lng}: ${starts}`);
  }
});

test('the legend has every hit in order with its facts, and the source of the data', () => {
  const hits = [aHit('Ham', 50, 4, { population: 1200 }), aHit('Hamburg', 53, 10, { distance: 12_345 })];
  const texts = [...hitMap(aResponse(hits), undefined).matchAll(/<text class="(?:name|fact|small)"[^>]*>([^<]*)</g)];
  assert.deepEqual(texts.map(([, text]) => text).slice(-6), [
    'Ham, Somewhere',
    'town · 1,200 people · 50, 4',
    'Hamburg, Somewhere',
    'town · 12 km away · 53, 10',
    'Places: Test &amp; data.',
    'Land, borders and waters: Natural Earth, public domain.',
  ]);
});

test('the point of a search is on the map, and hits of a reverse lookup are the nearest', () => {
  const { confidence: _, ...near } = aHit('Kiel', 54.3, 10.1, { distance: 900 });
  const svg = hitMap(aResponse([near, near], { query: '', aroundLatLng: '54.33,10.14' }), undefined);
  assert.match(svg, /<g class="point">/);
  assert.match(svg, />Places near 54\.33,10\.14</);
  assert.match(svg, />2 of 2 places, nearest first</);
});

test('without hits, the map is one of the world and says so', () => {
  const svg = hitMap(aResponse([]), ISLANDS);
  assert.match(svg, />No places found</);
  assert.doesNotMatch(svg, /class="marker/);
});

test('colours follow prefers-color-scheme, and every rule is limited to the map', () => {
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(hitMap(aResponse([]), undefined)) ?? [];
  assert.match(style, /@media \(prefers-color-scheme: dark\)/);
  for (const line of style.trim().split('\n')) assert.match(line, /^(\.toponym-map [^{]+\{.*\}|@media .* \{|\})$/);
});

test('text is escaped, characters that XML forbids are replaced, and long text is shortened', () => {
  const name = `<a href="x">&'\u0000\ud800 Zürich 東京 😀`;
  const svg = hitMap(aResponse([aHit(name, 1, 2, { label: `${name}${' Llanfairpwll'.repeat(20)}` })]), undefined);
  assert.ok(svg.includes('&lt;a href=&quot;x&quot;&gt;&amp;&#39;\ufffd\ufffd Zürich 東京 😀'), svg);
  assert.match(svg, /<text class="name"[^>]*>&lt;a .* Llanfairp[^<]*…</);
});

test('labels are as short as they can be and stay different', () => {
  const hits = ['Springfield, Illinois, United States', 'Springfield, Ohio, United States', 'Paris, France'].map(
    (label, i) => aHit(label.replace(/,.*/, ''), 10 * i, 10 * i, { label }),
  );
  const labels = [...hitMap(aResponse(hits), undefined).matchAll(/<text class="label"[^>]*>([^<]*)</g)];
  assert.deepEqual(labels.map(([, label]) => label).reverse(), ['Springfield, Illinois', 'Springfield, Ohio', 'Paris']);
});
