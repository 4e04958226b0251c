import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  layOutMarkers,
  MARKER_RADIUS,
  type Marker,
  overlap,
  type Rectangle,
} from '../../../src/cli/map/marker-layout.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const FRAME = { width: 900, height: 500 };
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
  const [marker] = layOutMarkers([{ point: [100, 100], labelWidth: LABEL_WIDTH }], FRAME);
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
      const markers = layOutMarkers(inputs, FRAME);
      const boxes = [...markers.map(markerBox), ...markers.flatMap(labelBox)];
      assert.deepEqual(overlapping(boxes), [], `spread ${spread}`);
      for (const [i, { point }] of markers.entries()) assert.deepEqual(point, inputs[i]?.point);
      for (const { x, y } of boxes) assert.ok(x >= 0 && y >= 0 && x < FRAME.width && y < FRAME.height);
    }
  }
});

test('reserved rectangles stay free', () => {
  const reserved = { x: 90, y: 90, width: 60, height: 60 };
  const markers = layOutMarkers([{ point: [100, 100], labelWidth: LABEL_WIDTH }], FRAME, [reserved]);
  const boxes = [...markers.map(markerBox), ...markers.flatMap(labelBox)];
  assert.deepEqual(
    boxes.filter((box) => overlap(box, reserved)),
    [],
  );
});
