import assert from 'node:assert/strict';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parseAddress } from 'toponym-access/address';
import { anMmdb, anMmdbOf } from '../../../../test/support/mmdb.ts';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { MmdbReader } from '../../src/locate/mmdb-reader.ts';

function aReader(context: TestContext, bytes: Uint8Array): MmdbReader {
  const path = join(temporaryFolder(context), 'small.mmdb');
  writeFileSync(path, bytes);
  const file = openSync(path, 'r');
  context.after(() => closeSync(file));
  return new MmdbReader(file);
}

for (const recordBits of [24, 28, 32] as const) {
  test(`nodes of ${recordBits} bits lead to the record of the prefix that an address begins with`, (context) => {
    const random = seededRandom(recordBits);
    const records: Record<string, { id: string }> = {};
    for (let i = 0; i < 500; i++) {
      const prefix = Array.from({ length: 1 + random(24) }, () => random(2)).join('');
      const isFree = Object.keys(records).every((other) => !other.startsWith(prefix) && !prefix.startsWith(other));
      if (isFree) records[prefix] = { id: prefix };
    }
    const zeros = '0'.repeat(96);
    const below96 = Object.fromEntries(Object.entries(records).map(([prefix, record]) => [zeros + prefix, record]));
    const ofIpv4 = aReader(context, anMmdbOf(records, { recordBits, ipVersion: 4 }));
    const ofIpv6 = aReader(context, anMmdbOf(below96, { recordBits, ipVersion: 6 }));
    for (let i = 0; i < 1000; i++) {
      const bytes = Array.from({ length: 4 }, () => random(256));
      const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
      const expected = Object.entries(records).find(([prefix]) => bits.startsWith(prefix))?.[1];
      assert.deepEqual(ofIpv4.find(bytes), expected, bits);
      assert.deepEqual(ofIpv6.find(bytes), expected, bits);
    }
  });
}

test('an IPv6 address is found by its first bits, and never in a file of IPv4', (context) => {
  const prefix = '0010000000000001'; // 2001::/16
  const reader = aReader(context, anMmdbOf({ [prefix]: { id: 'yes' } }, { recordBits: 24, ipVersion: 6 }));
  for (const address of ['2001::', '2001::1', '2001:db8:1:2:3:4:5:6', '2001:0:0:1::']) {
    assert.deepEqual(reader.find(parseAddress(address)!.bytes), { id: 'yes' }, address);
  }
  for (const address of ['::', '::2001', '2002::', '3001::1'])
    assert.equal(reader.find(parseAddress(address)!.bytes), undefined, address);
  assert.equal(aReader(context, anMmdb({ id: 'every IPv4' })).find(parseAddress('2001::1')!.bytes), undefined);
});

/** A file in which every address has the record with these bytes. */
function aReaderOf(context: TestContext, ...record: readonly number[]): MmdbReader {
  const text = 'x'.repeat(record.length - 1); // as long as the record
  const file = anMmdb(text);
  file.set(record, 22);
  return aReader(context, file);
}

test('a record may have values of every type, and pointers', (context) => {
  const cases: [number[], unknown][] = [
    [[0xa2, 1, 0], 256], // an unsigned integer of 16 bits
    [[4, 1, 0xff, 0xff, 0xff, 0xff], -1], // an integer of 32 bits
    [[4, 8, 0x3f, 0x80, 0, 0], 1], // a float
    [[1, 7], true],
    [
      [2, 4, 0xc1, 7, 0xc1, 8],
      [7, 8],
    ], // an array
    [[0x20, 2, 0x42, 97, 98], 'ab'], // a pointer to the text after it
    [[0xe1, 0x41, 97, 0x20, 5, 0x41, 98], { a: 'b' }], // a map whose value is a pointer
  ];
  for (const [record, value] of cases) assert.deepEqual(aReaderOf(context, ...record).find([8, 8, 8, 8]), value);
});

test('a record that refers to itself or beyond the file is an error', (context) => {
  assert.throws(() => aReaderOf(context, 0x20, 0).find([8, 8, 8, 8]), /too many values/);
  assert.throws(() => aReaderOf(context, 0x28, 0xff, 0xff).find([8, 8, 8, 8]), /it ends before its data does/);
});
