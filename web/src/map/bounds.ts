/** Boxes around points, also across the antimeridian, and the zoom that shows them. */
import type { LatLng } from '../../../packages/client/src/client.ts';

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

/** The zoom at which the box fits into so many pixels, on the globe with the box in its middle. */
export function zoomToFit({ south, west, north, east }: Bounds, width: number, height: number): number {
  const shrinking = cosine((south + north) / 2);
  // parallels are longest where the box is nearest to the equator
  const widest = cosine(south < 0 && north > 0 ? 0 : Math.min(Math.abs(south), Math.abs(north)));
  const lngPixels = ((east - west) * widest * 512) / 360;
  const latPixels = ((north - south) * 512) / 360;
  return Math.log2(shrinking * Math.min(width / lngPixels, height / latPixels));
}

/** At least 0.05, because a map at a pole would need an infinite zoom. */
function cosine(degrees: number): number {
  return Math.max(0.05, Math.cos((degrees * Math.PI) / 180));
}
