/** Places in the terms of OpenStreetMap, which the clients of Photon and Nominatim expect. */
import { MAX_RECORDS } from '../access/keys/key-record.ts';
import type { PlaceType } from '../place/place.ts';
import type { AdapterCall } from './adapter.ts';

/** The value of the tag `place` by type of place. */
export const PLACE_TAGS: Readonly<Record<PlaceType, string>> = {
  city: 'city',
  town: 'town',
  village: 'village',
  hamlet: 'hamlet',
  locality: 'locality',
  'suburban area': 'suburb',
};

export interface OsmId {
  readonly type: 'N' | 'W' | 'R';
  readonly id: number;
}

/** Places of other sources, such as G2988507 of GeoNames, are shown as nodes with their own number. */
export function osmIdOf(objectID: string): OsmId {
  const [letter] = objectID;
  return { type: letter === 'W' || letter === 'R' ? letter : 'N', id: Number(objectID.slice(1)) };
}

/** Degrees with seven decimals, a centimetre, as OpenStreetMap has them. */
export function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

/** The number of hits to return: as asked, at most what the key and the engine allow. */
export function hitLimit({ parameters, maxHits }: AdapterCall, byDefault: number): number {
  return Math.min(parameters.option('hitsPerPage', 'limit') ?? byDefault, maxHits, MAX_RECORDS);
}
