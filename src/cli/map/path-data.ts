/** Lines on the map as path data of SVG, simplified and in few characters. */
import type { PlanePoint } from './projection.ts';

export interface PathOptions {
  readonly isClosed: boolean;
  /** Lines may move by this much, in pixels. */
  readonly tolerance: number;
}

/** Steps per pixel of the coordinates. */
const PRECISION = 10;

export function pathData(lines: readonly (readonly PlanePoint[])[], { isClosed, tolerance }: PathOptions): string {
  return lines.map((line) => subpath(simplify(line, tolerance), isClosed)).join('');
}

/** Douglas and Peucker's algorithm, without recursion. Keeps both ends. */
export function simplify(line: readonly PlanePoint[], tolerance: number): PlanePoint[] {
  const isKept = new Uint8Array(line.length);
  isKept[0] = 1;
  isKept[line.length - 1] = 1;
  const ranges: (readonly [number, number])[] = [[0, line.length - 1]];
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const [from, to] = range;
    let farthest = from;
    let maxDistance = tolerance;
    for (let i = from + 1; i < to; i++) {
      const distance = distanceToEdge(line[i] as PlanePoint, line[from] as PlanePoint, line[to] as PlanePoint);
      if (distance <= maxDistance) continue;
      maxDistance = distance;
      farthest = i;
    }
    if (farthest === from) continue;
    isKept[farthest] = 1;
    ranges.push([from, farthest], [farthest, to]);
  }
  return line.filter((_, i) => isKept[i] === 1);
}

function distanceToEdge([x, y]: PlanePoint, [x1, y1]: PlanePoint, [x2, y2]: PlanePoint): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.min(Math.max(((x - x1) * dx + (y - y1) * dy) / length, 0), 1);
  return Math.hypot(x - x1 - share * dx, y - y1 - share * dy);
}

/** Relative steps are shorter than coordinates. Each is rounded from the point last written. */
function subpath(line: readonly PlanePoint[], isClosed: boolean): string {
  const steps: string[] = [];
  let [penX, penY] = [0, 0];
  for (const [i, point] of line.entries()) {
    const [x, y] = [Math.round(point[0] * PRECISION), Math.round(point[1] * PRECISION)];
    if (i > 0 && x === penX && y === penY) continue;
    steps.push(`${steps.length === 0 ? 'M' : steps.length === 1 ? 'l' : ''}${pair(x - penX, y - penY)}`);
    [penX, penY] = [x, y];
  }
  const min = isClosed ? 3 : 2;
  if (steps.length < min) return '';
  return `${steps[0]}${steps[1]}${steps
    .slice(2)
    .map((step) => (step.startsWith('-') ? step : ` ${step}`))
    .join('')}${isClosed ? 'z' : ''}`;
}

function pair(x: number, y: number): string {
  return `${short(x)}${y < 0 ? '' : ' '}${short(y)}`;
}

function short(steps: number): string {
  return String(steps / PRECISION).replace(/^(-?)0\./, '$1.');
}
