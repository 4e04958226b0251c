import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseView, type MapView, type Position, worldView } from '../../../src/cli/map/map-view.ts';
import { distanceMeters } from '../../../src/place/sphere.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const SIZE = { width: 900, height: 500 };

function isInFrame(view: MapView, position: Position): boolean {
  const [x, y] = view.toPixel(position);
  return x >= 0 && x <= view.width && y >= 0 && y <= view.height;
}

test('points on both sides of the antimeridian are neighbours on a map of their region', () => {
  const [west, east]: Position[] = [
    [177.4, -17.8],
    [-178.8, -18.2],
  ];
  assert.ok(west && east);
  const view = chooseView([west, east], SIZE);
  assert.equal(view.kind, 'region');
  const [x1, y1] = view.toPixel(west);
  const [x2, y2] = view.toPixel(east);
  assert.ok(x1 < x2, 'east is on the right');
  const meters = distanceMeters(west[1], west[0], east[1], east[0]);
  const shown = Math.hypot(x2 - x1, y2 - y1) * (view.kilometersPerPixel ?? 0) * 1000;
  assert.ok(Math.abs(shown / meters - 1) < 0.01, `${shown} m on the map, ${meters} m in the world`);
});

test('a map contains its points, also at the antimeridian and near the poles', () => {
  const integer = seededRandom(11);
  const random = () => integer(1e6) / 1e6;
  for (let i = 0; i < 300; i++) {
    const [lng, lat, spread] = [random() * 360 - 180, random() * 170 - 85, 10 ** (random() * 4 - 2.5)];
    const points = Array.from({ length: 5 }, (): Position => {
      const shifted = lng + (random() - 0.5) * spread;
      const wrapped = shifted > 180 ? shifted - 360 : shifted < -180 ? shifted + 360 : shifted;
      return [wrapped, Math.min(Math.max(lat + (random() - 0.5) * spread, -90), 90)];
    });
    const view = chooseView(points, SIZE);
    for (const point of points) assert.ok(isInFrame(view, point), `${points}`);
  }
});

test('points of the whole world, opposite points and no point need a map of the world', () => {
  const opposite: Position[] = [
    [0, 0],
    [180, 0],
  ];
  for (const points of [
    [],
    opposite,
    [
      [2, 48],
      [151, -33],
    ] as Position[],
  ]) {
    assert.equal(chooseView(points, SIZE).kind, 'world');
  }
  const { toPixel, width, height } = worldView(900);
  assert.deepEqual(toPixel([11, 0]).map(Math.round), [width / 2, Math.floor(height / 2)]);
  assert.ok(toPixel([-170, 0])[0] > 890 && toPixel([-168, 0])[0] < 10, 'the map is cut in the Bering Strait');
});

test('a single point has its region around it, and points within kilometres a close map', () => {
  assert.equal(chooseView([[10, 54]], SIZE).kind, 'region');
  assert.equal(
    chooseView(
      [
        [10, 54],
        [10.1, 54.02],
      ],
      SIZE,
    ).kind,
    'detail',
  );
});
