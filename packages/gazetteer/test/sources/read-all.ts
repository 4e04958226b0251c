/** Reads the places of a gazetteer. */
import type { Gazetteer, Place } from 'toponym-engine/place/place';

export async function readAll({ places }: Pick<Gazetteer, 'places'>): Promise<Place[]> {
  const all: Place[] = [];
  for await (const place of places) all.push(place);
  return all;
}
