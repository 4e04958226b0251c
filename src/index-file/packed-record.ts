/**
 * Packed records: the section `placeCards` holds eight 32-bit words per place, everything a record
 * shows except text. All fields of a record are adjacent in memory, so reading it is fast. Fields
 * that are scanned for many places are also stored as columns (`placeType`, …).
 */
import type { Sections } from './layout.ts';

type PackedRecords = Pick<Sections, 'placeCards'>;

export const RECORD_LAYOUT = {
  /** Words per record. */
  words: 8,

  // Position of each field, in words.
  numberLow: 0,
  /** From the lowest bit: 21 high bits of the number, 3 bits of type, 8 bits of source letter. */
  numberHighTypeSource: 1,
  /** Signed, like `lngE7`: readers convert the unsigned word with `| 0`. */
  latE7: 2,
  lngE7: 3,
  population: 4,
  name: 5,
  admin2: 6,
  /** Importance in the lower half, time zone in the upper half. */
  importanceAndTimezone: 7,

  // Shifts and masks of the words that hold several fields.
  numberHighMask: 0x1f_ffff,
  typeShift: 21,
  typeMask: 7,
  sourceShift: 24,
  halfShift: 16,
  halfMask: 0xffff,
} as const;

const TWO_32 = 2 ** 32;

export interface PackedRecord {
  /** Character code of the letter that the object id starts with. */
  readonly source: number;
  /** The digits of the object id. */
  readonly number: number;
  /** Index in PLACE_TYPES. */
  readonly type: number;
  /** Degrees × 10⁷, like `lngE7`. */
  readonly latE7: number;
  readonly lngE7: number;
  /** 0 if unknown. */
  readonly population: number;
  /** Offset of the main name in `texts`. */
  readonly name: number;
  /** Region id of the second-level division; 0 for none. */
  readonly admin2: number;
  /** 0 to 65,535. */
  readonly importance: number;
  /** Index in `meta.timezones`. */
  readonly timezone: number;
}

export function writePackedRecord(placeCards: Uint32Array, place: number, record: PackedRecord): void {
  const start = place * RECORD_LAYOUT.words;
  const numberHigh = Math.floor(record.number / TWO_32);
  placeCards[start + RECORD_LAYOUT.numberLow] = record.number % TWO_32;
  placeCards[start + RECORD_LAYOUT.numberHighTypeSource] =
    numberHigh | (record.type << RECORD_LAYOUT.typeShift) | (record.source << RECORD_LAYOUT.sourceShift);
  placeCards[start + RECORD_LAYOUT.latE7] = record.latE7;
  placeCards[start + RECORD_LAYOUT.lngE7] = record.lngE7;
  placeCards[start + RECORD_LAYOUT.population] = record.population;
  placeCards[start + RECORD_LAYOUT.name] = record.name;
  placeCards[start + RECORD_LAYOUT.admin2] = record.admin2;
  placeCards[start + RECORD_LAYOUT.importanceAndTimezone] =
    record.importance | (record.timezone << RECORD_LAYOUT.halfShift);
}

export function readSource({ placeCards }: PackedRecords, place: number): number {
  return placeCards[place * RECORD_LAYOUT.words + RECORD_LAYOUT.numberHighTypeSource]! >>> RECORD_LAYOUT.sourceShift;
}

export function readNumber({ placeCards }: PackedRecords, place: number): number {
  const start = place * RECORD_LAYOUT.words;
  return (
    placeCards[start + RECORD_LAYOUT.numberLow]! +
    (placeCards[start + RECORD_LAYOUT.numberHighTypeSource]! & RECORD_LAYOUT.numberHighMask) * TWO_32
  );
}

export function readObjectId(records: PackedRecords, place: number): string {
  return String.fromCharCode(readSource(records, place)) + readNumber(records, place);
}

export function readMainNameOffset({ placeCards }: PackedRecords, place: number): number {
  return placeCards[place * RECORD_LAYOUT.words + RECORD_LAYOUT.name]!;
}

export function readType({ placeCards }: PackedRecords, place: number): number {
  return (
    (placeCards[place * RECORD_LAYOUT.words + RECORD_LAYOUT.numberHighTypeSource]! >>> RECORD_LAYOUT.typeShift) &
    RECORD_LAYOUT.typeMask
  );
}

export function readLatE7({ placeCards }: PackedRecords, place: number): number {
  return placeCards[place * RECORD_LAYOUT.words + RECORD_LAYOUT.latE7]! | 0;
}

export function readLngE7({ placeCards }: PackedRecords, place: number): number {
  return placeCards[place * RECORD_LAYOUT.words + RECORD_LAYOUT.lngE7]! | 0;
}

export function readImportance({ placeCards }: PackedRecords, place: number): number {
  return placeCards[place * RECORD_LAYOUT.words + RECORD_LAYOUT.importanceAndTimezone]! & RECORD_LAYOUT.halfMask;
}

export function readAdmin2({ placeCards }: PackedRecords, place: number): number {
  return placeCards[place * RECORD_LAYOUT.words + RECORD_LAYOUT.admin2]!;
}

export function readPopulation({ placeCards }: PackedRecords, place: number): number {
  return placeCards[place * RECORD_LAYOUT.words + RECORD_LAYOUT.population]!;
}

export function readTimezone({ placeCards }: PackedRecords, place: number): number {
  return placeCards[place * RECORD_LAYOUT.words + RECORD_LAYOUT.importanceAndTimezone]! >>> RECORD_LAYOUT.halfShift;
}
