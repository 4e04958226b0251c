/** The narrowest box around points, also across the antimeridian. */
import type { LatLng } from './place-map.ts';

export interface Bounds {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  /** Above 180 if the box crosses the antimeridian. */
  readonly east: number;
}

/** There must be at least one point. */
export function boundsOf(points: readonly LatLng[]): Bounds {
  const lats = points.map(({ lat }) => lat);
  const lngs = points.map(({ lng }) => lng).sort((a, b) => a - b);
  // the box is all around the earth except for the widest gap between neighbours
  let [west, east] = [lngs[0] ?? 0, lngs.at(-1) ?? 0];
  for (const [i, lng] of lngs.entries()) {
    const previous = lngs[i - 1] ?? lng;
    if (previous + 360 - lng < east - west) [west, east] = [lng, previous + 360];
  }
  return { south: Math.min(...lats), west, north: Math.max(...lats), east };
}
