import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import { crc32, hashBytes, hashText } from '../../src/collections/hash.ts';
import { IdSet, Interner } from '../../src/collections/sets.ts';
import { indexInSorted, lowerBound, medianOfThree } from '../../src/collections/sorting.ts';
import { fillWith, GrowingArray, grown, sequence, sharedArray } from '../../src/collections/typed-array.ts';

test('the checksum equals that of zlib', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => assert.equal(crc32(bytes), zlib.crc32(bytes))));
});

test('a growing array holds the same numbers as a plain list, and a copy of it does not change', () => {
  const random = seededRandom(1);
  const growing = new GrowingArray(Uint32Array);
  const plain: number[] = [];
  for (let round = 0; round < 2_000; round++) {
    const count = round === 0 ? 5_000 : random(9); // the first exceeds twice the capacity
    const values = Array.from({ length: count }, () => random(2 ** 32));
    if (values.length === 1) growing.push(values[0] as number);
    else growing.pushAll(values);
    plain.push(...values);
  }
  assert.equal(growing.length, plain.length);
  assert.deepEqual([...growing.view()], plain);
  const copy = growing.toArray();
  growing.view()[0] = plain[0]! ^ 1;
  assert.deepEqual([...copy], plain);
  assert.equal(growing.at(1), plain[1]);
});

/** FNV-1a in arbitrary precision, and its high bits folded into the low ones. */
function plainHash(units: Iterable<number>): number {
  let hash = 0x811c9dc5n;
  for (const unit of units) hash = ((hash ^ BigInt(unit)) * 0x01000193n) & 0xffff_ffffn;
  return Number(BigInt.asIntN(32, hash ^ (hash >> 15n)));
}

test('FNV-1a of "foobar" is the published value, folded', () => {
  const published = 0xbf9cf968;
  assert.equal(hashText('foobar'), published ^ (published >>> 15));
  assert.equal(hashBytes(Buffer.from('foobar'), 0, 6), published ^ (published >>> 15));
});

test('hashes are those of arbitrary-precision arithmetic', () => {
  const random = seededRandom(3);
  for (let round = 0; round < 500; round++) {
    const units = Array.from({ length: random(20) }, () => random(0x1_0000));
    assert.equal(hashText(String.fromCharCode(...units)), plainHash(units));
    const bytes = Uint8Array.from(units);
    const start = random(bytes.length + 1);
    const end = start + random(bytes.length - start + 1);
    assert.equal(hashBytes(bytes, start, end), plainHash(bytes.subarray(start, end)));
  }
});

test('a seed makes equal strings hash differently', () => {
  assert.notEqual(hashText('paris', hashText('FR')), hashText('paris', hashText('US')));
});

test('an id set knows the same ids as a Set', () => {
  const random = seededRandom(5);
  const ids = new IdSet();
  const plain = new Set<number>();
  const edges = [0, 7, 8, 65_535, 65_536, 65_543, 2 ** 40 - 1]; // of bytes and blocks
  for (let round = 0; round < 20_000; round++) {
    const id = edges[round] ?? (random(2) === 0 ? random(10_000) : random(64) * 2 ** 34 + random(100));
    assert.equal(ids.add(id), !plain.has(id));
    plain.add(id);
  }
});

test('equal strings get one number, in the order of first use after the empty string', () => {
  const random = seededRandom(4);
  const interner = new Interner();
  const seen = ['', 'constructor', '__proto__'];
  assert.deepEqual(
    ['constructor', '__proto__', '', 'constructor'].map((text) => interner.intern(text)),
    [1, 2, 0, 1],
  );
  for (let round = 0; round < 1_000; round++) {
    const text = `text ${random(200)}`;
    if (!seen.includes(text)) seen.push(text);
    assert.equal(interner.intern(text), seen.indexOf(text));
  }
  assert.deepEqual(interner.strings, seen);
});

test('binary search finds the same index as a linear search', () => {
  const random = seededRandom(2);
  for (let round = 0; round < 2_000; round++) {
    const sorted = Float64Array.from({ length: random(40) }, () => random(30)).sort();
    const value = random(32) - 1;
    const firstNotBelow = sorted.findIndex((item) => item >= value);
    const expected = firstNotBelow === -1 ? sorted.length : firstNotBelow;
    assert.equal(
      lowerBound(sorted.length, (i) => (sorted[i] as number) < value),
      expected,
    );
    assert.equal(indexInSorted(sorted, value), sorted.indexOf(value));
  }
});

test('the median of three numbers is the second of them when sorted', () => {
  for (const a of [1, 2, 3]) {
    for (const b of [1, 2, 3]) {
      for (const c of [1, 2, 3]) assert.equal(medianOfThree(a, b, c), [a, b, c].sort()[1]);
    }
  }
});

test('a grown array has the same type and items, and zeros in at least twice the length', () => {
  assert.deepEqual(grown(Int32Array.of(1, -2, 3)), Int32Array.of(1, -2, 3, 0, 0, 0));
  assert.deepEqual(grown(Uint16Array.of(1, 2), 3), Uint16Array.of(1, 2, 0, 0));
  assert.deepEqual(grown(Uint8Array.of(1), 5), Uint8Array.of(1, 0, 0, 0, 0));
});

test('a shared array grows in its memory, or moves to other shared memory beyond 64 MiB', () => {
  const array = sharedArray(Int32Array);
  array[1] = 7;
  const longer = grown(array, 1 << 24);
  assert.deepEqual([longer.buffer === array.buffer, longer.length, longer[1]], [true, 1 << 24, 7]);
  longer[0] = 6;
  assert.equal(array[0], 6);
  const moved = grown(longer);
  assert.deepEqual([moved.length, moved[0], moved[1], moved.at(-1)], [1 << 25, 6, 7, 0]);
  assert.ok(moved.buffer instanceof SharedArrayBuffer && moved.buffer !== array.buffer);
  assert.equal(grown(moved).buffer, moved.buffer);
});

test('an array is filled in place, and a sequence counts up from 0', () => {
  const array = new Float64Array(3);
  const filled = fillWith(array, (i) => i / 2);
  assert.equal(filled, array);
  assert.deepEqual(array, Float64Array.of(0, 0.5, 1));
  assert.deepEqual([sequence(4), sequence(0)], [Uint32Array.of(0, 1, 2, 3), new Uint32Array(0)]);
});
