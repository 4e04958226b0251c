/** Boxes between two latitudes and two longitudes, in degrees. Edges belong to the box. */
import { type Circle, DEGREE, distanceMeters, type LatLng, METERS_PER_DEGREE } from './sphere.ts';

export interface BoundingBox {
  readonly south: number;
  /** Greater than `east` if the box crosses the antimeridian. */
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** Makes up for rounding in distances, which are less than a metre off. */
const MARGIN_METERS = 1;

/**
 * The box with these opposite corners, in any order. If their longitudes differ by more than 180
 * degrees, the first corner is the western one: from 170 to -170 the box crosses the antimeridian,
 * from -170 to 170 it does not. Longitudes of -180 and 180 span all longitudes in either order.
 */
export function boxBetween(first: LatLng, second: LatLng): BoundingBox {
  const south = Math.min(first.lat, second.lat);
  const north = Math.max(first.lat, second.lat);
  const degrees = Math.abs(first.lng - second.lng);
  if (degrees > 180 && degrees < 360) return { south, west: first.lng, north, east: second.lng };
  return { south, west: Math.min(first.lng, second.lng), north, east: Math.max(first.lng, second.lng) };
}

export function isInBox({ south, west, north, east }: BoundingBox, lat: number, lng: number): boolean {
  if (lat < south || lat > north) return false;
  if (west > east) return lng >= west || lng <= east;
  if (lng >= west && lng <= east) return true;
  return Math.abs(lng) === 180 && (east === 180 || west === -180); // the same meridian has two numbers
}

/** The smallest box that contains the circle. At a pole it spans all longitudes. */
export function boxAround({ lat, lng, radiusMeters }: Circle): BoundingBox {
  const degrees = radiusMeters / METERS_PER_DEGREE;
  const south = lat - degrees;
  const north = lat + degrees;
  if (south <= -90 || north >= 90)
    return { south: Math.max(-90, south), west: -180, north: Math.min(90, north), east: 180 };
  // to the meridian that the circle just touches, at a point nearer to the pole than its centre
  const halfWidth = Math.asin(Math.sin(degrees * DEGREE) / Math.cos(lat * DEGREE)) / DEGREE;
  const west = lng - halfWidth;
  const east = lng + halfWidth;
  return { south, west: west < -180 ? west + 360 : west, north, east: east > 180 ? east - 360 : east };
}

/** A circle that contains the box. It fits closely if the box is about as wide as it is high. */
export function circleAround(box: BoundingBox): Circle {
  const { south, west, north, east } = box;
  const width = west > east ? east + 360 - west : east - west;
  if (width > 180) return capAround(box);
  const lat = (south + north) / 2;
  const lng = west + width / 2; // may exceed 180, which the sine and cosine allow
  // on a box of up to 180 degrees, the corners are the furthest points from the middle
  const meters = Math.max(distanceMeters(lat, lng, south, west), distanceMeters(lat, lng, north, west));
  return { lat, lng, radiusMeters: meters + MARGIN_METERS };
}

/** A circle around the nearer pole that contains the box. */
function capAround({ south, north }: BoundingBox): Circle {
  const isNorth = south + north > 0;
  const degrees = isNorth ? 90 - south : north + 90;
  return { lat: isNorth ? 90 : -90, lng: 0, radiusMeters: degrees * METERS_PER_DEGREE + MARGIN_METERS };
}
