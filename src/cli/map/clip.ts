/** Cuts lines to a box of longitudes and latitudes, before they are projected. */
import type { Position } from './projection.ts';
import type { Line } from './world-lines.ts';

/** In degrees. `west` and `east` may be beyond ±180, and are at most 360 apart. */
export interface LngLatBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Longer edges are divided, because a straight edge on a globe is a curve on a map. */
const MAX_EDGE_DEGREES = 1;
const TURNS = [-360, 0, 360];

/** The parts of rings in a box, closed. */
export function clipRings(rings: readonly Line[], box: LngLatBox): Line[] {
  return copiesIn(rings, box).flatMap((ring) => {
    let clipped: Line = ring;
    clipped = clipSide(clipped, 0, { limit: box.west, sign: -1 });
    clipped = clipSide(clipped, 0, { limit: box.east, sign: 1 });
    clipped = clipSide(clipped, 1, { limit: box.south, sign: -1 });
    clipped = clipSide(clipped, 1, { limit: box.north, sign: 1 });
    return clipped.length > 3 ? [divideEdges(clipped)] : [];
  });
}

/** The parts of lines in a box. They may end a little outside it. */
export function clipLines(lines: readonly Line[], box: LngLatBox): Line[] {
  return copiesIn(lines, box).flatMap((line) => {
    const parts: Position[][] = [];
    let part: Position[] | undefined;
    for (const [i, position] of line.entries()) {
      const previous = line[i - 1];
      if (previous === undefined) continue;
      if (!touches([previous, position], box)) {
        part = undefined;
      } else if (part === undefined) {
        part = [previous, position];
        parts.push(part);
      } else {
        part.push(position);
      }
    }
    return parts.map(divideEdges);
  });
}

/** The lines, and their copies a turn to the east and to the west, that touch the box. */
function copiesIn(lines: readonly Line[], box: LngLatBox): Line[] {
  return lines.flatMap((line) =>
    TURNS.map((turn) => (turn === 0 ? line : line.map(([lng, lat]): Position => [lng + turn, lat]))).filter((copy) =>
      touches(copy, box),
    ),
  );
}

/** Whether the bounding box of the line touches the box. */
function touches(line: Line, { west, south, east, north }: LngLatBox): boolean {
  const isBeyond = (axis: 0 | 1, low: number, high: number) =>
    line.every((position) => position[axis] < low) || line.every((position) => position[axis] > high);
  return !isBeyond(0, west, east) && !isBeyond(1, south, north);
}

/** Sutherland and Hodgman's algorithm: keeps what has `sign * value <= sign * limit` on the axis. */
function clipSide(ring: Line, axis: 0 | 1, { limit, sign }: { readonly limit: number; readonly sign: 1 | -1 }): Line {
  const isInside = (position: Position) => sign * position[axis] <= sign * limit;
  const kept: Position[] = [];
  for (const [i, end] of ring.entries()) {
    const start = ring[i - 1];
    if (start !== undefined && isInside(start) !== isInside(end)) {
      kept.push(between(start, end, (limit - start[axis]) / (end[axis] - start[axis])));
    }
    if (isInside(end)) kept.push(end);
  }
  const [first] = kept;
  const last = kept.at(-1);
  if (first !== undefined && last !== undefined && (first[0] !== last[0] || first[1] !== last[1])) kept.push(first);
  return kept;
}

export function divideEdges(line: Line): Line {
  return line.flatMap((end, i) => {
    const start = line[i - 1];
    if (start === undefined) return [end];
    const pieces = Math.ceil(Math.max(Math.abs(end[0] - start[0]), Math.abs(end[1] - start[1])) / MAX_EDGE_DEGREES);
    return pieces <= 1
      ? [end]
      : Array.from({ length: pieces }, (_, piece) => between(start, end, (piece + 1) / pieces));
  });
}

function between(start: Position, end: Position, share: number): Position {
  return [start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])];
}
