/** A query whose right answer is known. */
import type { PlaceRecord, SearchQuery } from '../../../src/engine/engine.ts';
import { distanceMeters, type LatLng } from '../../../src/place/sphere.ts';

export interface JudgedQuery {
  readonly query: SearchQuery;
  isRight(record: PlaceRecord): boolean;
}

/** A place this near to the right one is right: a city, and its suburb of the same name. */
const NEAR_METERS = 10_000;
const MIN_LETTERS = 2;

export function isNear(record: PlaceRecord, { lat, lng }: LatLng, meters = NEAR_METERS): boolean {
  return distanceMeters(record.lat, record.lng, lat, lng) <= meters;
}

/** The query while it is being typed: its first letters. Undefined if it is too short. */
export function unfinished(judged: JudgedQuery, random: (limit: number) => number): JudgedQuery | undefined {
  const letters = [...judged.query.text];
  if (letters.length <= MIN_LETTERS) return undefined;
  const count = MIN_LETTERS + random(letters.length - MIN_LETTERS);
  return { ...judged, query: { ...judged.query, text: letters.slice(0, count).join('') } };
}
