/** The same settlement listed twice: of one name, in one region, a few kilometres apart. */
import type { Index } from '../index-file/layout.ts';
import { distanceMeters } from '../place/sphere.ts';
import { fold } from '../text/fold.ts';
import type { PlaceRecords } from './place-records.ts';

/** Seats of a district are often listed beside the town itself; real namesakes are hardly ever this near. */
const TWIN_METERS = 8000;

/** Whether a place repeats one of those before it. */
export function isTwin(index: Index, records: PlaceRecords, place: number, before: readonly number[]): boolean {
  return before.some(
    (other) =>
      index.placeCountry[other] === index.placeCountry[place] &&
      index.placeAdmin1[other] === index.placeAdmin1[place] &&
      metersBetween(index, place, other) < TWIN_METERS &&
      fold(records.mainName(other)) === fold(records.mainName(place)),
  );
}

function metersBetween({ placeLatE7, placeLngE7 }: Index, a: number, b: number): number {
  return distanceMeters(placeLatE7[a]! / 1e7, placeLngE7[a]! / 1e7, placeLatE7[b]! / 1e7, placeLngE7[b]! / 1e7);
}
