/** Which part of the world a map shows, and where its markers are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseView, type MapView, type Position, worldView } from '../../../src/cli/map/map-view.ts';
import {
  layOutMarkers,
  MARKER_RADIUS,
  type Marker,
  overlap,
  type Rectangle,
} from '../../../src/cli/map/marker-layout.ts';
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

const LABEL_WIDTH = 90;

function markerBox({ center: [x, y] }: Marker): Rectangle {
  return { x: x - MARKER_RADIUS, y: y - MARKER_RADIUS, width: 2 * MARKER_RADIUS, height: 2 * MARKER_RADIUS };
}

function labelBox({ label }: Marker): Rectangle[] {
  if (label === undefined) return [];
  const left = { start: 0, middle: LABEL_WIDTH / 2, end: LABEL_WIDTH }[label.anchor];
  return [{ x: label.at[0] - left, y: label.at[1] - 7, width: LABEL_WIDTH, height: 14 }];
}

function overlapping(boxes: readonly Rectangle[]): [Rectangle, Rectangle][] {
  return boxes.flatMap((a, i) =>
    boxes.slice(i + 1).flatMap((b): [Rectangle, Rectangle][] => (overlap(a, b) ? [[a, b]] : [])),
  );
}

test('a marker with room is at its point, and its label is to its right', () => {
  const [marker] = layOutMarkers([{ point: [100, 100], labelWidth: LABEL_WIDTH }], SIZE);
  assert.deepEqual(marker?.center, [100, 100]);
  assert.equal(marker?.label?.anchor, 'start');
});

test('20 markers and their labels never overlap, even in one spot', () => {
  const integer = seededRandom(3);
  const random = () => integer(1e6) / 1e6;
  for (const spread of [0, 1, 10, 40, 150, 400]) {
    for (let round = 0; round < 5; round++) {
      const inputs = Array.from({ length: 20 }, () => ({
        point: [450 + (random() - 0.5) * spread, 250 + (random() - 0.5) * spread] as const,
        labelWidth: LABEL_WIDTH,
      }));
      const markers = layOutMarkers(inputs, SIZE);
      const boxes = [...markers.map(markerBox), ...markers.flatMap(labelBox)];
      assert.deepEqual(overlapping(boxes), [], `spread ${spread}`);
      for (const [i, { point }] of markers.entries()) assert.deepEqual(point, inputs[i]?.point);
      for (const { x, y } of boxes) assert.ok(x >= 0 && y >= 0 && x < SIZE.width && y < SIZE.height);
    }
  }
});

test('reserved rectangles stay free', () => {
  const reserved = { x: 90, y: 90, width: 60, height: 60 };
  const markers = layOutMarkers([{ point: [100, 100], labelWidth: LABEL_WIDTH }], SIZE, [reserved]);
  const boxes = [...markers.map(markerBox), ...markers.flatMap(labelBox)];
  assert.deepEqual(
    boxes.filter((box) => overlap(box, reserved)),
    [],
  );
});
