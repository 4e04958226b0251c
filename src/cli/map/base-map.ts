/** The map below the markers: sea, graticule, land, lakes, rivers and borders, as elements of SVG. */

import { type GeoPermissibleObjects, geoBounds, geoCircle, geoDistance, geoGraticule, geoStream } from 'd3-geo';
import { feature, merge } from 'topojson-client';
import type { GeometryCollection, MultiPolygon, Polygon, Topology } from 'topojson-specification';
import { readWorldMap } from '../../serve/page-files.ts';
import type { MapView, PlanePoint } from './map-view.ts';

/** Natural Earth's shapes, as the page at `/` has them. The outer rings of areas are clockwise. */
export type WorldShapes = Readonly<Record<'land' | 'lakes' | 'borders' | 'rivers', GeoPermissibleObjects>>;

const MIN_LAND_SIZE = 0.8;
const MIN_LAKE_SIZE = 3;
/** Lines may move by this much when they are simplified, in pixels. */
const TOLERANCE = 0.35;
/** Steps per pixel of the coordinates. */
const PRECISION = 10;
/** Rivers would cover a map of more kilometres per pixel than this. */
const MAX_RIVER_SCALE = 3;
const GRATICULE_STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const MAX_PARALLELS = 6;
/** Meridians end before the poles, where they would meet in a blot. */
const MAX_MERIDIAN_LAT = 85;

/** Undefined if the page has not been built. */
export function loadWorldShapes(): WorldShapes | undefined {
  const json = readWorldMap();
  if (json === undefined) return undefined;
  const topology = JSON.parse(json) as Topology<Record<keyof WorldShapes, GeometryCollection>>;
  const { land, lakes, borders, rivers } = topology.objects;
  return {
    land: merge(topology, land.geometries as (Polygon | MultiPolygon)[]),
    lakes: feature(topology, lakes),
    borders: feature(topology, borders),
    rivers: feature(topology, rivers),
  };
}

/** `isSmall`: a small map has neither graticule nor borders. */
export function baseMap(view: MapView, world: WorldShapes | undefined, { isSmall = false } = {}): string {
  const graticule = isSmall ? '' : element('graticule', pathData(view, graticuleOf(view)));
  if (world === undefined) return `${background(view, 'sea')}${graticule}`;
  if (view.kind === 'detail') return `${background(view, 'land')}${graticule}`;
  const hasRivers = view.kilometersPerPixel !== undefined && view.kilometersPerPixel < MAX_RIVER_SCALE;
  return [
    background(view, 'sea'),
    graticule,
    element('land', pathData(view, world.land, MIN_LAND_SIZE)),
    hasRivers && !isSmall ? element('river', pathData(view, world.rivers)) : '',
    element('lake', pathData(view, world.lakes, MIN_LAKE_SIZE)),
    isSmall ? '' : element('border', pathData(view, world.borders)),
  ].join('');
}

/** The outline of the map: the globe, or the frame of a region. */
export function outlinePath(view: MapView): string {
  const { width, height } = view;
  return view.kind === 'world' ? pathData(view, { type: 'Sphere' }) : `M0 0h${width}v${height}h${-width}z`;
}

function background(view: MapView, name: string): string {
  return `<path class="${name}" d="${outlinePath(view)}"/>`;
}

function element(name: string, path: string): string {
  return path === '' ? '' : `<path class="${name}" d="${path}"/>`;
}

function graticuleOf(view: MapView): GeoPermissibleObjects {
  const step = GRATICULE_STEPS.find((each) => (2 * view.reach) / each <= MAX_PARALLELS) ?? 30;
  const [[west, south], [east, north]] = boundsOf(view);
  return geoGraticule()
    .step([step, step])
    .extent([
      [west, Math.max(south, -MAX_MERIDIAN_LAT)],
      [west < east ? east : east + 360, Math.min(north, MAX_MERIDIAN_LAT)],
    ])
    .precision(1)();
}

/** Contains everything in the frame. `west` is above `east` if the antimeridian is between them. */
function boundsOf({ kind, center, projection }: MapView): ReturnType<typeof geoBounds> {
  const corner = projection.invert?.([0, 0]) ?? center;
  const radius = (geoDistance(center, corner) * 180) / Math.PI;
  if (kind === 'world' || radius >= 90) {
    return [
      [-180, -90],
      [180, 90],
    ];
  }
  return geoBounds(geoCircle().center(center).radius(radius)());
}

/** The shape as short path data of SVG. Rings smaller than `minSize` pixels are left out. */
function pathData({ projection }: MapView, shape: GeoPermissibleObjects, minSize = 0): string {
  let path = '';
  let line: PlanePoint[] = [];
  let isRing = false;
  const sink = {
    polygonStart() {
      isRing = true;
    },
    polygonEnd() {
      isRing = false;
    },
    lineStart() {
      line = [];
    },
    point(x: number, y: number) {
      line.push([x, y]);
    },
    lineEnd() {
      if (isRing) line.push(...line.slice(0, 1));
      if (!isRing || sizeOf(line) >= minSize) path += subpath(simplify(line, TOLERANCE), isRing);
    },
  };
  geoStream(shape, projection.stream(sink));
  return path;
}

/** The larger of width and height. */
function sizeOf(ring: readonly PlanePoint[]): number {
  const extent = (axis: 0 | 1) => {
    const values = ring.map((point) => point[axis]);
    return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
  };
  return Math.max(extent(0), extent(1));
}

/** Douglas and Peucker's algorithm, without recursion. Keeps both ends. */
function simplify(line: readonly PlanePoint[], tolerance: number): PlanePoint[] {
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
function subpath(line: readonly PlanePoint[], isRing: boolean): string {
  const steps: string[] = [];
  let [penX, penY] = [0, 0];
  for (const point of line) {
    const [x, y] = [Math.round(point[0] * PRECISION), Math.round(point[1] * PRECISION)];
    if (steps.length > 0 && x === penX && y === penY) continue;
    steps.push(`${(x - penX) / PRECISION} ${(y - penY) / PRECISION}`);
    [penX, penY] = [x, y];
  }
  const [start, ...others] = steps;
  return others.length < (isRing ? 2 : 1) ? '' : `M${start}l${others.join(' ')}${isRing ? 'z' : ''}`;
}
