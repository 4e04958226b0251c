/** Circles on the sphere, as GeoJSON: right across the antimeridian and around the poles. */
import type { Feature, Geometry, Position } from 'geojson';
import { EARTH_RADIUS_METERS } from 'toponym-engine/place/sphere';
import type { LatLng } from './place-map.ts';

const CORNERS = 360;
const DEGREE = Math.PI / 180;

/**
 * The area and the outline of a circle. Longitudes are continuous, and may be beyond 180. The area of
 * a circle around a pole is closed along the pole, and the outline is not.
 */
export function circleFeatures(center: LatLng, radiusMeters: number): Feature[] {
  const angle = Math.min(radiusMeters / EARTH_RADIUS_METERS, Math.PI);
  const outline = withoutJumps(
    Array.from({ length: CORNERS + 1 }, (_, i) => pointAt(center, angle, (i / CORNERS) * 2 * Math.PI)),
  );
  return [
    asFeature({ type: 'Polygon', coordinates: area(outline, center, angle / DEGREE) }),
    asFeature({ type: 'LineString', coordinates: outline }),
  ];
}

function area(outline: Position[], center: LatLng, angleDegrees: number): Position[][] {
  const [west, east] = lngRange(outline);
  const hasNorthPole = center.lat + angleDegrees > 90;
  const hasSouthPole = center.lat - angleDegrees < -90;
  if (hasNorthPole && hasSouthPole) {
    // the outline goes around the part of the earth that is too far away
    const middle = (west + east) / 2;
    return [box(middle - 180, middle + 180), outline];
  }
  if (!hasNorthPole && !hasSouthPole) return [outline];
  const pole = hasNorthPole ? 90 : -90;
  const [first = [], last = []] = [outline[0], outline.at(-1)];
  return [[...outline, [last[0] ?? 0, pole], [first[0] ?? 0, pole], first]];
}

function pointAt({ lat, lng }: LatLng, angle: number, bearing: number): Position {
  const sinLat = Math.sin(lat * DEGREE);
  const cosLat = Math.cos(lat * DEGREE);
  const sinTo = sinLat * Math.cos(angle) + cosLat * Math.sin(angle) * Math.cos(bearing);
  const y = Math.sin(bearing) * Math.sin(angle) * cosLat;
  const x = Math.cos(angle) - sinLat * sinTo;
  return [lng + Math.atan2(y, x) / DEGREE, Math.asin(Math.max(-1, Math.min(1, sinTo))) / DEGREE];
}

/** Adds full turns to longitudes, so that neighbours are close. The middle is between -180 and 180. */
function withoutJumps(line: Position[]): Position[] {
  let previous = line[0]?.[0] ?? 0;
  const continuous = line.map(([lng = 0, lat = 0]): Position => {
    previous = lng + 360 * Math.round((previous - lng) / 360);
    return [previous, lat];
  });
  const [west, east] = lngRange(continuous);
  const turns = 360 * Math.round((west + east) / 720);
  return continuous.map(([lng = 0, lat = 0]) => [lng - turns, lat]);
}

function lngRange(line: readonly Position[]): [west: number, east: number] {
  const lngs = line.map(([lng = 0]) => lng);
  return [Math.min(...lngs), Math.max(...lngs)];
}

function box(west: number, east: number): Position[] {
  return [
    [west, -90],
    [east, -90],
    [east, 90],
    [west, 90],
    [west, -90],
  ];
}

function asFeature(geometry: Geometry): Feature {
  return { type: 'Feature', properties: {}, geometry };
}
