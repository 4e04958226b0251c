/**
 * Judges results. A result is correct if the place that the query was created from is among the
 * hits. If other places have the same name and the query does not distinguish them, any of them
 * counts.
 */
import { distanceMeters } from 'toponym-engine/place/sphere';
import { fold } from 'toponym-engine/text/fold';
import type { BenchPlace } from './places.ts';
import type { JudgedQuery } from './queries.ts';

const NEAR_METERS = 50_000;

export type JudgedPlace = Pick<BenchPlace, 'id' | 'name' | 'lat' | 'lng' | 'region' | 'country'>;

export function isCorrect(query: JudgedQuery, hits: Iterable<JudgedPlace | undefined>): boolean {
  const name = fold(query.target.name);
  for (const hit of hits) {
    if (hit === undefined) continue;
    if (hit.id === query.target.id) return true;
    if (fold(hit.name) === name && isIndistinguishable(query, hit)) return true;
  }
  return false;
}

function isIndistinguishable({ text, near }: JudgedQuery, hit: JudgedPlace): boolean {
  if (near !== undefined) return distanceMeters(near.lat, near.lng, hit.lat, hit.lng) <= NEAR_METERS;
  const comma = text.lastIndexOf(', ');
  if (comma === -1) return true;
  return [hit.region, hit.country].some((region) => region.toLowerCase() === text.slice(comma + 2));
}
