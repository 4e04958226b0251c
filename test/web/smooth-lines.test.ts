import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smoothLine } from '../../web/src/map/smooth-lines.ts';

/** The sharpest turn between two neighbouring parts of the line, in degrees. */
function sharpestTurn(line: readonly (readonly number[])[]): number {
  const directions = line
    .slice(1)
    .map(([x = 0, y = 0], i) => Math.atan2(y - (line[i]?.[1] ?? 0), x - (line[i]?.[0] ?? 0)));
  const turns = directions.slice(1).map((direction, i) => Math.abs(direction - (directions[i] ?? 0)));
  return Math.round((Math.max(...turns) * 180) / Math.PI);
}

test('a smooth river has blunt corners, and ends where it ended', () => {
  const steps = [
    [0, 0],
    [1, 0],
    [1, 1],
    [2, 1],
  ];
  const smooth = smoothLine(steps);
  assert.equal(sharpestTurn(steps), 90);
  assert.ok(sharpestTurn(smooth) < 50, `${sharpestTurn(smooth)} degrees`);
  assert.deepEqual([smooth[0], smooth.at(-1)], [steps[0], steps.at(-1)]);
  assert.deepEqual(
    smoothLine([
      [0, 0],
      [1, 1],
    ]),
    [
      [0, 0],
      [1, 1],
    ],
  );
});
