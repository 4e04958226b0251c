/** Chooses which part of the world a map shows, and how it is projected into its frame. */
import type { LngLatBox } from './clip.ts';
import { azimuthalEqualArea, equalEarth, type PlanePoint, type Position } from './projection.ts';

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

export interface MapView extends FrameSize {
  /** `detail`: too close for the lines of the world, which are accurate to a few kilometres. */
  readonly kind: 'world' | 'region' | 'detail';
  /** Pixels from the top left corner of the frame. */
  readonly toPixel: (position: Position) => PlanePoint;
  /** Contains everything in the frame. */
  readonly box: LngLatBox;
  /** At the centre. Undefined for the world, where it varies. */
  readonly kilometersPerPixel: number | undefined;
}

const RADIANS = Math.PI / 180;
const EARTH_RADIUS_KM = 6371;
/** Through the Bering Strait opposite, so that the edge of the map divides no land. */
const CENTRAL_LNG = 11;
/** Points farther from their middle than this need a map of the world. */
const MAX_REGION_RADIUS = 50;
/** Between the outermost points and the frame, for labels. */
const PADDING: FrameSize = { width: 110, height: 60 };
/** Half the height of a view, in degrees: around a single point, and the closest views. */
const SINGLE_POINT_REACH = 3.5;
const MIN_REGION_REACH = 1.2;
const MIN_DETAIL_REACH = 0.03;
/** In closer views than this, even `MIN_REGION_REACH` puts the points into one spot. */
const DETAIL_BELOW_REACH = 0.25;
const POLES: readonly Position[] = [
  [0, 90],
  [0, -90],
];

export function chooseView(points: readonly Position[], size: FrameSize): MapView {
  const center = middleOf(points);
  if (center === undefined || points.some((point) => angleBetween(center, point) > MAX_REGION_RADIUS)) {
    return worldView(size.width);
  }
  // the middle of the extent, instead of the mean, uses the frame best
  const extent = extentOf(points.map(azimuthalEqualArea(center).project));
  const middle = azimuthalEqualArea(center).invert(extent.middle) ?? center;
  const { width, height } = extentOf(points.map(azimuthalEqualArea(middle).project));
  const room = { width: size.width - 2 * PADDING.width, height: size.height - 2 * PADDING.height };
  const reach = (Math.max(height / room.height, width / room.width) * size.height) / 2 / RADIANS;
  return regionView(middle, points.length === 1 ? SINGLE_POINT_REACH : reach, size);
}

/** `reach`: half the height in degrees; small ones are raised. */
export function regionView(center: Position, reach: number, size: FrameSize): MapView {
  const isDetail = reach < DETAIL_BELOW_REACH;
  const shownReach = Math.max(reach, isDetail ? MIN_DETAIL_REACH : MIN_REGION_REACH);
  const { project, invert } = azimuthalEqualArea(center);
  const scale = size.height / 2 / (shownReach * RADIANS);
  const toPixel = (position: Position): PlanePoint => {
    const [x, y] = project(position);
    return [size.width / 2 + x * scale, size.height / 2 - y * scale];
  };
  const fromPixel = ([x, y]: PlanePoint) => invert([(x - size.width / 2) / scale, (size.height / 2 - y) / scale]);
  return {
    ...size,
    kind: isDetail ? 'detail' : 'region',
    toPixel,
    box: boxOf(size, { toPixel, fromPixel, centerLng: center[0] }),
    kilometersPerPixel: EARTH_RADIUS_KM / scale,
  };
}

export function worldView(width: number): MapView {
  const project = equalEarth(CENTRAL_LNG);
  const [maxX] = project([CENTRAL_LNG + 180, 0]);
  const [, maxY] = project([CENTRAL_LNG, 90]);
  const scale = width / 2 / maxX;
  return {
    width,
    height: Math.ceil(2 * maxY * scale),
    kind: 'world',
    toPixel: ([lng, lat]) => {
      const [x, y] = project([nearestTurn(lng, CENTRAL_LNG), lat]);
      return [(x + maxX) * scale, (maxY - y) * scale];
    },
    box: { west: CENTRAL_LNG - 180, east: CENTRAL_LNG + 180, south: -90, north: 90 },
    kilometersPerPixel: undefined,
  };
}

/** The longitude plus full turns, so that it is within 180° of `center`. */
function nearestTurn(lng: number, center: number): number {
  return Math.abs(lng - center) <= 180 ? lng : lng - 360 * Math.round((lng - center) / 360);
}

interface Frame {
  readonly toPixel: (position: Position) => PlanePoint;
  readonly fromPixel: (point: PlanePoint) => Position | undefined;
  readonly centerLng: number;
}

/** The extremes of a frame are on its edge, unless it contains a pole. */
function boxOf(size: FrameSize, { toPixel, fromPixel, centerLng }: Frame): LngLatBox {
  const wholeTurn = { west: centerLng - 180, east: centerLng + 180 };
  const edge = edgePoints(size).map(fromPixel);
  const positions = edge.filter((position) => position !== undefined);
  if (positions.length < edge.length) return { ...wholeTurn, south: -90, north: 90 };
  const lngs = positions.map(([lng]) => lng);
  const lats = positions.map(([, lat]) => lat);
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  const margin = (north - south) * 0.05;
  const isInFrame = ([x, y]: PlanePoint) => x >= 0 && x <= size.width && y >= 0 && y <= size.height;
  const [hasNorthPole, hasSouthPole] = POLES.map((pole) => isInFrame(toPixel(pole)));
  return {
    ...(hasNorthPole || hasSouthPole
      ? wholeTurn
      : { west: Math.min(...lngs) - margin, east: Math.max(...lngs) + margin }),
    south: hasSouthPole ? -90 : Math.max(south - margin, -90),
    north: hasNorthPole ? 90 : Math.min(north + margin, 90),
  };
}

function edgePoints({ width, height }: FrameSize): PlanePoint[] {
  const steps = 32;
  return Array.from({ length: steps + 1 }, (_, i) => i / steps).flatMap((share): PlanePoint[] => [
    [share * width, 0],
    [share * width, height],
    [0, share * height],
    [width, share * height],
  ]);
}

/** Undefined if there is no point, or the points cancel each other out. */
function middleOf(points: readonly Position[]): Position | undefined {
  const [x, y, z] = points
    .map(vectorOf)
    .reduce(([x1, y1, z1], [x2, y2, z2]) => [x1 + x2, y1 + y2, z1 + z2], [0, 0, 0] as const);
  const length = Math.hypot(x, y, z);
  if (length < 1e-6) return undefined;
  return [Math.atan2(y, x) / RADIANS, Math.asin(z / length) / RADIANS];
}

type Vector = readonly [number, number, number];

function vectorOf([lng, lat]: Position): Vector {
  const cosLat = Math.cos(lat * RADIANS);
  return [cosLat * Math.cos(lng * RADIANS), cosLat * Math.sin(lng * RADIANS), Math.sin(lat * RADIANS)];
}

/** In degrees. */
function angleBetween(a: Position, b: Position): number {
  const [x1, y1, z1] = vectorOf(a);
  const [x2, y2, z2] = vectorOf(b);
  return Math.acos(Math.min(Math.max(x1 * x2 + y1 * y2 + z1 * z2, -1), 1)) / RADIANS;
}

function extentOf(points: readonly PlanePoint[]): FrameSize & { readonly middle: PlanePoint } {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  return { width: east - west, height: north - south, middle: [(west + east) / 2, (south + north) / 2] };
}
