/** The same settlement listed twice: of one name, in one region, a few kilometres apart. */
import type { Index } from '../index-file/layout.ts';
import { distanceMeters } from '../place/sphere.ts';
import { fold } from '../text/fold.ts';
import type { PlaceRecords } from './place-records.ts';

/** Seats of a district are often listed beside the town itself; real namesakes are hardly ever this near. */
const TWIN_METERS = 8000;

/** Whether a place repeats one of those before it. */
export function isTwin(index: Index, records: PlaceRecords, place: number, before: readonly number[]): boolean {
  const { placeCountry, placeAdmin1 } = index;
  for (const other of before) {
    if (placeAdmin1[other] !== placeAdmin1[place] || placeCountry[other] !== placeCountry[place]) continue;
    if (metersBetween(index, place, other) >= TWIN_METERS) continue;
    if (fold(records.mainName(other)) === fold(records.mainName(place))) return true;
  }
  return false;
}

function metersBetween({ placeLatE7, placeLngE7 }: Index, a: number, b: number): number {
  return distanceMeters(placeLatE7[a]! / 1e7, placeLngE7[a]! / 1e7, placeLatE7[b]! / 1e7, placeLngE7[b]! / 1e7);
}
