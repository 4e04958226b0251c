/** Chooses which part of the world a map shows, and how it is projected into its frame. */
import { type GeoProjection, geoAzimuthalEqualArea, geoCentroid, geoDistance, geoEqualEarth, geoPath } from 'd3-geo';

export type Position = [lng: number, lat: number];
export type PlanePoint = readonly [x: number, y: number];

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

export interface MapView extends FrameSize {
  /** `detail`: too close for the lines of the world, which are accurate to a few kilometres. */
  readonly kind: 'world' | 'region' | 'detail';
  readonly center: Position;
  /** Half the height, in degrees. */
  readonly reach: number;
  /** To pixels from the top left corner of the frame. */
  readonly projection: GeoProjection;
  readonly toPixel: (position: Position) => PlanePoint;
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
/** Areas are cut this many pixels outside the frame, where their outlines are not visible. */
const CLIP_MARGIN = 4;

export function chooseView(points: Position[], size: FrameSize): MapView {
  const center = geoCentroid({ type: 'MultiPoint', coordinates: points }); // not a number if points cancel out
  const isRegion = points.every((point) => geoDistance(center, point) <= MAX_REGION_RADIUS * RADIANS);
  if (points.length === 0 || !isRegion) return worldView(size.width);
  if (points.length === 1) return regionView(center, SINGLE_POINT_REACH, size);
  // the middle of the extent, instead of the mean, uses the frame best
  const { middle } = extentAround(center, points);
  const { width, height } = extentAround(middle, points);
  const room = { width: size.width - 2 * PADDING.width, height: size.height - 2 * PADDING.height };
  const reach = (Math.max(height / room.height, width / room.width) * size.height) / 2 / RADIANS;
  return regionView(middle, reach, size);
}

/** `reach`: half the height in degrees; small ones are raised. */
export function regionView(center: Position, reach: number, size: FrameSize): MapView {
  const isDetail = reach < DETAIL_BELOW_REACH;
  const shownReach = Math.max(reach, isDetail ? MIN_DETAIL_REACH : MIN_REGION_REACH);
  const { width, height } = size;
  const scale = height / 2 / (shownReach * RADIANS);
  const projection = azimuthal(center)
    .scale(scale)
    .translate([width / 2, height / 2])
    .clipExtent([
      [-CLIP_MARGIN, -CLIP_MARGIN],
      [width + CLIP_MARGIN, height + CLIP_MARGIN],
    ]);
  return {
    ...size,
    kind: isDetail ? 'detail' : 'region',
    center,
    reach: shownReach,
    projection,
    toPixel: toPixelOf(projection),
    kilometersPerPixel: EARTH_RADIUS_KM / scale,
  };
}

export function worldView(width: number): MapView {
  const projection = geoEqualEarth().rotate([-CENTRAL_LNG, 0]).fitWidth(width, { type: 'Sphere' });
  const [, [, bottom]] = geoPath(projection).bounds({ type: 'Sphere' });
  return {
    width,
    height: Math.ceil(bottom),
    kind: 'world',
    center: [CENTRAL_LNG, 0],
    reach: 90,
    projection,
    toPixel: toPixelOf(projection),
    kilometersPerPixel: undefined,
  };
}

/** Lambert's azimuthal equal-area projection, which has no seam at the antimeridian or the poles. */
function azimuthal([lng, lat]: Position): GeoProjection {
  return geoAzimuthalEqualArea().rotate([-lng, -lat]);
}

function toPixelOf(projection: GeoProjection): MapView['toPixel'] {
  return (position) => projection(position) ?? [Number.NaN, Number.NaN]; // both projections show every position
}

/** The extent of points on a map of radius 1, and the position in its middle. */
function extentAround(center: Position, points: Position[]): FrameSize & { readonly middle: Position } {
  const projection = azimuthal(center).scale(1).translate([0, 0]);
  const [[left, top], [right, bottom]] = geoPath(projection).bounds({ type: 'MultiPoint', coordinates: points });
  const middle = projection.invert?.([(left + right) / 2, (top + bottom) / 2]) ?? center;
  return { width: right - left, height: bottom - top, middle };
}
