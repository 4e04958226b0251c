/** Finds the dense id of a place (its number in the index) by object id, such as `G123`. */
import { lowerBound } from '../collections/sorting.ts';
import type { Index } from './layout.ts';
import { readIdLetter, readIdNumber } from './packed-record.ts';

export function findPlace(index: Index, objectID: string): number | undefined {
  const { placeByNumber } = index;
  const id = parseId(objectID);
  if (id === undefined) return undefined;
  const compare = (place: number) => readIdLetter(index, place) - id.letter || readIdNumber(index, place) - id.number;
  const at = lowerBound(placeByNumber.length, (i) => compare(placeByNumber[i]!) < 0);
  const place = placeByNumber[at];
  return place !== undefined && compare(place) === 0 ? place : undefined;
}

/** Dense id of the place that a retired object id leads to. */
export function findSuccessor(index: Index, objectID: string): number | undefined {
  const { retiredSource, retiredNumber, retiredPlace } = index;
  const id = parseId(objectID);
  if (id === undefined) return undefined;
  const compare = (i: number) => retiredSource[i]! - id.letter || retiredNumber[i]! - id.number;
  const at = lowerBound(retiredPlace.length, (i) => compare(i) < 0);
  return at < retiredPlace.length && compare(at) === 0 ? retiredPlace[at] : undefined;
}

/** Undefined for an invalid id. `G01` is not another form of `G1`. */
function parseId(objectID: string): { letter: number; number: number } | undefined {
  if (!/^[A-Z](0|[1-9][0-9]{0,15})$/.test(objectID)) return undefined;
  const number = Number(objectID.slice(1));
  return Number.isSafeInteger(number) ? { letter: objectID.charCodeAt(0), number } : undefined;
}
