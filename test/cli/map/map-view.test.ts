import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseView, type MapView, worldView } from '../../../src/cli/map/map-view.ts';
import { azimuthalEqualArea, equalEarth, type Position } from '../../../src/cli/map/projection.ts';
import { distanceMeters } from '../../../src/place/sphere.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const SIZE = { width: 900, height: 500 };

function isInFrame(view: MapView, position: Position): boolean {
  const [x, y] = view.toPixel(position);
  return x >= 0 && x <= view.width && y >= 0 && y <= view.height;
}

test('the Equal Earth projection has the published extent', () => {
  const project = equalEarth(0);
  const [x] = project([180, 0]);
  const [poleX, y] = project([180, 90]);
  assert.deepEqual(
    [x, y].map((value) => value.toFixed(5)),
    ['2.70663', '1.31736'],
  );
  assert.equal((poleX / x).toFixed(3), '0.592', 'the poles are lines');
});

test('the azimuthal projection is inverted exactly, also across the antimeridian', () => {
  const integer = seededRandom(7);
  const random = () => integer(1e6) / 1e6;
  for (let i = 0; i < 500; i++) {
    const center: Position = [random() * 360 - 180, random() * 178 - 89];
    const position: Position = [center[0] + random() * 300 - 150, random() * 178 - 89];
    const { project, invert } = azimuthalEqualArea(center);
    const [lng = 0, lat = 0] = invert(project(position)) ?? [];
    assert.ok(Math.abs(lng - position[0]) < 1e-6 && Math.abs(lat - position[1]) < 1e-6, `${center} ${position}`);
  }
});

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
  assert.ok(view.box.west < 177.4 && view.box.east > 181.2, JSON.stringify(view.box));
});

test('a map contains its points with a margin, and its box contains its frame', () => {
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
    if (view.kind === 'world') continue;
    const { west, south, east, north } = view.box;
    const isOutside: Position[] = [
      [(west + east) / 2, south - 0.01],
      [(west + east) / 2, north + 0.01],
      ...(east - west < 359
        ? ([
            [west - 0.01, lat],
            [east + 0.01, lat],
          ] as const)
        : []),
    ];
    for (const position of isOutside) {
      if (Math.abs(position[1]) <= 90) assert.ok(!isInFrame(view, position), `${position} of ${points}`);
    }
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
