/** Map projections on a sphere of radius 1. `x` grows to the east and `y` to the north. */

export type Position = readonly [lng: number, lat: number];
export type PlanePoint = readonly [x: number, y: number];

export type Project = (position: Position) => PlanePoint;

export interface AzimuthalProjection {
  readonly project: Project;
  /** Undefined outside the map of the world. The longitude is within 180° of the centre's. */
  readonly invert: (point: PlanePoint) => Position | undefined;
}

const RADIANS = Math.PI / 180;
// the polynomial of Šavrič, Patterson and Jenny, "The Equal Earth map projection" (2018)
const [A1, A2, A3, A4] = [1.340264, -0.081106, 0.000893, 0.003796];
const HALF_ROOT_3 = Math.sqrt(3) / 2;

/** For longitudes within 180° of the central one. */
export function equalEarth(centralLng: number): Project {
  return ([lng, lat]) => {
    const theta = Math.asin(HALF_ROOT_3 * Math.sin(lat * RADIANS));
    const square = theta * theta;
    const sixth = square ** 3;
    const y = theta * (A1 + A2 * square + sixth * (A3 + A4 * square));
    const slope = A1 + 3 * A2 * square + sixth * (7 * A3 + 9 * A4 * square);
    return [((lng - centralLng) * RADIANS * Math.cos(theta)) / (HALF_ROOT_3 * slope), y];
  };
}

/** Lambert's azimuthal equal-area projection, which has no seam at the antimeridian or the poles. */
export function azimuthalEqualArea([centerLng, centerLat]: Position): AzimuthalProjection {
  const sinCenter = Math.sin(centerLat * RADIANS);
  const cosCenter = Math.cos(centerLat * RADIANS);
  return {
    project: ([lng, lat]) => {
      const sinLat = Math.sin(lat * RADIANS);
      const cosLat = Math.cos(lat * RADIANS);
      const cosLng = Math.cos((lng - centerLng) * RADIANS);
      const cosDistance = sinCenter * sinLat + cosCenter * cosLat * cosLng;
      const scale = Math.sqrt(2 / Math.max(1 + cosDistance, 1e-9)); // the antipode has no image
      const x = scale * cosLat * Math.sin((lng - centerLng) * RADIANS);
      return [x, scale * (cosCenter * sinLat - sinCenter * cosLat * cosLng)];
    },
    invert: ([x, y]) => {
      const radius = Math.hypot(x, y);
      if (radius > 2) return undefined;
      if (radius === 0) return [centerLng, centerLat];
      const distance = 2 * Math.asin(radius / 2);
      const [sin, cos] = [Math.sin(distance), Math.cos(distance)];
      const sinLat = Math.min(Math.max(cos * sinCenter + (y * sin * cosCenter) / radius, -1), 1);
      const lng = Math.atan2(x * sin, radius * cosCenter * cos - y * sinCenter * sin);
      return [centerLng + lng / RADIANS, Math.asin(sinLat) / RADIANS];
    },
  };
}
