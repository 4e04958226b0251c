import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutAtAntimeridian } from '../../web/antimeridian.js';
import { closeWorldJson, worldJson } from '../../web/world.js';

type Position = [lng: number, lat: number];

function box(west: number, south: number, east: number, north: number): Position[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** The area in square degrees. */
function areaOf(ring: readonly Position[]): number {
  const parts = ring.slice(1).map(([x, y], i) => (ring[i]?.[0] ?? 0) * y - x * (ring[i]?.[1] ?? 0));
  return Math.abs(parts.reduce((sum, part) => sum + part, 0)) / 2;
}

function extentOf(ring: readonly Position[]): number[] {
  const [lngs, lats] = [ring.map(([lng]) => lng), ring.map(([, lat]) => lat)];
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)];
}

test('a polygon on one side of the antimeridian stays as it is', () => {
  const polygon = [box(170, 0, 180, 10), box(172, 2, 174, 4)];
  assert.deepEqual(cutAtAntimeridian(polygon), [polygon]);
});

test('a polygon across the antimeridian becomes one on each side, without a gap', () => {
  const parts = cutAtAntimeridian([box(170, 0, -175, 10)]);
  assert.deepEqual(
    parts.map(([ring = []]) => extentOf(ring)).sort(([a = 0], [b = 0]) => a - b),
    [
      [-180, 0, -175, 10],
      [170, 0, 180, 10],
    ],
  );
  assert.deepEqual(parts.map(([ring = []]) => areaOf(ring)).sort(), [100, 50]);
});

test('a hole goes with the part that it is in, and is cut if it crosses', () => {
  const parts = cutAtAntimeridian([box(170, 0, -170, 10), box(172, 2, 174, 4), box(179, 6, -179, 8)]);
  assert.deepEqual(parts.map((rings) => rings.length).sort(), [2, 3]);
});

test('an edge that crosses is cut at the latitude where it crosses', () => {
  const triangle: Position[] = [
    [178, 0],
    [-176, 6],
    [178, 6],
    [178, 0],
  ];
  const [east] = cutAtAntimeridian([triangle]).filter(([ring = []]) => ring.every(([lng]) => lng <= 0));
  assert.deepEqual(extentOf(east?.[0] ?? []), [-180, 2, -176, 6]);
});

test('a polygon around a pole reaches the pole at all longitudes', () => {
  const ring: Position[] = [-150, -90, -30, 30, 90, 150, -150].map((lng) => [lng, -70]);
  const parts = cutAtAntimeridian([ring]);
  assert.equal(
    parts.reduce((sum, [outer = []]) => sum + areaOf(outer), 0),
    360 * 20,
  );
});

test('no edge of the worlds that the map draws goes around the earth, except along a pole', () => {
  for (const world of [worldJson(), closeWorldJson()].map((json) => JSON.parse(json))) assertNoLongEdges(world);
});

function assertNoLongEdges(world: {
  readonly arcs: readonly (readonly [number, number][])[];
  readonly transform: { readonly scale: Position; readonly translate: Position };
}): void {
  for (const arc of world.arcs) {
    let [x, y] = [0, 0];
    for (const [i, [dx, dy]] of arc.entries()) {
      [x, y] = [x + dx, y + dy];
      const lat = y * world.transform.scale[1] + world.transform.translate[1];
      const degrees = Math.abs(dx * world.transform.scale[0]);
      const isAllowed = i === 0 || degrees < 180 || lat < -89.9;
      if (!isAllowed) assert.fail(`an edge of ${degrees} degrees at latitude ${lat}`); // no message for each of the edges
    }
  }
}
