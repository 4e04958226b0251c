/** Geometry on a sphere of the mean Earth radius. Arguments are `lat, lng`, in degrees. */

/** Mean radius as defined by the IUGG. */
export const EARTH_RADIUS_METERS = 6_371_008.8;
export const HALF_CIRCUMFERENCE_METERS = Math.PI * EARTH_RADIUS_METERS;
export const METERS_PER_DEGREE = HALF_CIRCUMFERENCE_METERS / 180;

/** In radians. */
export const DEGREE = Math.PI / 180;

export interface LatLng {
  readonly lat: number;
  readonly lng: number;
}

/** A circle on the Earth. */
export interface Circle extends LatLng {
  readonly radiusMeters: number;
}

/** Great-circle distance by the haversine formula. */
export function distanceMeters(lat1: number, lng1: number, lat2: number, lng2: number): number {
  const sinLat = Math.sin(((lat2 - lat1) * DEGREE) / 2);
  const sinLng = Math.sin(((lng2 - lng1) * DEGREE) / 2);
  const haversine = sinLat * sinLat + Math.cos(lat1 * DEGREE) * Math.cos(lat2 * DEGREE) * sinLng * sinLng;
  const sine = Math.min(1, Math.sqrt(haversine)); // rounding could make it more than 1
  return 2 * EARTH_RADIUS_METERS * Math.asin(sine);
}

/** Initial bearing in [0, 360), clockwise from north. */
export function bearingDegrees(lat1: number, lng1: number, lat2: number, lng2: number): number {
  const y = Math.sin((lng2 - lng1) * DEGREE) * Math.cos(lat2 * DEGREE);
  const x =
    Math.cos(lat1 * DEGREE) * Math.sin(lat2 * DEGREE) -
    Math.sin(lat1 * DEGREE) * Math.cos(lat2 * DEGREE) * Math.cos((lng2 - lng1) * DEGREE);
  return (Math.atan2(y, x) / DEGREE + 360) % 360;
}
