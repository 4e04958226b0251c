/**
 * Places the numbered markers of a map and their labels, so that none overlap. A marker that would
 * cover another one moves aside, and a line leads to its point. A label without room is left out,
 * because the legend has it.
 */
import type { FrameSize, PlanePoint } from './map-view.ts';

export interface Rectangle extends FrameSize {
  /** Left and top. */
  readonly x: number;
  readonly y: number;
}

interface MarkerInput {
  readonly point: PlanePoint;
  /** Width of its label. */
  readonly labelWidth: number;
}

export interface Marker {
  readonly point: PlanePoint;
  /** Centre of the circle with the number. */
  readonly center: PlanePoint;
  /** Undefined if there is no room. */
  readonly label: LabelPlace | undefined;
}

interface LabelPlace {
  readonly anchor: 'start' | 'middle' | 'end';
  /** On the middle line of the label, at its anchor. */
  readonly at: PlanePoint;
}

export const MARKER_RADIUS = 9.5;
const LABEL_HEIGHT = 16;
/** Between a marker and its label. */
const LABEL_GAP = 4;
/** A marker does not cover the points of others, which are dots of this size. */
const POINT_SIZE = 6;
const DISTANCES = [24, 34, 46, 60, 76, 94, 114, 136, 160, 190];
const DIRECTIONS = 24;
/** Points within this distance are a group. */
const NEAR = 80;
/** Between obstacles along a leading line. */
const LEADER_STEP = 6;

/** `reserved`: rectangles that stay free. In order of importance: the first gets the best place. */
export function layOutMarkers(
  inputs: readonly MarkerInput[],
  frame: FrameSize,
  reserved: readonly Rectangle[] = [],
): Marker[] {
  const points = inputs.map(({ point }) => around(point, POINT_SIZE));
  const centers = placeCenters(inputs, frame, { points, reserved });
  const leaders = inputs.flatMap(({ point }, i) => leaderBoxes(point, centers[i] ?? point));
  const taken = [...reserved, ...points, ...centers.map(markerBox), ...leaders];
  return inputs.map(({ point, labelWidth }, i) => {
    const center = centers[i] ?? point;
    const size = { width: labelWidth, height: LABEL_HEIGHT };
    const found = labelPlaces(center, size).find(({ box }) => isInside(box, frame) && !overlapsAny(box, taken));
    if (found === undefined) return { point, center, label: undefined };
    taken.push(found.box);
    return { point, center, label: { anchor: found.anchor, at: found.at } };
  });
}

/** The place closest to the point whose leading line crosses nothing; or else the closest place. */
function placeCenters(
  inputs: readonly MarkerInput[],
  frame: FrameSize,
  { points, reserved }: Record<'points' | 'reserved', readonly Rectangle[]>,
): PlanePoint[] {
  const taken = [...reserved];
  const lines: (readonly [PlanePoint, PlanePoint])[] = [];
  return inputs.map(({ point }, i) => {
    const others = points.filter((_, j) => j !== i);
    const isFree = (center: PlanePoint) => {
      const box = markerBox(center);
      return isInside(box, frame) && !overlapsAny(box, taken) && !overlapsAny(box, others);
    };
    const isClear = (center: PlanePoint) =>
      !lines.some(([start, end]) => cross(start, end, point, center)) &&
      !leaderBoxes(point, center).some((box) => overlapsAny(box, taken.slice(reserved.length)));
    const free = [point, ...ringAround(point, directionFrom(inputs, i))].filter(isFree);
    const center = free.find(isClear) ?? free[0] ?? point;
    taken.push(markerBox(center), ...leaderBoxes(point, center));
    lines.push([point, center]);
    return center;
  });
}

/** Whether two line segments cross. */
function cross(a: PlanePoint, b: PlanePoint, c: PlanePoint, d: PlanePoint): boolean {
  return sideOf(a, b, c) * sideOf(a, b, d) < 0 && sideOf(c, d, a) * sideOf(c, d, b) < 0;
}

/** On which side of the line from `a` to `b` a point is, as a sign. */
function sideOf(a: PlanePoint, b: PlanePoint, [x, y]: PlanePoint): number {
  return Math.sign((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]));
}

function distance([x1, y1]: PlanePoint, [x2, y2]: PlanePoint): number {
  return Math.hypot(x2 - x1, y2 - y1);
}

export function overlap(a: Rectangle, b: Rectangle): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Away from the nearest other points, so that the leading lines of a group spread like a star. */
function directionFrom(inputs: readonly MarkerInput[], index: number): number {
  const own = inputs[index]?.point ?? [0, 0];
  const near = inputs.filter(({ point }) => distance(point, own) < NEAR);
  const x = own[0] - near.reduce((sum, { point }) => sum + point[0], 0) / near.length;
  const y = own[1] - near.reduce((sum, { point }) => sum + point[1], 0) / near.length;
  // points at the same place get different directions
  return Math.hypot(x, y) < 0.5 ? index * 2.4 : Math.atan2(y, x);
}

/** Near places before far ones; at each distance, the given direction first. */
function ringAround([x, y]: PlanePoint, direction: number): PlanePoint[] {
  return DISTANCES.flatMap((distance) =>
    Array.from({ length: DIRECTIONS }, (_, i): PlanePoint => {
      const turns = ((i % 2 === 0 ? 1 : -1) * Math.ceil(i / 2)) / DIRECTIONS;
      const angle = direction + turns * 2 * Math.PI;
      return [x + distance * Math.cos(angle), y + distance * Math.sin(angle)];
    }),
  );
}

/** Beside the marker, above and below. In a corner, a label could belong to another marker. */
function labelPlaces([x, y]: PlanePoint, { width, height }: FrameSize): (LabelPlace & { readonly box: Rectangle })[] {
  const side = MARKER_RADIUS + LABEL_GAP;
  const vertical = MARKER_RADIUS + height / 2;
  const size = { width, height };
  return [
    { anchor: 'start', at: [x + side, y], box: { x: x + side, y: y - height / 2, ...size } },
    { anchor: 'end', at: [x - side, y], box: { x: x - side - width, y: y - height / 2, ...size } },
    { anchor: 'middle', at: [x, y - vertical], box: { x: x - width / 2, y: y - vertical - height / 2, ...size } },
    { anchor: 'middle', at: [x, y + vertical], box: { x: x - width / 2, y: y + vertical - height / 2, ...size } },
  ];
}

function leaderBoxes([x1, y1]: PlanePoint, [x2, y2]: PlanePoint): Rectangle[] {
  // 1e-6: a length of 24 may come out as 23.999999
  const steps = Math.floor(Math.hypot(x2 - x1, y2 - y1) / LEADER_STEP + 1e-6);
  return Array.from({ length: steps }, (_, i) => {
    const share = i / steps;
    return around([x1 + share * (x2 - x1), y1 + share * (y2 - y1)], 2);
  });
}

function markerBox(center: PlanePoint): Rectangle {
  return around(center, 2 * MARKER_RADIUS + 2);
}

function around([x, y]: PlanePoint, size: number): Rectangle {
  return { x: x - size / 2, y: y - size / 2, width: size, height: size };
}

function isInside({ x, y, width, height }: Rectangle, frame: FrameSize): boolean {
  return x >= 0 && y >= 0 && x + width <= frame.width && y + height <= frame.height;
}

function overlapsAny(box: Rectangle, others: readonly Rectangle[]): boolean {
  return others.some((other) => overlap(box, other));
}
