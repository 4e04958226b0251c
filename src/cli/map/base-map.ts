/** The map below the markers: sea, graticule, land, lakes, rivers and borders, as elements of SVG. */
import { clipLines, clipRings, divideEdges } from './clip.ts';
import type { MapView } from './map-view.ts';
import { pathData } from './path-data.ts';
import type { PlanePoint, Position } from './projection.ts';
import type { Line, WorldLines } from './world-lines.ts';

/** Rings of fewer pixels, in width and height, are left out. */
const MIN_RING_SIZE = 0.8;
const MIN_LAKE_SIZE = 3;
/** In pixels. */
const TOLERANCE = 0.35;
/** Rivers would cover a map of more kilometres per pixel than this. */
const MAX_RIVER_SCALE = 3;
const GRATICULE_STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const MAX_PARALLELS = 6;
/** Meridians end before the poles, where they would meet in a blot. */
const MAX_MERIDIAN_LAT = 85;

/** `isSmall`: a small map has neither graticule nor borders. */
export function baseMap(view: MapView, world: WorldLines | undefined, { isSmall = false } = {}): string {
  const { box } = view;
  const graticule = isSmall ? '' : lines('graticule', view, graticuleOf(view));
  if (world === undefined) return `${background(view, 'sea')}${graticule}`;
  if (view.kind === 'detail') return `${background(view, 'land')}${graticule}`;
  const hasRivers = view.kilometersPerPixel !== undefined && view.kilometersPerPixel < MAX_RIVER_SCALE;
  return [
    background(view, 'sea'),
    graticule,
    areas('land', view, clipRings(world.land, box), MIN_RING_SIZE),
    hasRivers && !isSmall ? lines('river', view, clipLines(world.rivers, box)) : '',
    areas('lake', view, clipRings(world.lakes, box), MIN_LAKE_SIZE),
    isSmall ? '' : lines('border', view, clipLines(world.borders, box)),
  ].join('');
}

/** The outline of the map: the globe, or the frame of a region. */
export function outlinePath(view: MapView): string {
  const { width, height, box } = view;
  if (view.kind !== 'world') return `M0 0h${width}v${height}h${-width}z`;
  const edge: Line = [
    [box.west, box.south],
    [box.west, box.north],
    [box.east, box.north],
    [box.east, box.south],
    [box.west, box.south],
  ];
  return pathData([divideEdges(edge).map(view.toPixel)], { isClosed: true, tolerance: TOLERANCE });
}

function background(view: MapView, name: string): string {
  return `<path class="${name}" d="${outlinePath(view)}"/>`;
}

function areas(name: string, view: MapView, rings: readonly Line[], minSize: number): string {
  const shown = rings.map((ring) => ring.map(view.toPixel)).filter((ring) => sizeOf(ring) >= minSize);
  return element(name, pathData(shown, { isClosed: true, tolerance: TOLERANCE }));
}

function lines(name: string, view: MapView, given: readonly Line[]): string {
  const projected = given.map((line) => line.map(view.toPixel));
  return element(name, pathData(projected, { isClosed: false, tolerance: TOLERANCE }));
}

function element(name: string, path: string): string {
  return path === '' ? '' : `<path class="${name}" d="${path}"/>`;
}

/** The larger of width and height. */
function sizeOf(ring: readonly PlanePoint[]): number {
  const extent = (axis: 0 | 1) => {
    const values = ring.map((point) => point[axis]);
    return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
  };
  return Math.max(extent(0), extent(1));
}

function graticuleOf({ box }: MapView): Line[] {
  const { west, south, east, north } = box;
  const step = GRATICULE_STEPS.find((each) => (north - south) / each <= MAX_PARALLELS) ?? 30;
  const [bottom, top] = [Math.max(south, -MAX_MERIDIAN_LAT), Math.min(north, MAX_MERIDIAN_LAT)];
  const meridians = multiplesBetween(west, east, step).map((lng): Position[] => [
    [lng, bottom],
    [lng, top],
  ]);
  const parallels = multiplesBetween(south, north, step).map((lat): Position[] => [
    [west, lat],
    [east, lat],
  ]);
  return [...meridians, ...parallels].map(divideEdges);
}

function multiplesBetween(low: number, high: number, step: number): number[] {
  const first = Math.floor(low / step) + 1;
  const count = Math.ceil(high / step) - first;
  return Array.from({ length: Math.max(count, 0) }, (_, i) => (first + i) * step);
}
