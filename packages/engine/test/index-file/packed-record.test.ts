import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import {
  type PackedRecord,
  RECORD_WORDS,
  readAdmin2,
  readIdLetter,
  readIdNumber,
  readImportance,
  readLatE7,
  readLngE7,
  readObjectId,
  readPopulation,
  readShownNameOffset,
  readTimezone,
  readType,
  writePackedRecord,
} from '../../src/index-file/packed-record.ts';

const MIN: PackedRecord = {
  idLetter: 0x41,
  idNumber: 0,
  type: 0,
  latE7: -900_000_000,
  lngE7: -1_800_000_000,
  population: 0,
  shownNameOffset: 0,
  admin2: 0,
  importance: 0,
  timezone: 0,
};
const MAX: PackedRecord = {
  idLetter: 0x5a,
  idNumber: Number.MAX_SAFE_INTEGER,
  type: 5,
  latE7: 900_000_000,
  lngE7: 1_800_000_000,
  population: 0xffff_ffff,
  shownNameOffset: 0xffff_ffff,
  admin2: 0xffff_ffff,
  importance: 0xffff,
  timezone: 0xffff,
};

function readPackedRecord(packedRecords: Uint32Array, place: number): PackedRecord {
  const records = { packedRecords };
  return {
    idLetter: readIdLetter(records, place),
    idNumber: readIdNumber(records, place),
    type: readType(records, place),
    latE7: readLatE7(records, place),
    lngE7: readLngE7(records, place),
    population: readPopulation(records, place),
    shownNameOffset: readShownNameOffset(records, place),
    admin2: readAdmin2(records, place),
    importance: readImportance(records, place),
    timezone: readTimezone(records, place),
  };
}

test('a packed record reads back as it was written, including the minimum and maximum of each field', () => {
  const random = seededRandom(1);
  const between = (min: number, max: number) => min + Math.floor((random(0x8000_0000) / 0x8000_0000) * (max - min + 1));
  const fields = Object.keys(MIN) as (keyof PackedRecord)[];
  const records = Array.from({ length: 1000 }, () =>
    Object.fromEntries(
      fields.map((field) => [field, [MIN[field], MAX[field], between(MIN[field], MAX[field])][random(3)]]),
    ),
  ) as unknown as PackedRecord[];
  const words = new Uint32Array(records.length * RECORD_WORDS);
  for (const [place, record] of records.entries()) writePackedRecord(words, place, record);
  for (const [place, record] of records.entries()) assert.deepEqual(readPackedRecord(words, place), record);
});

test('an object id is its letter followed by its number', () => {
  const packedRecords = new Uint32Array(RECORD_WORDS);
  writePackedRecord(packedRecords, 0, { ...MIN, idLetter: 0x4e, idNumber: 12_345_678_901 });
  assert.equal(readObjectId({ packedRecords }, 0), 'N12345678901');
});
