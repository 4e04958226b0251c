/** A query whose right answer is known. */
import type { PlaceRecord, SearchQuery } from '../../../src/engine/engine.ts';
import { distanceMeters, type LatLng } from '../../../src/place/sphere.ts';

export interface JudgedQuery {
  readonly query: SearchQuery;
  isRight(record: PlaceRecord): boolean;
}

/** A place this near to the right one is right: a city, and its suburb of the same name. */
const NEAR_METERS = 10_000;
const MIN_REGION_LETTERS = 5;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

export function isNear(record: PlaceRecord, { lat, lng }: LatLng, meters = NEAR_METERS): boolean {
  return distanceMeters(record.lat, record.lng, lat, lng) <= meters;
}

/** The query with a typo in its last part, if that follows a comma and is long: "Nice, Frnace". */
export function withMisspeltRegion(judged: JudgedQuery, random: (limit: number) => number): JudgedQuery | undefined {
  const { text } = judged.query;
  const regionStart = text.lastIndexOf(', ') + 2;
  if (regionStart < 2 || text.length - regionStart < MIN_REGION_LETTERS) return undefined;
  const region = misspelt(text.slice(regionStart), random);
  return { ...judged, query: { ...judged.query, text: text.slice(0, regionStart) + region } };
}

/** The text with one letter inserted, deleted, substituted or transposed. */
export function misspelt(text: string, random: (limit: number) => number): string {
  const at = random(text.length);
  const letter = LETTERS[random(LETTERS.length)]!;
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const edits = [before + letter + after, before + after.slice(1), before + letter + after.slice(1)];
  const transposed = before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2);
  return [...edits, transposed][random(4)]!;
}
