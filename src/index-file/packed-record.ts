/**
 * Packed records: the section `placeCards` holds eight 32-bit words per place, everything a record
 * shows except text. Reading a record touches adjacent memory, where columns would be far apart.
 * Fields that are scanned for many places are also stored as columns (`placeType`, …).
 */
import type { Sections } from './layout.ts';

type PackedRecords = Pick<Sections, 'placeCards'>;

/** Positions of the fields in a packed record, in 32-bit words, and the masks of shared words. */
export const RECORD_LAYOUT = {
  words: 8,
  numberLow: 0,
  /** From the lowest bit: 21 high bits of the number, 3 bits of type, 8 bits of source letter. */
  numberHigh: 1,
  latE7: 2,
  lngE7: 3,
  population: 4,
  name: 5,
  admin2: 6,
  /** Importance in the lower half, time zone in the upper half. */
  importanceAndTimezone: 7,
  highMask: 0x1f_ffff,
  typeShift: 21,
  typeMask: 7,
  sourceShift: 24,
  halfShift: 16,
  halfMask: 0xffff,
} as const;

const TWO_32 = 2 ** 32;

export interface PackedRecord {
  /** Code of the letter that an object id starts with. */
  readonly source: number;
  /** The digits of the object id. */
  readonly number: number;
  /** Index in PLACE_TYPES. */
  readonly type: number;
  readonly latE7: number;
  readonly lngE7: number;
  /** 0 if unknown. */
  readonly population: number;
  /** Offset of the main name in `texts`. */
  readonly name: number;
  /** Region id; 0 for none. */
  readonly admin2: number;
  /** 0 to 65,535. */
  readonly importance: number;
  /** Index in `meta.timezones`. */
  readonly timezone: number;
}

export function writePackedRecord(words: Uint32Array, place: number, record: PackedRecord): void {
  const start = place * RECORD_LAYOUT.words;
  const high = Math.floor(record.number / TWO_32);
  words[start + RECORD_LAYOUT.numberLow] = record.number % TWO_32;
  words[start + RECORD_LAYOUT.numberHigh] =
    high | (record.type << RECORD_LAYOUT.typeShift) | (record.source << RECORD_LAYOUT.sourceShift);
  words[start + RECORD_LAYOUT.latE7] = record.latE7;
  words[start + RECORD_LAYOUT.lngE7] = record.lngE7;
  words[start + RECORD_LAYOUT.population] = record.population;
  words[start + RECORD_LAYOUT.name] = record.name;
  words[start + RECORD_LAYOUT.admin2] = record.admin2;
  words[start + RECORD_LAYOUT.importanceAndTimezone] = record.importance | (record.timezone << RECORD_LAYOUT.halfShift);
}

export function readSource({ placeCards }: PackedRecords, place: number): number {
  return placeCards[place * RECORD_LAYOUT.words + RECORD_LAYOUT.numberHigh]! >>> RECORD_LAYOUT.sourceShift;
}

export function readNumber({ placeCards }: PackedRecords, place: number): number {
  const start = place * RECORD_LAYOUT.words;
  return (
    placeCards[start + RECORD_LAYOUT.numberLow]! +
    (placeCards[start + RECORD_LAYOUT.numberHigh]! & RECORD_LAYOUT.highMask) * TWO_32
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
    (placeCards[place * RECORD_LAYOUT.words + RECORD_LAYOUT.numberHigh]! >>> RECORD_LAYOUT.typeShift) &
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
