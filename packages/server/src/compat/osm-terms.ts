/** Places in the terms of OpenStreetMap, which all of these services use, and parameters that Photon and Nominatim share. */
import type { Dataset } from 'toponym-engine/engine';
import { dataDate } from 'toponym-engine/index-file/data-age';
import type { BoundingBox } from 'toponym-engine/place/bounding-box';
import type { PlaceType } from 'toponym-engine/place/place';
import type { LatLng } from 'toponym-engine/place/sphere';
import { invalidOption, quote, RequestError } from '../http/errors.ts';
import { type Parameters, readAs } from './adapter.ts';

/**
 * By type of place: the value of the tag `place`, the layer of Photon and GeocodeJSON, Nominatim's
 * rank, and the importance and level of Algolia Places. Level 15 is no unit of administration.
 */
export const PLACE_TERMS = {
  city: { tag: 'city', layer: 'city', rank: 16, importance: 16, admin_level: 8 },
  town: { tag: 'town', layer: 'city', rank: 18, importance: 16, admin_level: 8 },
  village: { tag: 'village', layer: 'city', rank: 19, importance: 19, admin_level: 8 },
  hamlet: { tag: 'hamlet', layer: 'district', rank: 20, importance: 20, admin_level: 15 },
  locality: { tag: 'locality', layer: 'locality', rank: 25, importance: 20, admin_level: 15 },
  'suburban area': { tag: 'suburb', layer: 'district', rank: 19, importance: 19, admin_level: 10 },
} satisfies Readonly<Record<PlaceType, object>>;

/** Places of other sources, such as G2988507 of GeoNames, are shown as nodes with their own number. */
export function osmIdOf(objectID: string): { type: 'N' | 'W' | 'R'; id: number } {
  const [letter] = objectID;
  return { type: letter === 'W' || letter === 'R' ? letter : 'N', id: Number(objectID.slice(1)) };
}

/** The ids that `osmIdOf` shows as this one, with OpenStreetMap's own first. */
export function objectIDsOf(type: string, id: string): string[] {
  const letters = type === 'N' ? 'NGFABCDEHIJKLMOPQSTUVXYZ' : type;
  return [...letters].map((letter) => `${letter}${id}`);
}

/** Degrees with seven decimals, a centimetre, as OpenStreetMap has them. */
export function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

/** Reads a box as `west,south,east,north`, or two other opposite corners. Throws RequestError. */
export function boxOf(parameters: Parameters, name: string): BoundingBox | undefined {
  const text = parameters.text(name);
  if (text === undefined) return undefined;
  const corners = text.split(',');
  const [west, south, east, north] = corners;
  if (corners.length !== 4 || corners.some((corner) => Number.isNaN(Number.parseFloat(corner)))) {
    const wanted = 'west,south,east,north in decimal degrees, such as 9.5,51.5,11.5,53.5';
    throw invalidOption(name, `must be ${wanted}, got ${quote(text)}`);
  }
  return readAs('insideBoundingBox', name, [south, west, north, east].join());
}

/** The date of the data, such as 2026-05-02, if its version has one. */
export function dateOf({ version }: Dataset): string | undefined {
  return dataDate(version)?.toISOString().slice(0, 10);
}

/** The point of a reverse lookup. Throws RequestError. */
export function requiredPoint(parameters: Parameters): LatLng {
  const point = parameters.point('lat', 'lon');
  if (point !== undefined) return point;
  throw new RequestError('missing_option', 'lat and lon are required, as in lat=52.5&lon=13.4');
}

/** The zoom of the map that the client shows. Throws RequestError. */
export function zoomOf(parameters: Parameters): number {
  const text = parameters.text('zoom') ?? '18';
  const zoom = Number(text);
  if (!Number.isFinite(zoom)) throw invalidOption('zoom', `must be a number from 0 to 18, got ${quote(text)}`);
  return zoom;
}
