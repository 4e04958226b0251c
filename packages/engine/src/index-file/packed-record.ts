/**
 * Reads what a record shows of a place: most numbers from packed records, eight adjacent 32-bit words
 * per place, which are fast to read. Fields that a search reads for many places are also columns.
 */

import { indexInSorted, lowerBound } from '../collections/sorting.ts';
import type { BoundingBox } from '../place/bounding-box.ts';
import { decodeUtf8 } from '../text/utf8.ts';
import type { Index, Sections } from './layout.ts';

type HasPackedRecords = Pick<Sections, 'packedRecords'>;

export const RECORD_WORDS = 8;

/** Offsets in words. */
const WORD = {
  /** Low 32 bits of the number of the object id. */
  numberLow: 0,
  /** From the lowest bit: 21 high bits of the number, 3 bits of type, 8 of the letter. */
  numberHighTypeLetter: 1,
  /** Signed, like `lngE7`. */
  latE7: 2,
  lngE7: 3,
  population: 4,
  shownNameOffset: 5,
  admin2: 6,
  /** Importance in the lower half, time zone in the upper half. */
  importanceTimezone: 7,
} as const;
/** Word of the offset of the name to show. */
export const SHOWN_NAME_WORD = WORD.shownNameOffset;
const NUMBER_HIGH_MASK = 0x1f_ffff;
const TYPE_SHIFT = 21;
const TYPE_MASK = 7;
const LETTER_SHIFT = 24;
const HALF_SHIFT = 16;
const HALF_MASK = 0xffff;
const TWO_32 = 2 ** 32;

export interface PackedRecord {
  /** Character code. */
  readonly idLetter: number;
  readonly idNumber: number;
  /** Index in PLACE_TYPES. */
  readonly type: number;
  readonly latE7: number;
  readonly lngE7: number;
  /** 0 if unknown. */
  readonly population: number;
  /** Offset in the section `texts`: the name to show if no language is asked for. */
  readonly shownNameOffset: number;
  /** Region id, or 0. */
  readonly admin2: number;
  /** 0 to 65,535. */
  readonly importance: number;
  /** Index in `meta.timezones`. */
  readonly timezone: number;
}

export function writePackedRecord(packedRecords: Uint32Array, place: number, record: PackedRecord): void {
  const start = place * RECORD_WORDS;
  const numberHigh = Math.floor(record.idNumber / TWO_32);
  packedRecords[start + WORD.numberLow] = record.idNumber % TWO_32;
  packedRecords[start + WORD.numberHighTypeLetter] =
    numberHigh | (record.type << TYPE_SHIFT) | (record.idLetter << LETTER_SHIFT);
  packedRecords[start + WORD.latE7] = record.latE7;
  packedRecords[start + WORD.lngE7] = record.lngE7;
  packedRecords[start + WORD.population] = record.population;
  packedRecords[start + WORD.shownNameOffset] = record.shownNameOffset;
  packedRecords[start + WORD.admin2] = record.admin2;
  packedRecords[start + WORD.importanceTimezone] = record.importance | (record.timezone << HALF_SHIFT);
}

export function readIdLetter({ packedRecords }: HasPackedRecords, place: number): number {
  return packedRecords[place * RECORD_WORDS + WORD.numberHighTypeLetter]! >>> LETTER_SHIFT;
}

export function readIdNumber({ packedRecords }: HasPackedRecords, place: number): number {
  const start = place * RECORD_WORDS;
  const high = packedRecords[start + WORD.numberHighTypeLetter]! & NUMBER_HIGH_MASK;
  return high * TWO_32 + packedRecords[start + WORD.numberLow]!;
}

export function readObjectId(index: HasPackedRecords, place: number): string {
  return String.fromCharCode(readIdLetter(index, place)) + readIdNumber(index, place);
}

export function readShownNameOffset({ packedRecords }: HasPackedRecords, place: number): number {
  return packedRecords[place * RECORD_WORDS + WORD.shownNameOffset]!;
}

/** The main name is the first of a place's names. */
export function readMainNameOffset(
  { placeNames, nameText }: Pick<Sections, 'placeNames' | 'nameText'>,
  place: number,
): number {
  return nameText[placeNames[place]!]!;
}

export function readType({ packedRecords }: HasPackedRecords, place: number): number {
  return (packedRecords[place * RECORD_WORDS + WORD.numberHighTypeLetter]! >>> TYPE_SHIFT) & TYPE_MASK;
}

export function readLatE7({ packedRecords }: HasPackedRecords, place: number): number {
  return packedRecords[place * RECORD_WORDS + WORD.latE7]! | 0;
}

export function readLngE7({ packedRecords }: HasPackedRecords, place: number): number {
  return packedRecords[place * RECORD_WORDS + WORD.lngE7]! | 0;
}

export function readImportance({ packedRecords }: HasPackedRecords, place: number): number {
  return packedRecords[place * RECORD_WORDS + WORD.importanceTimezone]! & HALF_MASK;
}

export function readAdmin2({ packedRecords }: HasPackedRecords, place: number): number {
  return packedRecords[place * RECORD_WORDS + WORD.admin2]!;
}

export function readPopulation({ packedRecords }: HasPackedRecords, place: number): number {
  return packedRecords[place * RECORD_WORDS + WORD.population]!;
}

export function readTimezone({ packedRecords }: HasPackedRecords, place: number): number {
  return packedRecords[place * RECORD_WORDS + WORD.importanceTimezone]! >>> HALF_SHIFT;
}

/** Finds the dense id of a place (its number in the index) by object id, such as `G123`. */
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

/** Numbers of an extent in `extentE7`: west, south, east, north. */
export const EXTENT_NUMBERS = 4;

/** The true extent of a place. Undefined if its source has none, as most do. */
export function readExtent({ extentPlace, extentE7 }: Index, place: number): BoundingBox | undefined {
  const i = extentPlace.length === 0 ? -1 : indexInSorted(extentPlace, place);
  if (i === -1) return undefined;
  const at = i * EXTENT_NUMBERS;
  return {
    west: extentE7[at]! / 1e7,
    south: extentE7[at + 1]! / 1e7,
    east: extentE7[at + 2]! / 1e7,
    north: extentE7[at + 3]! / 1e7,
  };
}

/** Reads a text of the string pool: two bytes of length, then UTF-8. */
export function readText({ texts }: Pick<Sections, 'texts'>, offset: number): string {
  const length = texts[offset]! | (texts[offset + 1]! << 8);
  return decodeUtf8(texts, offset + 2, offset + 2 + length);
}
